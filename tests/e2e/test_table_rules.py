"""The rules of a table: questions and the expert form, answered well, badly, by others, over a restart."""

import re

import pytest

from bot.words.texts import texts
from marriage.rules import PRESETS, preset
from marriage.shuffle import commitment
from tests.e2e.forging import (
    button,
    forge,
    press_forged,
)
from tests.e2e.looking import SEAL, facts, shuffles
from tests.e2e.players import (
    JOIN,
    LEAVE,
    READY,
    START,
    TABLE_RULES,
    open_table,
    press_tool,
    write_rules,
)

say = texts()
AS_TEXT, FIX = say("button.rules_as_text"), say("button.fix_rules")
SUBJECT = re.compile(r"mr1:pick-subject:")


def ask(option: str) -> re.Pattern[str]:
    """Return the select of a question."""
    return re.compile(rf"mr1:pick-rule:[0-9]+:[0-9]+:{option}$")


@pytest.fixture
async def host(discord, bot):
    return discord.person("asha")


@pytest.fixture
async def table(discord, host):
    return await open_table(host, discord.person("bikram"))


async def turn_to(host, panel, subject):
    return (await host.choose(SUBJECT, [subject], message=panel)).message


async def answer(host, panel, option, value):
    return (await host.choose(ask(option), [value], message=panel)).message


async def test_what_differs_is_shown_to_everybody_and_asks_them_again(discord, bot, host, table):
    bikram = discord.person("bikram")
    await bikram.press(START, message=table)
    panel = (await press_tool(host, table, TABLE_RULES)).message
    assert panel.ephemeral
    panel = await answer(host, panel, "preset", "kathmandu")
    panel = await answer(host, panel, "deals", "5")
    panel = await answer(host, panel, "pace", "fast")
    panel = await turn_to(host, panel, "maal")
    panel = await answer(host, panel, "alter", "yes")
    panel = await turn_to(host, panel, "cards")
    panel = await answer(host, panel, "man_cards", "2")
    assert "Full Kathmandu**, but: 2 man cards; Alter counts as maal" in panel.text
    shown = await bikram.wait_for(lambda: _shows(bikram.look(table), "2 man cards"))
    line = (
        "Rules: **Full Kathmandu**, but: 2 man cards; Alter counts as maal · "
        "Match of **5** deals · Fast: 30 seconds a move"
    )
    assert line in shown.text.split("\n")
    assert "ready ✅" not in shown.text
    after = await facts(bot)
    assert after.table.rules == preset("kathmandu", alter=True, man_cards=2)
    assert (after.table.options.deals, after.table.options.pace) == (5, "fast")
    await host.press(START, message=table)
    assert len((await facts(bot)).events[0].stock) == 158 - 2 * 21 - 1


async def test_an_answer_that_excludes_others_ends_them_and_says_so(discord, bot, host, table):
    panel = (await press_tool(host, table, TABLE_RULES)).message
    panel = await answer(host, panel, "preset", "wikipedia")
    panel = await turn_to(host, panel, "fouls")
    assert panel.select(ask("throw_foul"))
    panel = await answer(host, panel, "foul", "off")
    assert "Changed too" in panel.text
    assert "Wild cards may be thrown; A wrong show is refused" in panel.text
    assert not panel.select(ask("throw_foul"))
    assert (await facts(bot)).table.rules == preset("wikipedia", foul="off")


async def test_a_select_shown_before_others_changed_the_rules_still_makes_rules(discord, bot, host, table):
    old = await turn_to(host, (await press_tool(host, table, TABLE_RULES)).message, "sets")
    host.go(table.message.channel)
    panel = (await press_tool(host, table, TABLE_RULES)).message
    panel = await answer(host, panel, "preset", "wikipedia")
    fouls = await turn_to(host, panel, "fouls")
    other = (await press_tool(host, table, TABLE_RULES)).message
    await answer(host, await turn_to(host, other, "fouls"), "foul", "off")
    panel = await answer(host, fouls, "throw_foul", "yes")
    assert "Changed too" in panel.text
    await answer(host, old, "primary_trial", "yes")
    after = (await facts(bot)).table.rules
    assert (after.foul, after.throw_foul, after.primary_trial) == ("next", True, True)


