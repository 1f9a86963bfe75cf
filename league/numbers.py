"""The numbers of a season: its length, who may play, and what a match is worth.

League points are whole hundredths everywhere: 1000 is shown as 10.00.
"""

from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, model_validator

from league.points import BONUS, MICRO, MatchRules

CutTo = Literal[0, 4, 8, 16]
TablePlace = Literal["threads", "channel"]
Missing = Literal["substitute", "shorter", "computer"]
"""Where the pods meet: each in its own private thread, or all in the season's channel."""
STAGES: Final = (16, 8, 4)
"""The number of players in each stage of the finals, the first stage first."""
LAST_STAGE: Final = STAGES[-1]
Bonus = Annotated[
    tuple[Annotated[StrictInt, Field(ge=-10_000, le=10_000)], ...], Field(min_length=2, max_length=5)
]

TWO_SEATS: Final = 2
LONGEST_DESCRIPTION: Final = 300


class SeasonNumbers(BaseModel):
    """The choices of one season, except its format."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    # Description and admission
    description: Annotated[str, Field(max_length=LONGEST_DESCRIPTION)] = Field(
        "", description="What the staff say of the league, for everybody who may join."
    )
    role: Annotated[StrictInt, Field(ge=0, lt=2**63)] = Field(
        0, description="The role that people need to join, by its id; 0 for none."
    )
    account_days: Annotated[StrictInt, Field(ge=0, le=3650)] = Field(
        30, description="How old an account must be, in days."
    )
    server_days: Annotated[StrictInt, Field(ge=0, le=3650)] = Field(
        7, description="How long somebody must have been in the server, in days."
    )
    reliability: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        80, description="The share of matches that must have been finished, in percent."
    )
    reliability_after: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        5, description="From how many started matches on reliability is looked at."
    )
    approval: StrictBool = Field(
        default=False, description="Whether the staff approve every sign-up; else anybody may sign up."
    )
    most_players: Annotated[StrictInt, Field(ge=0, le=500)] = Field(
        0, description="How many may play; who comes later is on the waiting list. 0 for no limit."
    )
    team_size: Annotated[StrictInt, Field(ge=0, le=5)] = Field(
        0, description="How many members a team has, from 2 on; 0 where everybody plays alone."
    )
    signup_days: Annotated[StrictInt, Field(ge=1, le=60)] = Field(
        10, description="Days of the sign-up window."
    )
    confirm_hours: Annotated[StrictInt, Field(ge=0, le=336)] = Field(
        48, description="Hours before round 1 in which sign-ups are confirmed."
    )
    late_entry: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        50, description="Until which share of the rounds is drawn people may still join, in percent."
    )

    # Rounds and matches
    timezone: Annotated[str, Field(max_length=64)] = Field(
        "UTC", description="The league's own time zone, by its name in the tz database."
    )
    draw_hour: Annotated[StrictInt, Field(ge=0, le=23)] = Field(
        19, description="The hour of the day at which rounds are drawn, in the league's time zone."
    )
    play_hours: tuple[StrictInt, StrictInt] = Field(
        (9, 22), description="The hours of the day between which a draw that was delayed may come."
    )
    rounds: Annotated[StrictInt, Field(ge=1, le=30)] = Field(7, description="Rounds of the season.")
    round_days: Annotated[StrictInt, Field(ge=1, le=31)] = Field(7, description="Days of a round.")
    round_minutes: Annotated[StrictInt, Field(ge=0, le=720)] = Field(
        0, description="Minutes of a round, where all rounds are played in one sitting; 0 for rounds of days."
    )
    checkin_hours: Annotated[StrictInt, Field(ge=1, le=168)] = Field(
        24, description="Hours before the draw in which players check in."
    )
    reminder_hours: tuple[Annotated[StrictInt, Field(ge=1, le=168)], ...] = Field(
        (24, 2), description="Hours before a deadline at which players are reminded."
    )
    rotations: Annotated[StrictInt, Field(ge=1, le=10)] = Field(
        3, description="How often everybody deals in a match; twice as often with two seats."
    )
    tables: TablePlace = Field(
        "threads", description="Where the pods meet: in threads of their own, or in the channel."
    )
    pod_size: Annotated[StrictInt, Field(ge=3, le=5)] = Field(
        4, description="How many players a table has where their number allows it."
    )
    no_fives: StrictBool = Field(default=False, description="Nine players make three tables of three.")
    day_cap: Annotated[StrictInt, Field(ge=0, le=20)] = Field(
        2, description="Matches a day against the same opponent that count in a ladder; 0 for all."
    )
    swiss_weight: Annotated[StrictInt, Field(ge=0, le=300)] | None = Field(
        None,
        description="What a difference of places costs in a Swiss draw, in hundredths; else by the field.",
    )
    duplicate: StrictBool = Field(
        default=False, description="All tables of a round play the same boards; from three tables on."
    )

    public_page: StrictBool = Field(
        default=False, description="Whether the season has a page on the web, if the bot writes such pages."
    )

    # Points
    cut: Annotated[StrictInt, Field(ge=100, le=1000)] = Field(
        300, description="How many pars one deal counts at most, in hundredths."
    )
    bonus: tuple[Bonus, ...] = Field(
        tuple(BONUS.values()), description="The placing bonus at two, three, four and five seats."
    )
    placing_only: StrictBool = Field(default=False, description="Only the placing counts.")
    by_opponents: StrictBool = Field(
        default=False,
        description="A ladder ranks by the points of a match, adjusted for the opponents. Seasons opened before this setting add "
        "points up.",
    )
    best_rounds: Annotated[StrictInt, Field(ge=0, le=30)] = Field(
        0, description="How many of the best rounds count; 0 for all. It favours who plays most."
    )

    # Absence and withdrawal
    free_absences: Annotated[StrictInt, Field(ge=0, le=30)] = Field(
        2, description="Absences that cost nothing."
    )
    absence_points: Annotated[StrictInt, Field(ge=-10_000, le=0)] = Field(
        -500, description="What every further absence costs."
    )
    miss_from_mean: StrictBool = Field(
        default=False,
        description="Missing a round gives the player's own mean, 0 at most, less what it costs. Seasons opened before "
        "this setting do without.",
    )
    answer_hours: Annotated[StrictInt, Field(ge=0, le=168)] = Field(
        12,
        description="Hours that the players of a pod have to answer a proposed time before it holds without them.",
    )
    no_show_minutes: Annotated[StrictInt, Field(ge=1, le=1440)] = Field(
        10, description="Minutes after the start at which somebody missing has not shown up."
    )
    missing: Missing = Field(
        "substitute",
        description="Who sits in for somebody missing: a substitute if there is one, no one, or a computer that earns nothing for "
        "anyone.",
    )
    no_show_points: Annotated[StrictInt, Field(ge=-10_000, le=0)] = Field(
        -1000, description="What it costs not to show up."
    )
    average_plus: Annotated[StrictInt, Field(ge=0, le=3000)] = Field(
        300, description="What those get at least whose opponents did not come."
    )
    stays_from: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        50, description="From which share of the rounds on who withdraws stays in the table, in percent."
    )
    report_hours: Annotated[StrictInt, Field(ge=1, le=336)] = Field(
        48, description="Hours after which the report of a home game counts if no one objects."
    )
    dispute_hours: Annotated[StrictInt, Field(ge=0, le=720)] = Field(
        0,
        description="Hours after an objection to a report in which the staff may decide; then the match does not count. "
        "0 for no limit, as in seasons opened before this setting.",
    )
    extra_hours: Annotated[StrictInt, Field(ge=0, le=168)] = Field(
        24, description="Hours after the season's end in which running matches may finish."
    )

    # The end
    least_matches: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        0,
        description="Of which share of the rounds a player has to be there to be ranked, go up or play the finals, in "
        "percent. Seasons opened before this setting have 0.",
    )
    division_size: Annotated[StrictInt, Field(ge=4, le=16)] = Field(8, description="Players of a division.")
    promoted: Annotated[StrictInt, Field(ge=0, le=4)] = Field(
        2, description="How many go up, and how many down."
    )
    rest_weeks: Annotated[StrictInt, Field(ge=0, le=12)] = Field(
        2, description="Weeks of rest after a season before the next one is drawn."
    )
    hiatus_seasons: Annotated[StrictInt, Field(ge=0, le=10)] = Field(
        2, description="Seasons somebody may miss and keep the division."
    )
    cut_to: CutTo = Field(0, description="How many play the finals; 0 for none.")
    final_matches: Annotated[StrictInt, Field(ge=1, le=6)] = Field(
        2, description="Matches of each stage of the finals: two are 24 deals at four seats."
    )
    carry_over: Annotated[StrictInt, Field(ge=0, le=100)] = Field(
        50, description="The share of the season's points that is carried into the finals, in percent."
    )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if [len(places) for places in self.bonus] != [*BONUS]:
            raise ValueError("the bonus has one list each for two, three, four and five seats")
        if any(sum(places) != 0 or list(places) != sorted(places, reverse=True) for places in self.bonus):
            raise ValueError("a placing bonus falls from place to place and adds up to nothing")
        if not 0 <= self.play_hours[0] < self.play_hours[1] <= 24:
            raise ValueError("the hours to play begin before they end, on the same day")
        if self.team_size == 1:
            raise ValueError("one player is no team")
        if self.best_rounds > self.rounds:
            raise ValueError("no more rounds can count than are played")
        return self

    @property
    def is_sitting(self) -> bool:
        """Whether all rounds are played in one sitting, such as an evening."""
        return self.round_minutes > 0

    def match_rules(self, par: int) -> MatchRules:
        """Return the rules of a match at tables of this par, in hundredths of a point."""
        return MatchRules(par, self.cut * MICRO // 100, self.bonus, self.placing_only)

    def deals(self, seats: int) -> int:
        """Return the number of deals in a match at so many seats: full rotations."""
        return seats * self.rotations * (2 if seats == TWO_SEATS else 1)

    def least(self, rounds: int) -> int:
        """Return in how many of so many rounds a player must have been present to be ranked."""
        return -(-self.least_matches * rounds // 100)

    def stays(self, rounds_drawn: int) -> bool:
        """Return whether a player who withdraws after so many rounds keeps their place in the table."""
        return 100 * rounds_drawn >= self.stays_from * self.rounds
