"""Rules that hold for each view, as those of axe do: names, contrast, focus, width."""

# Whatever one can work with, as Chromium tells it to a screen reader.
CONTROLS = {
    "button", "link", "checkbox", "switch", "slider", "spinbutton", "textbox", "searchbox", "combobox", "radio",
    "menuitem", "tab", "image", "region", "dialog", "DisclosureTriangle",
}  # fmt: skip


async def unnamed(page):
    """Controls, pictures and regions that a screen reader could not name."""
    nodes = (await page.tell("Accessibility.getFullAXTree"))["nodes"]
    found = []
    for node in nodes:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in CONTROLS:
            continue
        if not node.get("name", {}).get("value", "").strip():
            about = await page.tell("DOM.describeNode", backendNodeId=node["backendDOMNodeId"])
            found.append(f"{role}: {about['node']['localName']} {about['node'].get('attributes')}")
    return found


REPEATED_IDS = """[...document.querySelectorAll("[id]")].map((one) => one.id)
    .filter((id, index, all) => all.indexOf(id) !== index)"""

PICTURES_WITHOUT_TEXT = """[...document.querySelectorAll("img")].filter((one) => !one.hasAttribute("alt"))
    .map((one) => one.src)"""

# What is wider than the window and in nothing that scrolls.
TOO_WIDE = """(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width + 1)
        .map((one) => `${one.tagName}.${one.className?.baseVal ?? one.className} ${one.getBoundingClientRect().right}`);
})()"""

# Text whose contrast with what is behind it is less than WCAG 2.2 (1.4.3, AA) wants: 4.5, or 3 where it is large.
PALE = """(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    canvas.canvas.width = canvas.canvas.height = 1;
    const rgba = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        return [r, g, b, a / 255];
    };
    const over = (top, under) => top.slice(0, 3).map((one, n) => one * top[3] + under[n] * (1 - top[3]));
    const light = (rgb) => rgb.map((one) => one / 255)
        .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
        .reduce((sum, one, n) => sum + one * [0.2126, 0.7152, 0.0722][n], 0);
    const behind = (element) => {
        const layers = [];
        for (let one = element; one; one = one.parentElement) layers.push(rgba(getComputedStyle(one).backgroundColor));
        return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
    };
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (!walker.currentNode.textContent.trim() || element.namespaceURI.includes("svg")) continue;
        if (!element.checkVisibility() || element.closest(":disabled, script, noscript, .skip, option")) continue;
        const style = getComputedStyle(element);
        const under = behind(element);
        const [a, b] = [light(over(rgba(style.color), under)), light(under)];
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
        if (contrast < (isLarge ? 3 : 4.5)) {
            found.add(`${contrast.toFixed(2)}: ${element.tagName}.${element.className} ${walker.currentNode.textContent.trim().slice(0, 40)}`);
        }
    }
    return [...found];
})()"""

# What can be reached with Tab, in the page's order.
REACHABLE = """[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
    .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }))"""
MISSED = "all.filter((one) => one.isConnected && !one.disabled && one.checkVisibility({ visibilityProperty: true }) && !met.has(one))"


async def reached_by_tab(page):
    """Presses Tab through the whole page: how many controls there are, which were not reached, which do not show it."""
    await page.run(f"window.all = {REACHABLE}; window.met = new Set(); document.activeElement.blur(); scrollTo(0, 0)")
    count = await page.run("all.length")
    invisible = []
    # What comes meanwhile is tabbed through as well.
    for _ in range(2 * count + 20):
        if not await page.run(f"{MISSED}.length"):
            break
        await page.key("Tab")
        mark = await page.run(
            """(() => {
                const one = document.activeElement;
                met.add(one);
                if (one === document.body) return null;
                const style = getComputedStyle(one);
                const cap = one.querySelector?.(".key-cap, .dot");
                const isShown = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)
                    || (cap && parseFloat(getComputedStyle(cap).strokeWidth) >= 3);
                return isShown ? null : `${one.tagName}.${one.className?.baseVal ?? one.className}#${one.id}`;
            })()"""
        )
        if mark:
            invisible.append(mark)
    missed = await page.run(f"{MISSED}.map((one) => `${{one.tagName}}#${{one.id}} ${{one.innerText ?? ''}}`)")
    return count, missed, invisible


# From now on, and since the page was loaded: what moved without anybody having touched it. Lists that grow at their top
# are for that.
WATCH_SHIFTS = """(() => {
    window.shifts = [];
    const name = (node) => `${node?.nodeName}#${node?.id ?? ""}.${node?.className?.baseVal ?? node?.className ?? ""}`;
    const growing = (node) => (node?.nodeType === 1 ? node : node?.parentElement)?.closest(".log, .packets, .map, #toasts");
    const note = (entries) => {
        for (const entry of entries) {
            const moved = entry.sources.filter(({ node }) => node && !growing(node));
            if (!entry.hadRecentInput && moved.length) shifts.push([entry.value, ...moved.map(({ node, previousRect, currentRect }) =>
                `${name(node)} ${Math.round(previousRect.y)} to ${Math.round(currentRect.y)}`)]);
        }
    };
    const watcher = new PerformanceObserver((list) => note(list.getEntries()));
    watcher.observe({ type: "layout-shift", buffered: true });
    window.noteAll = () => note(watcher.takeRecords());
})()"""

TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def forget_shifts(page):
    """Begins anew, after what has moved so far was told: what comes when a view is opened comes when it comes."""
    await page.run(f"{TWO_FRAMES}.then(() => {{ noteAll(); shifts.length = 0; }})")


async def shifts(page, least=0.01):
    """What has moved by more than a hundredth of what is seen."""
    return [one for one in await page.run(f"{TWO_FRAMES}.then(() => {{ noteAll(); return shifts; }})") if one[0] > least]
