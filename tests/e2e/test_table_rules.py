"""The form of a table's rules: filled in well, badly, by the wrong person, and over a restart."""

import re

import pytest

from bot.words.texts import texts
from marriage.rules import PRESETS, preset
from marriage.shuffle import commitment
from tests.e2e.forging import button, forge
from tests.e2e.looking import facts
from tests.e2e.players import JOIN, READY, START, TABLE_RULES, open_table
from tests.e2e.test_deal import SEAL

say = texts()
PRESET, VARIATIONS, OTHERS = (say(f"rulesform.{key}") for key in ("preset", "variations", "others"))
DEALS, PACE = say("rulesform.deals"), say("rulesform.pace")
FIX = say("button.fix_rules")


@pytest.fixture
async def host(discord, bot):
    return discord.person("asha")


@pytest.fixture
async def table(discord, host):
    return await open_table(host, discord.person("bikram"))


async def fill_in(host, table, answers):
    answer = await host.press(TABLE_RULES, message=table)
    assert answer.modal is not None
    return (await host.submit(answers)).message


async def test_what_differs_is_shown_to_everybody_and_asks_them_again(discord, bot, host, table):
    bikram = discord.person("bikram")
    await bikram.press(READY, message=table)
    told = await fill_in(
        host,
        table,
        {
            PRESET: ["kathmandu"],
            VARIATIONS: ["alter=yes", "man_cards=2"],
            OTHERS: "seen_pay = 5,  points.tiplu=3/8",
            DEALS: "5",
            PACE: ["fast"],
        },
    )
    assert "plays by these rules now" in told.text
    shown = await bikram.wait_for(lambda: _shows(bikram.look(table), "Full Kathmandu"))
    for words in (
        "Alter counts as maal",
        "2 man cards",
        "A loser who has seen pays 5",
        "`points.tiplu=3/8`",
        "Match of **5** deals · Fast: 30 seconds a move",
    ):
        assert words in shown.text
    assert "ready ✅" not in shown.text
    after = await facts(bot)
    wanted = preset("kathmandu", alter=True, man_cards=2, seen_pay=5, custom_points=(("tiplu", (3, 8)),))
    assert after.table.rules == wanted
    assert (after.table.options.deals, after.table.options.pace) == (5, "fast")
    await host.press(START, message=table)
    assert len((await facts(bot)).events[0].stock) == 158 - 2 * 21 - 1


def _shows(message, text):
    return message if text in message.text else None


async def test_other_rules_seal_the_shuffle_anew_and_show_the_former_seed(bot, host, table):
    before = SEAL.search(table.text)[1]
    await fill_in(host, table, {VARIATIONS: ["man_cards=3"]})
    shown = await host.wait_for(lambda: _shows(host.look(table), "sealed again"))
    seed = re.search(r"sealed before, `([0-9a-f]{64})`", shown.text)[1]
    assert commitment(bytes.fromhex(seed), "1", 1, 156) == before
    async with bot.store.read() as db:
        deal = await db.deals.get(1, 1)
    assert SEAL.search(shown.text)[1] == deal.commitment != before
    assert deal.commitment == commitment(deal.seed, "1", 1, 159)
    assert deal.entropy == []


