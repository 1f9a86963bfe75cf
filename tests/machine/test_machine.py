"""Tables, leagues and privacy as a state machine driven by hypothesis; `make machine` takes more steps."""

import os
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.machine.machine import Evenings

EXAMPLES = int(os.environ.get("EXAMPLES", "6"))
STEPS = int(os.environ.get("STEPS", "20"))
PHASES = list(Phase) if "EXAMPLES" in os.environ else [Phase.explicit, Phase.reuse, Phase.generate]
"""The phases of hypothesis.

Failures are shrunk only in a long run, because that takes minutes.
"""


def test_whatever_happens_in_whatever_order_the_file_holds_what_it_promises(migrated: Path) -> None:
    run_state_machine_as_test(
        type("Evenings", (Evenings,), {"empty": migrated}),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            phases=PHASES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
