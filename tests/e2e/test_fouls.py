"""A foul is ruled over the wire: by the host, in three steps, visible to everyone, and taken back."""

import pytest

from bot.words.texts import texts
from marriage.events import FoulLifted, FoulRuled
from tests.e2e.forging import press_forged
from tests.e2e.looking import facts
from tests.e2e.players import (
    HAND,
    MORE,
    START,
    next_panel,
    open_table,
    press_tool,
    write_rules,
)

SAY = texts()
RULE = SAY("fouls.button")


@pytest.fixture
async def playing(discord, bot, quick):
    """A table that Asha hosts, with its window closed."""
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await write_rules(asha, table, "foul=each")
    await asha.press(START, message=table)
    await next_panel(bikram)
    return asha, bikram, table


async def test_a_host_rules_a_foul_and_takes_it_back(bot, playing):
    asha, bikram, table = playing
    assert not (await bikram.press(MORE, message=table)).message.button(RULE)
    refused = await press_forged(bikram, "mr1:foul:1:1")
    assert "Asha" in refused.text
    assert refused.ephemeral
    panel = (await press_tool(asha, table, RULE)).message
    assert panel.ephemeral
    await asha.choose(SAY("fouls.against"), ["Bikram"], message=panel)
    await asha.choose(SAY("fouls.choose_why"), ["looked"], message=asha.look(panel))
    assert "Rule this foul?" in asha.look(panel).text
    assert not any(isinstance(event, FoulRuled) for event in (await facts(bot)).events)
    await asha.press(SAY("fouls.rule"), message=asha.look(panel))
    await bikram.sees("**Foul** ruled against **Bikram**: looked at somebody else's cards")
    assert "A **foul** was ruled against you" in (await bikram.press(HAND, message=table)).message.text
    await asha.choose(SAY("fouls.lift"), ["Bikram"], message=asha.look(panel))
    await bikram.sees("The foul against Bikram was lifted")
    assert isinstance((await facts(bot)).events[-1], FoulLifted)
