"""`/settings`: a person's cards, messages and language. `/privacy`: their stored data, and its deletion."""

from discord import app_commands
from discord.ext import commands

from bot.errors import UnexpectedInputError
from bot.history.exports import personal_files
from bot.interactions.permissions import timezone_choices
from bot.interactions.receiver import Pressed, Router
from bot.interactions.reply import AnyInteraction, Kind, Reply
from bot.panels.server.settings import (
    AUTOMATIC,
    SELECTS,
    SUBJECTS,
    SWITCHES,
    export_panel,
    first_of,
    forget_panel,
    privacy_panel,
    settings_panel,
    subject_of,
)
from bot.people import NamedPerson
from bot.services import Services
from bot.words.texts import texts
from bot.workpool.pool import WorkKind
from league.ids import PersonId


class Privacy(commands.Cog):
    """Everything concerns the person who presses, and is answered in private."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("export", self._export)
        router.add("forget", self._ask)
        router.add("forget-sure", self._forget)

    @app_commands.command(description="See what I keep about you; export it, or have me forget you")
    async def privacy(self, interaction: AnyInteraction) -> None:
        """Show the policy."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await reply.show(privacy_panel(texts()))

    async def _export(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            files = await self._services.workpool.run(
                WorkKind.EXPORT,
                pressed.person.id,
                personal_files,
                self._services.store.place,
                pressed.person.id,
                await self._services.forgetting.requests_of(pressed.person.id),
            )
            await reply.show(export_panel(files, self._services.clock.now(), texts()))

    async def _ask(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            await reply.show(forget_panel(texts()))

    async def _forget(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            known = await self._services.forgetting.forget(pressed.person.id)
            await reply.tell(texts()("privacy.forgotten" if known else "privacy.nothing"))


class SettingsCommands(commands.Cog):
    """The settings panel; each choice takes effect at once."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("settings", self._open)
        for verb in SELECTS:
            router.add(verb, self._choose)
        for verb in SWITCHES:
            router.add(verb, self._turn)
        router.add("clear-house", self._clear_house)
        router.add("pick-settings", self._choose_subject)

    @app_commands.command(description="Choose your cards, messages and language")
    @app_commands.describe(timezone="Your time zone, such as Asia/Kathmandu, for times that you type")
    async def settings(
        self, interaction: AnyInteraction, timezone: app_commands.Range[str, 1, 64] | None = None
    ) -> None:
        """Set the time zone if one is given, and show the settings."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            if timezone is None:
                settings = await self._services.personal.settings(PersonId(interaction.user.id))
                await reply.show(settings_panel(settings, texts()))
            else:
                person = NamedPerson.of(interaction.user)
                settings = await self._services.personal.change(person, timezone=timezone)
                await reply.show(settings_panel(settings, texts(), subject_of(SUBJECTS, "pick-zone")))

    @settings.autocomplete("timezone")
    async def _timezones(self, _: AnyInteraction, typed: str) -> list[app_commands.Choice[str]]:
        return timezone_choices(typed)

    async def _open(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.PRIVATE) as reply:
            settings = await self._services.personal.settings(pressed.person.id)
            subject = pressed.press.argument
            await reply.show(
                settings_panel(settings, texts(), subject if subject in SUBJECTS else first_of(SUBJECTS))
            )

    async def _choose_subject(self, pressed: Pressed) -> None:
        if pressed.chosen not in SUBJECTS:
            raise UnexpectedInputError("no such subject")
        async with Reply(pressed.interaction, pressed.privately) as reply:
            settings = await self._services.personal.settings(pressed.person.id)
            await reply.show(settings_panel(settings, texts(), pressed.chosen))

    async def _choose(self, pressed: Pressed) -> None:
        name = SELECTS[pressed.press.verb]
        value = pressed.values[0] if pressed.values else None
        await self._change(pressed, name, None if value == AUTOMATIC else value)

    async def _turn(self, pressed: Pressed) -> None:
        await self._change(pressed, SWITCHES[pressed.press.verb], pressed.press.argument == "on")

    async def _clear_house(self, pressed: Pressed) -> None:
        await self._change(pressed, "house_rules", None)

    async def _change(self, pressed: Pressed, name: str, value: object) -> None:
        async with Reply(pressed.interaction, pressed.privately) as reply:
            settings = await self._services.personal.change(pressed.person, **{name: value})
            async with self._services.languages.spoken_to(pressed.interaction):  # which may just have changed
                subject = subject_of(SUBJECTS, pressed.press.verb)
                await reply.show(settings_panel(settings, texts(), subject))