async def test_house_rules_of_a_person_begin_their_next_table(discord, bot, host, table):
    await write_rules(host, table, "alter=yes man_cards=3", preset="murder")
    panel = (await press_tool(host, table, TABLE_RULES)).message
    panel = await answer(host, panel, "deals", "4")
    assert panel.button(say("button.save_server"))
    panel = (await host.press(say("button.save_mine"), message=panel)).message
    assert "Saved: your next table starts" in panel.text
    for person in (host, discord.person("bikram")):
        await press_tool(person, table, LEAVE)
    second = (await host.slash("marriage play")).message
    assert "Rules: **House rules of Asha**: Murder" in second.text
    assert "Match of **4** deals" in second.text
    assert (await facts(bot, 2)).table.rules == preset("murder", alter=True, man_cards=3)
    assert "Rules: **Simple** ·" in (await discord.person("bikram").slash("marriage play")).message.text


async def test_house_rules_of_the_server_begin_everybodys_next_table(discord, bot, host, table):
    await write_rules(host, table, "alter=yes", preset="kidnap")
    panel = (await press_tool(host, table, TABLE_RULES)).message
    panel = (await host.press(say("button.save_server"), message=panel)).message
    assert "Saved: new tables in this server" in panel.text
    chandra = discord.person("chandra")
    other = (await chandra.slash("marriage play")).message
    assert "Rules: **House rules of this server**: Kidnap, but: Alter counts as maal" in other.text
    mine = (await press_tool(chandra, other, TABLE_RULES)).message
    assert not mine.button(say("button.save_server"))
    mine = await answer(chandra, mine, "preset", "murder")
    assert (await facts(bot, 2)).table.rules == PRESETS["murder"]
    await answer(chandra, mine, "preset", "server")
    assert (await facts(bot, 2)).table.rules == preset("kidnap", alter=True)


async def test_who_may_not_manage_the_server_cannot_save_its_rules_by_a_forged_press(discord, bot):
    bikram = discord.person("bikram")
    table = await open_table(bikram)
    await press_tool(bikram, table, TABLE_RULES)
    forged = forge(bikram, button("mr1:save-rules:1:1:server"))
    told = (await bikram.press("Forged", message=forged)).message
    assert "Only people who may manage this server" in told.text
    assert (await bot.store.read(lambda db: db.guilds.settings(discord.world.guild.id))).rules is None


def _shows(message, text):
    return message if text in message.text else None


async def test_other_rules_seal_the_shuffle_anew_and_show_the_former_seed(bot, host, table):
    before = SEAL.search(await shuffles(host, table))[1]
    await write_rules(host, table, "man_cards=3")
    told = await shuffles(host, host.look(table))
    seed = re.search(r"earlier seed, `([0-9a-f]{64})`", told)[1]
    assert commitment(bytes.fromhex(seed), "1", 1, 156) == before
    deal = await bot.store.read(lambda db: db.deals.get(1, 1))
    assert SEAL.search(told)[1] == deal.commitment != before
    assert deal.commitment == commitment(deal.seed, "1", 1, 159)
    assert deal.entropy == []


async def test_the_form_opens_with_what_holds_now_and_the_same_again_changes_nothing(bot, host, table):
    rules = preset("wikipedia", man_cards=3, better_after=10, unseen_maal="murder_payback", dublee=False)
    text = "man_cards=3 dublee=no better_after=10 unseen_maal=murder_payback points.tiplu=3/8"
    rules = rules.with_options(custom_points={"tiplu": (3, 8)})
    assert "now plays by these rules" in (await write_rules(host, table, text, preset="wikipedia")).text
    before = await facts(bot)
    assert before.table.rules == rules
    await press_tool(host, table, READY)
    panel = (await press_tool(host, table, TABLE_RULES)).message
    await host.press(AS_TEXT, message=panel)
    await host.submit({})
    after = await facts(bot)
    assert (after.table.rules, after.table.options) == (rules, before.table.options)
    assert after.seats[0].ready


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("alter=yes alter=no", ["`alter` appears twice: `yes` and `no`"]),
        ("man_cards=४", ["`man_cards` must be a number from 0 to 6, not `४`"]),
        ("seen_pay=51", ["`seen_pay` must be a number from 0 to 50, not `51`"]),
        ("seen_pay=3.5; seen_pay=NaN", ["`seen_pay` appears twice"]),
        ("alte=yes", ["Did you mean `alter`?"]),
        ("alter", ["`alter` is not an option. Write `option=value`"]),
        ("alter=maybe", ["`alter` must be yes or no, not `maybe`"]),
        ("unseen_maal=kill", ["murder_payback", "not `kill`"]),
        ("throw_foul=yes", ["need a foul that costs something"]),
        ("points.tiplu=3/x", ["`points.tiplu=3/x` does not work"]),
        ("__class__=x", ["There is no option"]),
        ("x" * 4000, ["is not an option"]),
        ("a=1 " * 1000, ["There is no option called `a`", "and 992 more"]),
        ("@everyone=`<@1>`", ["There is no option called `·everyone`"]),
    ],
)
async def test_what_makes_no_rules_is_explained_and_changes_nothing(bot, host, table, text, told):
    before = await facts(bot)
    shown = await write_rules(host, table, text)
    assert shown.ephemeral
    assert "The rules stay as they were" in shown.text
    for words in told:
        assert words in shown.text
    assert await facts(bot) == before
    again = await host.press(FIX, message=shown)
    assert again.modal is not None


