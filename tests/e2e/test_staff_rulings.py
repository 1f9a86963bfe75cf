"""Rulings on matches with few or no players, and disputes to their end, over the wire."""

from data.preferences import GuildSettings
from playground.person import Person
from tests.e2e.players import say
from tests.e2e.seasons import JOIN, Circle
from tests.waiting import until

ENACT, WRONG = say("league.enact"), say("league.report_wrong")
NAMES = ("asha", "bikram", "chandra", "deepa")
HOUR = 3_600_000
DAY = 24 * HOUR


async def drawn(discord, start_bot, clock, names=NAMES, **settings) -> Circle:
    """A season of one pod whose first round is drawn."""
    people = [discord.person(name) for name in names]
    circle = Circle(await start_bot(clock=clock), clock, people)
    await circle.open("Autumn", "3, 7, 3", confirm_hours=0, tables="channel", **settings)
    await circle.press(JOIN, "Sign up until", people)
    await circle.draw(1)
    return circle


async def rule(circle: Circle, command: str, **options) -> str:
    """Make a ruling as staff; return the preview that they read before confirming."""
    preview = (await circle.staff.slash(f"league-staff {command}", reason="as it was", **options)).message
    done = (await circle.staff.press(ENACT, message=preview)).message
    assert "announced" in done.text
    assert done.message.id == preview.message.id, "the button that was pressed is gone"
    assert not done.buttons
    await circle.rest()
    return preview.text