async def test_the_form_opens_with_what_holds_now_and_the_same_again_changes_nothing(bot, host, table):
    rules = preset("wikipedia", man_cards=3, better_after=10, unseen_maal="murder_payback", dublee=False)
    answers = {
        PRESET: ["wikipedia"],
        VARIATIONS: ["man_cards=3", "dublee=no"],
        OTHERS: "better_after=10 unseen_maal=murder_payback",
        DEALS: "7",
    }
    await fill_in(host, table, answers)
    before = await facts(bot)
    assert before.table.rules == rules
    await host.press(READY, message=table)
    await fill_in(host, table, {})
    after = await facts(bot)
    assert (after.table.rules, after.table.options) == (rules, before.table.options)
    assert after.seats[0].ready


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ({VARIATIONS: ["alter=yes", "alter=no"]}, ["`alter` is asked for twice: `yes` and `no`"]),
        ({VARIATIONS: ["man_cards=3"], OTHERS: "man_cards=2"}, ["`man_cards` is asked for twice"]),
        ({OTHERS: "man_cards=४"}, ["`man_cards` is a number from 0 to 6, not `४`"]),
        ({OTHERS: "seen_pay=51"}, ["`seen_pay` is a number from 0 to 50, not `51`"]),
        ({OTHERS: "seen_pay=3.5; seen_pay=NaN"}, ["`seen_pay` is asked for twice"]),
        ({OTHERS: "alte=yes"}, ["Did you mean `alter`?"]),
        ({OTHERS: "alter"}, ["`alter` is no option: write `option=value`"]),
        ({OTHERS: "alter=maybe"}, ["`alter` is yes or no, not `maybe`"]),
        ({OTHERS: "unseen_maal=kill"}, ["murder_payback", "`kill` is none of them"]),
        ({OTHERS: "throw_foul=yes"}, ["need a foul that costs something"]),
        ({OTHERS: "points.tiplu=3/x"}, ["`points.tiplu=3/x` does not work"]),
        ({OTHERS: "__class__=x"}, ["There is no option"]),
        ({DEALS: "५"}, ["The deals in the match are a number from 0 to 50"]),
        ({DEALS: "51", OTHERS: "x=1"}, ["number from 0 to 50", "There is no option `x`"]),
        ({OTHERS: "x" * 4000}, ["is no option"]),
        ({OTHERS: "a=1 " * 1000}, ["There is no option `a`", "and 992 more"]),
        ({OTHERS: "@everyone=`<@1>`"}, ["There is no option `·everyone`"]),
    ],
)
async def test_what_makes_no_rules_is_explained_and_changes_nothing(bot, host, table, answers, told):
    before = await facts(bot)
    answer = await fill_in(host, table, answers)
    assert answer.ephemeral
    assert "The rules stay as they were" in answer.text
    for words in told:
        assert words in answer.text
    assert await facts(bot) == before
    again = await host.press(FIX, message=answer)
    assert again.modal is not None


async def test_a_form_that_was_wrong_opens_again_as_it_was_filled_in(bot, host, table):
    wrong = await fill_in(
        host,
        table,
        {
            PRESET: ["kathmandu"],
            VARIATIONS: ["alter=yes", "man_cards=2"],
            OTHERS: "seen_pay=99\ndublee_bonus=4",
            DEALS: "5",
            PACE: ["fast"],
        },
    )
    await host.press(FIX, message=wrong)
    told = (await host.submit({OTHERS: "seen_pay=9\ndublee_bonus=4"})).message
    assert "plays by these rules now" in told.text
    after = (await facts(bot)).table
    assert after.rules == preset("kathmandu", alter=True, man_cards=2, seen_pay=9, dublee_bonus=4)
    assert (after.options.deals, after.options.pace) == (5, "fast")

    forged = forge(host, button("mr1:table-rules:1:1:9-9-9-9"))
    assert (await host.press("Forged", message=forged)).modal is not None


async def test_only_the_host_and_only_before_the_start(discord, bot, host, table, dull):
    bikram = discord.person("bikram")
    answer = await bikram.press(TABLE_RULES, message=table)
    assert answer.modal is None
    assert "Only the host" in answer.message.text
    await host.press(TABLE_RULES, message=table)
    await host.press(START, message=table)
    answer = await host.submit({PRESET: ["wikipedia"]})
    assert "A deal is on at this table" in answer.message.text
    assert (await facts(bot)).table.rules == PRESETS["pagat"]


async def test_a_form_that_was_open_over_a_restart_still_counts(discord, start_bot):
    bot = await start_bot()
    host = discord.person("asha")
    table = await open_table(host)
    await host.press(TABLE_RULES, message=table)
    await bot.stop()
    bot = await start_bot()
    answer = await host.submit({PRESET: ["gambiter"]})
    assert "plays by these rules now" in answer.message.text
    assert (await facts(bot)).table.rules == PRESETS["gambiter"]


async def test_two_people_with_the_form_open_do_not_meet(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = await open_table(asha)
    bikram.go("general")
    second = (await bikram.slash("marriage play")).message
    await asha.press(TABLE_RULES, message=first)
    await bikram.press(TABLE_RULES, message=second)
    await bikram.submit({PRESET: ["gambiter"]})
    await asha.submit({PRESET: ["wikipedia"]})
    rules = [(await facts(bot, table)).table.rules for table in (1, 2)]
    assert rules == [PRESETS["wikipedia"], PRESETS["gambiter"]]


async def test_a_form_of_an_older_version_is_answered(discord, bot, host, table):
    answer = await host.press(TABLE_RULES, message=table)
    answer.modal["custom_id"] = "mr0:whatever"
    assert "out of date" in (await host.submit({})).message.text


async def test_new_people_see_the_rules_before_they_are_ready(discord, bot, host, table):
    await fill_in(host, table, {VARIATIONS: ["open_tiplu=yes"]})
    chandra = discord.person("chandra")
    await chandra.press(JOIN, message=table)
    assert "Open tiplu, for all to see" in chandra.look(table).text