async def test_a_form_that_was_wrong_opens_again_as_it_was_filled_in(bot, host, table):
    wrong = await write_rules(host, table, "alter=yes\nseen_pay=99\ndublee_bonus=4", preset="kathmandu")
    await host.press(FIX, message=wrong)
    told = (await host.submit({"others": "alter=yes\nseen_pay=9\ndublee_bonus=4"})).message
    assert "now plays by these rules" in told.text
    assert (await facts(bot)).table.rules == preset("kathmandu", alter=True, seen_pay=9, dublee_bonus=4)

    forged = forge(host, button("mr1:rules-text:1:1:9-9-9-9"))
    assert (await host.press("Forged", message=forged)).modal is not None


async def test_only_the_host_and_only_before_the_start(discord, bot, host, table, dull):
    bikram = discord.person("bikram")
    assert "Only the host" in (await press_forged(bikram, "mr1:table-rules:1:1")).text
    panel = (await press_tool(host, table, TABLE_RULES)).message
    await host.press(AS_TEXT, message=panel)
    await host.press(START, message=table)
    told = (await host.submit({"preset": ["wikipedia"]})).message
    assert "A deal is in progress at this table" in told.text
    told = (await host.choose(ask("preset"), ["wikipedia"], message=panel)).message
    assert host.find("A deal is in progress at this table")
    assert (await facts(bot)).table.rules == PRESETS["pagat"]


async def test_a_form_that_was_open_over_a_restart_still_counts(discord, start_bot):
    bot = await start_bot()
    host = discord.person("asha")
    table = await open_table(host)
    panel = (await press_tool(host, table, TABLE_RULES)).message
    await host.press(AS_TEXT, message=panel)
    await bot.stop()
    bot = await start_bot()
    answer = await host.submit({"preset": ["gambiter"]})
    assert "now plays by these rules" in answer.message.text
    assert (await facts(bot)).table.rules == PRESETS["gambiter"]


async def test_two_people_with_the_form_open_do_not_meet(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    first = await open_table(asha)
    bikram.go("general")
    second = (await bikram.slash("marriage play")).message
    for person, message in ((asha, first), (bikram, second)):
        panel = (await press_tool(person, message, TABLE_RULES)).message
        await person.press(AS_TEXT, message=panel)
    await bikram.submit({"preset": ["gambiter"]})
    await asha.submit({"preset": ["wikipedia"]})
    rules = [(await facts(bot, table)).table.rules for table in (1, 2)]
    assert rules == [PRESETS["wikipedia"], PRESETS["gambiter"]]


async def test_a_form_of_an_older_version_is_answered(discord, bot, host, table):
    panel = (await press_tool(host, table, TABLE_RULES)).message
    answer = await host.press(AS_TEXT, message=panel)
    answer.modal["custom_id"] = "mr0:whatever"
    assert "out of date" in (await host.submit({})).message.text


async def test_new_people_see_the_rules_before_they_are_ready(discord, bot, host, table):
    await write_rules(host, table, "open_tiplu=yes")
    chandra = discord.person("chandra")
    await chandra.press(JOIN, message=table)
    assert "Open tiplu, for all to see" in chandra.look(table).text