async def test_more_than_two_are_missing_and_then_a_short_handed_result_counts(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    _, bikram, chandra, deepa = circle.people
    await rule(circle, "adjudicate", pod=1, missing=bikram, other=chandra, third=deepa)
    seen = await circle.view()
    verdicts = {seen.plain_name(player): verdict for player, verdict in seen.season.pods[1].verdicts.items()}
    assert verdicts == {"Asha": "average_plus"} | dict.fromkeys(("Bikram", "Chandra", "Deepa"), "no_show")
    log = (await chandra.slash("league log")).message.text
    assert all(name in log for name in ("Bikram", "Chandra", "Deepa"))

    said = await rule(circle, "enter", pod=1, deals="12 -5 -7; 3 3 -6; -4 8 -4", missing=deepa)
    assert "Deepa did not come" in said
    seen = await circle.view()
    rows = {row.name: row.row for row in seen.standings().rows}
    assert [(rows[name].matches, rows[name].conduct) for name in ("Asha", "Bikram", "Chandra", "Deepa")] == [
        (1, 0),
        (1, 0),
        (1, 0),
        (0, 1),
    ]
    await circle.check()


async def check_says(staff: Person, words: str) -> None:
    """Wait until `/league-staff check` says this, after the last change of roles and permissions."""

    async def told() -> bool:
        return words in (await staff.slash("league-staff check")).message.text

    await until(told)


async def test_a_dispute_calls_the_staff_by_their_role_and_ends(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    asha, bikram, *_ = circle.people
    role = discord.world.grant(asha.user)
    await circle.running.store.write(
        lambda db: db.guilds.set_settings(
            circle.running.bot.guilds[0].id, GuildSettings(staff_role_id=role.id)
        )
    )
    await check_says(asha, f"notifies nobody when I mention the staff role <@&{role.id}>")
    discord.world.allow("marriage", "MENTION_EVERYONE")
    await check_says(asha, "All is well")
    discord.world.deny("marriage", "MENTION_EVERYONE")
    await check_says(asha, "notifies nobody")
    role.mentionable = True
    discord.world.publish("role_update", role, guild=discord.world.guild)
    await check_says(asha, "All is well")
    await asha.slash("league report")
    await asha.submit({"deals": "24 -8 -8 -8\n" * 4})
    report = await circle.sees("was played with real cards")
    await bikram.press(WRONG, message=report)
    await circle.rest()
    begun = clock.now()
    first = await circle.sees("pod 1: Bikram objects to the reported result")
    await circle.until(lambda _: begun + 23 * HOUR)
    assert circle.staff.find("still waits for a decision", "marriage") is None
    await circle.until(lambda _: begun + 25 * HOUR)
    call = await circle.sees("still waits for a decision")
    for said in (first, call):
        assert f"<@&{role.id}>" in said.text
        assert said.raw["mention_roles"] == [str(role.id)]
        assert "the match does not count" in said.text
    await circle.until(lambda _: begun + 97 * HOUR)
    await asha.wait_for(lambda: "the dispute about pod 1 is over" in asha.look(call).text)
    seen = await circle.view()
    assert set(seen.season.pods[1].verdicts.values()) == {"average"}
    await circle.check()


async def dispute_calls_asha(circle: Circle) -> None:
    """Have Bikram report a result and Chandra object: only Asha, who opened the league, is called."""
    asha, bikram, chandra, _ = circle.people
    await bikram.slash("league report")
    await bikram.submit({"deals": "24 -8 -8 -8\n" * 4})
    await chandra.press(WRONG, message=await circle.sees("was played with real cards"))
    call = await circle.sees("objects to the reported result. ")
    assert call.text.startswith(asha.mention)
    assert call.pinged == ["asha"]


async def test_a_dispute_without_a_staff_role_calls_who_opened_the_league(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    await dispute_calls_asha(circle)
    assert "objects to the reported result" in (await circle.staff.slash("league-staff desk")).message.text


async def test_once_the_staff_role_is_deleted_who_opened_the_league_is_called(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    guild_id = circle.running.bot.guilds[0].id
    role = discord.world.grant(circle.staff.user)
    settings = GuildSettings(staff_role_id=role.id)
    await circle.running.store.write(lambda db: db.guilds.set_settings(guild_id, settings))
    del discord.world.guild.roles[role.id]
    discord.world.publish("role_delete", role, guild=discord.world.guild)

    async def has_no_role() -> bool:
        settings = await circle.running.store.read(lambda db: db.guilds.settings(guild_id))
        return settings.staff_role_id is None

    await until(has_no_role)
    await dispute_calls_asha(circle)


async def test_a_number_is_changed_during_a_season_after_a_look_at_its_effect(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    asha, bikram, *_ = circle.people
    preview = (
        await asha.slash("league-staff season settings", setting="round_days", value="9", reason="exams")
    ).message
    assert "The draw of round 3" in preview.text
    await asha.press(ENACT, message=preview)
    assert (await circle.view()).season.settings.round_days == 9
    assert "exams" in (await bikram.slash("league log")).message.text
    refused = (await asha.slash("league-staff season settings", setting="rotations", value="2")).message
    assert "would change what was played" in refused.text


async def test_too_few_players_reaches_those_without_direct_messages(discord, start_bot, clock):
    asha = discord.person("asha")
    asha.close_dms()
    circle = Circle(await start_bot(clock=clock), clock, [asha])
    await circle.open("Autumn", "3, 7, 3", confirm_hours=0)
    await circle.press(JOIN, "Sign up until", [asha])
    await circle.until(lambda seen: seen.row.starts_at)
    call = await circle.sees("too few players are left")
    assert "I cannot write to you directly" in call.text
    assert call.pinged == ["asha"]
    assert not asha.dm()
    await circle.sees("Too few players were in for a draw")


async def test_the_staff_role_sees_and_uses_the_commands_without_further_steps(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    _, bikram, chandra, *_ = circle.people
    role = discord.world.grant(bikram.user)
    await circle.running.store.write(
        lambda db: db.guilds.set_settings(
            circle.running.bot.guilds[0].id, GuildSettings(staff_role_id=role.id)
        )
    )

    async def is_answered() -> bool:
        return "staff role" in (await bikram.slash("league-staff check")).message.text

    await until(is_answered)
    refused = (await chandra.slash("league-staff check")).message
    assert refused.ephemeral
    assert "staff" in refused.text
    assert "notifies nobody" not in refused.text


async def test_from_the_desk_each_matter_leads_to_the_act_that_mends_it(discord, start_bot, clock):
    circle = await drawn(discord, start_bot, clock)
    asha, bikram, *_ = circle.people
    refused = (await bikram.slash("league-staff desk")).message
    assert "staff" in refused.text.lower()
    desk = (await asha.slash("league-staff desk")).message
    assert desk.ephemeral
    assert "Next by itself" in desk.text
    assert "nobody has proposed a time" in desk.text

    seen = await circle.view()
    before = seen.season.rounds[1].due
    await asha.press(say("desk.extend"), message=desk)
    preview = (await asha.submit({"reason": "a festival"})).message
    assert "The draw of round 2" in preview.text
    assert (await circle.view()).season.rounds[1].due == before
    await asha.press(say("league.enact"), message=preview)
    assert (await circle.view()).season.rounds[1].due == before + DAY

    [label] = [option for option in desk.select(say("desk.pick")).labels if option.startswith("Pod 1")]
    matter = (await asha.choose(say("desk.pick"), [label], message=desk)).message
    await asha.press(say("desk.rule"), message=matter)
    preview = (await asha.submit({"reason": "a power cut"})).message
    assert "Preview" in preview.text
    done = (await asha.press(say("league.enact"), message=preview)).message
    assert "takes it back" in done.text
    assert set((await circle.view()).season.pods[1].verdicts.values()) == {"average"}
    await circle.check()


async def act(staff: Person, panel, label: str, **answers):
    """Carry out an act of the desk; return its preview, and the answer after confirming."""
    await staff.press(say(f"desk.{label}"), message=panel)
    preview = (await staff.submit(answers)).message
    assert preview.ephemeral
    return preview, (await staff.press(ENACT, message=preview)).message


async def test_from_the_desk_people_are_moved_replaced_and_written_to_and_a_round_is_drawn_anew(
    discord, start_bot, clock
):
    names = (*NAMES, "ekta", "farhan", "gita", "hari")
    circle = await drawn(discord, start_bot, clock, names)
    asha, bikram, *_ = circle.people
    substitute = discord.person("indra")
    desk = (await asha.slash("league-staff desk")).message

    preview, done = await act(asha, desk, "redraw", reason="somebody was forgotten")
    assert "Tables that are closed: 2" in preview.text
    assert "takes it back" not in done.text
    await circle.rest()
    seen = await circle.view()
    assert sorted(pod.id for pod in seen.pods_of(1)) == [3, 4]

    first, second = seen.pods_of(1)
    gone, came = circle.named([first.players[0]], seen)[0], circle.named([second.players[0]], seen)[0]
    panel = (await asha.choose(say("desk.pick_person"), [gone], message=desk)).message
    preview, _ = await act(asha, panel, "move", person=[came], reason="by car")
    assert "exchange seats" in preview.text
    desk = (await asha.press(say("desk.back"), message=panel)).message
    await asha.press(say("desk.match"), message=desk)
    panel = (await asha.submit({"pod": "4"})).message
    label = seen.plain_name(second.players[1])
    preview, done = await act(asha, panel, "substitute", player=[label], person=[substitute], reason="ill")
    assert "plays for" in preview.text
    assert "takes it back" in done.text
    await circle.rest()
    players = (await circle.view()).season.pods[4].players
    assert first.players[0] in players
    assert second.players[1] not in players
    await asha.wait_for(lambda: any("What's next" in message.text for message in substitute.dm()))

    await asha.press(say("desk.enter"), message=panel)
    preview = (await asha.submit({"deals": "24 -8 -8 -8\n" * 4, "reason": "on paper"})).message
    await asha.press(ENACT, message=preview)
    assert (await circle.view()).season.pods[4].result is not None

    bikram.close_dms()
    await circle.running.store.write(lambda db: db.people.set_dms(bikram.id, open_=False))
    await asha.press(say("desk.write_some"), message=desk)
    everybody = say("desk.whom_all")
    preview = (await asha.submit({"whom": [everybody], "text": "Please play by *Sunday*, @everyone"})).message
    assert "cannot be unsent" in preview.text
    told = (await asha.press(ENACT, message=preview)).message
    number = int(told.text.split("number ")[1].split()[0])
    await asha.wait_for(lambda: any("A message from the league" in message.text for message in asha.dm()))
    call = await circle.sees("have a message for you")
    assert call.pinged == ["bikram"]
    assert "Sunday" in (await bikram.slash("league next")).message.text
    log = (await bikram.slash("league log")).message.text
    assert "a message goes to 8 members" in log
    assert "Sunday" not in log
    refused = (await asha.slash("league-staff undo", number=number, reason="a mistake")).message
    assert "cannot be unsent" in refused.text
    await circle.check()
