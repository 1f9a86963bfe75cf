"""Who presses something at a table is active there, and need not be told that it is their turn."""

from bot.interactions.router import Handler, Pressed, Router
from bot.table.core.activity import Activity


class TableRouter(Router):
    """Adds handlers to another router, each of which first notes that the person is active at the table."""

    def __init__(self, router: Router, activity: Activity) -> None:
        super().__init__()
        self._router = router
        self._activity = activity

    def add(self, verb: str, handler: Handler) -> None:
        """Let `handler` serve this verb; raises ValueError if it has a handler already."""

        async def serve(pressed: Pressed) -> None:
            self._activity.note(pressed.table_id, pressed.person.id)
            await handler(pressed)

        self._router.add(verb, serve)
