"""The page in a real browser: how messages look, and what players can do without a mouse."""

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from playground.server import Playground
from tests.missing import CHROMIUM
from tests.playground.tabs import (
    COMMANDS,
    EPHEMERAL,
    PHONE,
    V2,
    Bot,
    Tabs,
    button,
    hand,
    overflow,
    png,
    row,
    shown,
    text,
)
from tests.waiting import SLOW_DEADLINE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.real,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot() -> AsyncIterator[Bot]:
    async with Playground() as server, aiohttp.ClientSession() as http:
        bot = Bot(server, http)
        await bot.call("PUT", f"/applications/{server.world.application_id}/commands", COMMANDS)
        yield bot
        assert server.failures == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def tabs(browser: Browser, bot: Bot) -> AsyncIterator[Tabs]:
    tabs = Tabs(browser, bot)
    yield tabs
    for context in list(browser.contexts):
        await context.close()
    assert tabs.complaints == []


async def test_shows_every_kind_of_component(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    message = await bot.post(
        {
            "type": 17,
            "accent_color": 0xA8324F,
            "components": [
                text("## Asha's table"),
                {"type": 9, "components": [text("Asha, 21 cards")], "accessory": button("Show my hand")},
                {
                    "type": 9,
                    "components": [text("Bikram")],
                    "accessory": {
                        "type": 11,
                        "media": {"url": "attachment://table.png"},
                        "description": "A card",
                    },
                },
                {"type": 14, "divider": True, "spacing": 2},
                {
                    "type": 12,
                    "items": [{"media": {"url": "attachment://table.png"}, "description": "The table"}],
                },
                {"type": 13, "file": {"url": "attachment://table.png"}},
                row(
                    button("Draw", 1), button("Take", 2), button("Show", 3), button("Leave", 4, disabled=True)
                ),
                row(button("Rules", 5, url="https://example.org/rules")),
                row(hand()),
                *[
                    row({"type": kind, "custom_id": f"s{kind}", "placeholder": f"Kind {kind}"})
                    for kind in (5, 6, 7, 8)
                ],
            ],
        },
        flags=V2,
        file=("table.png", png()),
    )
    article = shown(page, message)
    await expect(article.get_by_role("heading", name="Asha's table")).to_be_visible()
    for name in ("Show my hand", "Draw", "Take", "Show"):
        await expect(article.get_by_role("button", name=name, exact=True)).to_be_enabled()
    await expect(article.get_by_role("button", name="Leave")).to_be_disabled()
    await expect(article.get_by_role("link", name="Rules")).to_have_attribute(
        "href", "https://example.org/rules"
    )
    for name in ("Choose a card", "Kind 5", "Kind 6", "Kind 7", "Kind 8"):
        await expect(article.get_by_role("combobox", name=name)).to_have_attribute("aria-haspopup", "listbox")
    await expect(article.get_by_role("link", name="Download table.png")).to_be_visible()
    await expect(article.locator("hr")).to_have_count(1)
    await expect(article.locator("img[alt='A card'], img[alt='The table']")).to_have_count(2)
    edge = await article.locator(".container").evaluate("node => getComputedStyle(node).borderLeftColor")
    assert edge == "rgb(168, 50, 79)"


async def test_an_empty_channel_greets_and_says_what_to_type(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open(channel="league")
    welcome = page.get_by_role("region", name="Welcome")
    await expect(welcome.get_by_role("heading", name="Welcome, Asha!")).to_be_visible()
    await expect(welcome).to_contain_text("/marriage play Open a table")
    await welcome.get_by_role("button", name="/marriage play").click()
    await expect(page.get_by_role("textbox", name="seats")).to_be_visible()
    await bot.post(content="Here I am", channel="league")
    await expect(welcome).to_have_count(0)


async def test_the_answer_to_ones_own_press_is_scrolled_to(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open("esha")
    article = shown(page, await bot.post(row(button("Mine")), content="Press"))
    for number in range(30):
        await bot.post(content=f"Line {number}")
    await article.scroll_into_view_if_needed()
    await article.get_by_role("button", name="Mine").click()
    await bot.answer(await bot.interaction(3), 4, content="Only for you", flags=EPHEMERAL)
    await expect(page.get_by_text("Only for you")).to_be_in_viewport()


async def test_the_badge_of_the_alt_text_covers_nothing(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    article = shown(page, await bot.post(content="Look", file=("hand.png", png())))
    picture = await article.get_by_role("button", name="Enlarge").bounding_box()
    badge = await article.get_by_role("button", name="Alt text").bounding_box()
    assert picture is not None
    assert badge is not None
    assert badge["y"] >= picture["y"] + picture["height"]


async def test_a_picture_tells_its_alt_text_and_can_be_enlarged(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    article = shown(page, await bot.post(content="Look", file=("hand.png", png())))
    await article.get_by_role("button", name="Alt text").press("Enter")
    await expect(article.locator("figcaption")).to_have_text("Two aces and a tiplu")
    await article.get_by_role("button", name="Enlarge").press("Enter")
    await expect(page.get_by_role("dialog").get_by_role("img", name="Two aces and a tiplu")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_an_unknown_component_prints_its_number(tabs: Tabs) -> None:
    page = await tabs.open()
    drawn = await page.evaluate(
        "async () => (await import('/components.js')).componentNode({type: 99}, {}).textContent"
    )
    assert drawn == "Component of unknown type 99"


async def test_a_hand_of_22_cards_is_chosen_on_a_phone(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open(size=PHONE, touch=True)
    message = await bot.post(row(hand(min_values=3, max_values=5)))
    await shown(page, message).get_by_role("combobox", name="Choose a card").tap()
    options = page.get_by_role("listbox").get_by_role("option")
    await expect(options).to_have_count(22)
    boxes = [await option.bounding_box() for option in await options.all()]
    assert all(box is not None and box["height"] >= 44 and box["width"] >= 150 for box in boxes)
    assert await overflow(page) <= 0
    confirm = page.get_by_role("button", name="Confirm")
    await options.nth(0).tap()
    await options.nth(21).tap()
    await expect(confirm).to_be_disabled()
    await options.nth(7).tap()
    await confirm.tap()
    interaction = await bot.interaction(3)
    assert interaction.data["values"] == ["card-0", "card-7", "card-21"]
    await expect(shown(page, message).get_by_role("combobox")).to_have_attribute("aria-busy", "true")
    await bot.answer(interaction, 7, content="Well arranged", components=[])
    await expect(shown(page, message)).to_contain_text("Well arranged")
    await expect(shown(page, message).get_by_role("combobox")).to_have_count(0)


async def test_nothing_is_wider_than_a_small_phone(tabs: Tabs, bot: Bot) -> None:
    await bot.post(
        {
            "type": 17,
            "components": [text("x" * 90), row(*[button(f"Button {n}") for n in range(5)]), row(hand())],
        },
        flags=V2,
    )
    page = await tabs.open(size={"width": 360, "height": 740}, touch=True)
    assert await overflow(page) <= 0
    await page.get_by_role("button", name="Channels").tap()
    await page.get_by_role("link", name="# league").tap()
    await expect(page.locator("#channel-title")).to_have_text("# league")
    await expect(page.get_by_role("link", name="# league")).not_to_be_in_viewport()
    await page.get_by_role("button", name="Channels").tap()
    await page.get_by_role("link", name="# league").tap()  # already open
    await expect(page.get_by_role("link", name="# league")).not_to_be_in_viewport()


async def test_text_never_becomes_markup(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    evil = "<img src=x onerror=document.title='owned'> **<b>bold</b>** [x](javascript:alert(1)) ||<i>hidden</i>||"
    plain = shown(page, await bot.post(content=evil))
    card = shown(
        page,
        await bot.post(
            embeds=[{"title": evil, "description": evil, "fields": [{"name": "a", "value": evil}]}]
        ),
    )
    layout = shown(page, await bot.post(text(evil), row(button("<u>press</u>")), flags=V2))
    await expect(layout.get_by_role("button", name="<u>press</u>")).to_be_visible()
    for article in (plain, card, layout):
        await expect(article).to_contain_text("<img src=x onerror=")
        await expect(article.locator(".message-body :is(img, b, i, a)")).to_have_count(0)
        await expect(article.locator("strong").first).to_have_text("<b>bold</b>")
    assert "owned" not in await page.title()


async def test_markdown_looks_as_on_discord(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    asha = bot.server.world.user("asha").id
    content = f"# Title\n-# small\n- one\n  - two\n> quote\n*i* __u__ ~~s~~ `c` <@{asha}> <t:4102444800:R> देवनागरी\n```py\nx\n```"
    article = shown(page, await bot.post(content=content))
    await expect(article.get_by_role("heading", name="Title")).to_be_visible()
    for selector, said in (
        ("small", "small"), ("li li", "two"), ("blockquote", "quote"), ("em", "i"), ("u", "u"), ("s", "s"),
        (".text code", "c"), (".mention.mine", "@Asha"), ("pre", "x"),
    ):  # fmt: skip
        await expect(article.locator(f".md {selector}")).to_have_text(said)
    await expect(article.locator("time.moment")).to_contain_text("years")
    await expect(article).to_contain_text("देवनागरी")


async def test_an_ephemeral_answer_is_seen_by_its_owner_alone(tabs: Tabs, bot: Bot) -> None:
    asha, bikram = await tabs.open("asha"), await tabs.open("bikram")
    message = await bot.post(row(button("Show my hand")), content="The table")
    await shown(asha, message).get_by_role("button", name="Show my hand").click()
    interaction = await bot.interaction(3)
    await bot.answer(interaction, 5, flags=EPHEMERAL)
    whisper = asha.locator("[data-ephemeral='true']")
    await expect(whisper).to_contain_text("is thinking")
    await bot.call(
        "PATCH",
        f"/webhooks/{bot.server.world.application_id}/{interaction.token}/messages/@original",
        {"content": "K♠"},
    )
    await expect(whisper).to_contain_text("K♠")
    await expect(whisper).to_contain_text("Only you can see this")
    await bot.post(content="Bikram sees this")
    await expect(bikram.get_by_role("log")).to_contain_text("Bikram sees this")
    await expect(bikram.get_by_role("log")).not_to_contain_text("K♠")
    await whisper.get_by_role("button", name="Dismiss").click()
    await expect(whisper).to_have_count(0)


async def test_slash_commands_need_no_mouse(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    await page.keyboard.type("/mar")
    picker = page.get_by_role("listbox", name="Commands")
    await expect(picker.get_by_role("option")).to_have_count(2)
    await expect(picker.get_by_role("option", name="/marriage play")).to_have_attribute(
        "aria-selected", "true"
    )
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("textbox", name="seats")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert").filter(has_text="seats: this option is required")).to_be_visible()
    await page.keyboard.type("4")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("button", name="+ player")).to_be_focused()
    await page.keyboard.press("Enter")
    await bot.answer(await bot.interaction(4), 8, choices=[{"name": "Bikram", "value": "17"}])
    await expect(page.get_by_role("option", name="Bikram")).to_be_visible()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Send /marriage play")).to_be_focused()
    await page.keyboard.press("Enter")
    interaction = await bot.interaction(2)
    assert interaction.data["options"][0]["name"] == "play"
    assert {option["name"]: option["value"] for option in interaction.data["options"][0]["options"]} == {
        "seats": 4,
        "player": "17",
    }
    await bot.answer(interaction, 4, content="A table for four")
    await expect(page.get_by_role("article").last).to_contain_text("A table for four")
    await expect(page.get_by_role("textbox", name="Message", exact=True)).to_be_focused()


async def test_a_form_sends_what_was_filled_in(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    message = await bot.post(row(button("Set the rules")))
    await shown(page, message).get_by_role("button", name="Set the rules").click()
    options = [{"label": "Murder", "value": "m"}, {"label": "Kidnap", "value": "k"}]
    fields = [
        ("Name", {"type": 4, "custom_id": "name", "style": 1, "min_length": 3}),
        ("First", {"type": 21, "custom_id": "first", "options": options}),
        ("Variants", {"type": 22, "custom_id": "variants", "options": options}),
        ("Private", {"type": 23, "custom_id": "private"}),
        ("Deck", {"type": 3, "custom_id": "deck", "options": options}),
    ]
    labels = [{"type": 18, "label": label, "component": component} for label, component in fields]
    await bot.answer(await bot.interaction(3), 9, custom_id="rules", title="Table rules", components=labels)
    form = page.get_by_role("dialog", name="Table rules")
    await form.get_by_role("textbox", name="Name").fill("ab")
    await form.get_by_role("button", name="Submit").click()
    await expect(form.get_by_text("At least 3 characters.")).to_be_visible()
    await form.get_by_role("textbox", name="Name").fill("Chautari")
    await form.get_by_role("radio", name="Kidnap").check()
    await form.get_by_role("checkbox", name="Murder").check()
    await form.get_by_role("checkbox", name="Private").check()
    await form.get_by_role("combobox", name="Deck").click()
    await page.get_by_role("option", name="Kidnap").click()
    await form.get_by_role("button", name="Submit").click()
    interaction = await bot.interaction(5)
    sent = [label["component"] for label in interaction.data["components"]]
    assert [field.get("value", field.get("values")) for field in sent] == [
        "Chautari",
        "k",
        ["m"],
        True,
        ["k"],
    ]
    await bot.answer(interaction, 4, content="The rules are set")
    await expect(form).to_have_count(0)
    await expect(page.get_by_role("article").last).to_contain_text("The rules are set")


async def test_messages_change_and_vanish_in_place(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    message = await bot.post(row(button("Join")), content="Two seats left")
    join = shown(page, message).get_by_role("button", name="Join")
    await join.focus()
    path = f"/channels/{message['channel_id']}/messages/{message['id']}"
    await bot.call("PATCH", path, {"content": "One seat left"})
    await expect(shown(page, message)).to_contain_text("One seat left")
    await expect(join).to_be_focused()
    await bot.call("DELETE", path)
    await expect(shown(page, message)).to_have_count(0)


async def test_a_press_without_an_answer_is_said_to_have_failed(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    message = await bot.post(row(button("Ask")))
    bot.server.interactions.deadline = 0.2
    try:
        await shown(page, message).get_by_role("button", name="Ask").click()
        await expect(shown(page, message).get_by_role("alert")).to_have_text("This interaction failed")
    finally:
        bot.server.interactions.deadline = 3.0
    await expect(shown(page, message).get_by_role("button", name="Ask")).not_to_have_attribute(
        "aria-busy", "true"
    )


async def test_a_direct_message_raises_a_badge(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open("chandra")
    direct = await bot.call(
        "POST", "/users/@me/channels", {"recipient_id": str(bot.server.world.user("chandra").id)}
    )
    await bot.call("POST", f"/channels/{direct['id']}/messages", {"content": "It is your turn"})
    entry = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="Tiplu"))
    await expect(entry).to_contain_text("1 unread")
    await entry.get_by_role("link").click()
    await expect(page.get_by_role("log")).to_contain_text("It is your turn")
    await expect(entry).not_to_contain_text("unread")
    await page.get_by_role("switch", name="DMs closed").press("Space")
    await expect(page.get_by_role("switch", name="DMs closed")).to_be_checked()
    async with asyncio.timeout(SLOW_DEADLINE):
        while not bot.server.world.user("chandra").dms_closed:
            await bot.server.world.changed()


async def test_commands_are_shown_in_the_language_of_discord(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open("chandra")
    await page.get_by_label("Discord in").select_option("hi")
    box = page.get_by_role("textbox", name="Message", exact=True)
    for typed in ("/खेल", "/marriage pl"):
        await box.fill(typed)
        offer = page.get_by_role("listbox", name="Commands").get_by_role("option").first
        await expect(offer).to_contain_text("/marriage खेलें")
        await expect(offer).to_contain_text("टेबल खोलें")
    await box.press("Enter")
    await expect(page.get_by_role("form", name="/marriage खेलें")).to_be_visible()


async def test_what_is_being_typed_meets_commands_that_change(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open("bikram")
    offers = page.get_by_role("listbox", name="Commands").get_by_role("option")
    await page.get_by_role("textbox", name="Message", exact=True).fill("/खेल")
    await expect(offers).to_have_count(0)
    server = bot.server
    server.actions.set_locale(server.world.user("bikram"), "hi")  # on another of their devices
    await expect(offers).to_have_count(1)
    await expect(offers.first).to_contain_text("/marriage खेलें")


async def test_the_developer_sees_the_wire(tabs: Tabs, bot: Bot) -> None:
    page = await tabs.open()
    await page.get_by_role("button", name="Developer", exact=True).click()
    await bot.post(content="A request")
    entry = page.locator(".wire-entry").first
    await expect(entry).to_contain_text("POST")
    await expect(entry).to_contain_text("/messages")
    await expect(page.get_by_role("status").filter(has_text="The bot is offline")).to_be_visible()
    await page.get_by_role("spinbutton", name="Times").fill("1")
    await page.get_by_role("combobox", name="Status").select_option("503")
    await page.get_by_role("button", name="Refuse").click()
    await expect(page.get_by_text("Set: status 503 1 /messages")).to_be_visible()
    with pytest.raises(AssertionError):
        await bot.post(content="Refused")
    await expect(entry).to_contain_text("503")
