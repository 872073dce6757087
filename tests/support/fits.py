"""What does not fit in the window of a table or a replay, measured in the page."""

from typing import Final

from tests.support.browser import Browser

# Phones inside a browser, phones held sideways, a laptop at 200 %, desks, a television.
WINDOWS: Final = (
    (320, 568),
    (360, 560),
    (375, 553),
    (390, 664),
    (390, 844),
    (568, 320),
    (640, 400),
    (667, 375),
    (740, 360),
    (844, 390),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
    (2560, 1440),
)

# The height in pixels below which one may have to scroll.
SCROLLS_BELOW: Final = 400

# The least width in pixels of each card of one's hand that no other thing covers.
UNCOVERED: Final = 32

TOO_LARGE: Final = """(({ scrolls, uncovered }) => {
    const all = (where) => [...document.querySelectorAll(where)]
        .filter((it) => it.checkVisibility({ visibilityProperty: true }));
    const box = (it) => it.getBoundingClientRect();
    const name = (it) => [
        it.tagName.toLowerCase(),
        it.className,
        it.querySelector?.("[data-card]")?.dataset.card ?? it.textContent.slice(0, 20),
    ].join(" ");
    const found = [];
    document.getAnimations().forEach((each) => each.finish());
    for (const it of document.querySelectorAll(".felt, main, .left")) it.scrollTop = 0;
    const width = innerWidth, height = innerHeight;
    const inside = (it) => {
        const { left, right, top, bottom } = box(it);
        const felt = it.closest(".felt");
        const foot = felt === null ? height : Math.min(height, box(felt).bottom);
        return left >= -1 && right <= width + 1 && top >= -1 && bottom <= foot + 1;
    };
    const lies = (what, it) => {
        if (inside(it)) return;
        if (scrolls) {
            it.scrollIntoView({ block: "nearest", behavior: "instant" });
            if (inside(it)) return;
        }
        const { left, right, top, bottom } = box(it);
        const at = [left, top, right, bottom].map(Math.round);
        found.push(`${what} out of the window: ${name(it)} at ${at}`);
    };
    if (document.documentElement.scrollWidth > width) found.push("the page is too wide");
    const hand = all(".own > *");
    hand.forEach((it) => lies("card", it));
    all(".laid .card").forEach((it) => lies("trick", it));
    const controls = ".top button, .cloth button, .prompt, .controls button, [data-key=next]";
    all(controls).forEach((it) => lies("control", it));
    all(".cloth .plate").forEach((it) => lies("plate", it));
    all(".notes > :not(:empty)").forEach((it) => lies("hint", it));
    for (const it of all(".notes")) {
        if (it.scrollWidth > it.clientWidth + 1) found.push("a hint is cut at its side");
    }
    for (const hint of all(".notes > :not(:empty)")) {
        const one = box(hint);
        for (const it of all(".score p, .rope, .tile, .options button, .extras button")) {
            const other = box(it);
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (across <= 3 || down <= 3) continue;
            found.push(`below a hint: ${name(it)}, ${Math.round(down)} px`);
        }
    }
    for (const it of all(".of-3 .plate .has")) {
        if (it.scrollWidth > it.clientWidth + 1) found.push(`cut on its plate: ${name(it)}`);
    }
    for (const it of all(".tile, .tile > *")) {
        if (it.scrollWidth > it.clientWidth + 1) found.push(`wider than its tile: ${name(it)}`);
    }
    for (const it of all(".plate .name")) {
        const spills = getComputedStyle(it).overflowX === "visible";
        if (spills && it.scrollWidth > it.clientWidth + 1) found.push(`off its plate: ${name(it)}`);
    }
    for (const it of hand) {
        it.scrollIntoView({ block: "nearest", behavior: "instant" });
        const { left, right, top, bottom } = box(it);
        let most = 0;
        for (const share of [0.3, 0.6]) {
            let free = 0;
            for (let x = left + 0.5; x < right; x += 1) {
                const there = document.elementFromPoint(x, top + (bottom - top) * share);
                if (there && it.contains(there)) free += 1;
            }
            most = Math.max(most, free);
        }
        if (most < uncovered) found.push(`${most} px of a card are uncovered: ${name(it)}`);
    }
    for (const it of document.querySelectorAll(".felt, main, .left")) it.scrollTop = 0;
    const cards = ".laid .card, .place, .pile .card, .fan .card, .own > *";
    const things = all(`${cards}, .cloth button, .prompt, .hint, .score p, .plate`);
    for (const plate of all(".cloth .plate")) {
        const one = box(plate);
        for (const it of things) {
            if (it === plate || plate.contains(it)) continue;
            const other = box(it);
            const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
            const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
            if (across <= 3 || down <= 3) continue;
            const size = `${Math.round(across)} by ${Math.round(down)} px`;
            found.push(`on the plate ${name(plate)}: ${name(it)}, ${size}`);
        }
    }
    return found;
})"""


def misfits(page: Browser, state: str, windows: tuple[tuple[int, int], ...] = WINDOWS) -> list[str]:
    """Everything that does not fit in one state of the page, in each of the windows."""
    found = []
    for width, height in windows:
        page.window(width, height)
        scrolls = "true" if height < SCROLLS_BELOW else "false"
        said = page.value(f"{TOO_LARGE}({{ scrolls: {scrolls}, uncovered: {UNCOVERED} }})")
        found += [f"{state} at {width}x{height}: {each}" for each in said]
    page.window(1280, 800)
    return found
