// The overflow areas of phones: what each sends, bit by bit, and what each believes of the others.

const side = 10, gap = 8;
const x = (byte) => byte * side + (byte > 7 ? gap : 0);

const rules = {
  "dark-screen": "its screen is dark",
  "no-ranging": "it is in the background and ranges no beacons",
  "both-in-background": "both are in the background, and it ranges no beacons",
  "no-services-listed": "it scans for everything; only who lists services learns of those",
  "no-scan": "its scan rests while it is in the background",
};
const obstacles = {
  ...rules,
  "powered-off": "Bluetooth is off",
  "no-scan": "it does not scan at the moment",
};
const verdicts = { believed: "believed", "not-found": "no frame found", unverified: "not verified yet", polluted: "bank polluted" };
const banks = { unknown: "not seen empty yet", unpolluted: "clean", polluted: "polluted" };
const places = { foreground: "on the screen", background: "in the background", suspended: "suspended", terminated: "ended", "force-quit": "swiped away", "not-running": "not launched" };

const bytesOf = (hex) => (hex ? hex.match(/../g).map((digits) => parseInt(digits, 16)) : Array(16).fill(0));
/** Apps count the bits of a byte from the other end than the air. */
const mirrored = (byte) => { let out = 0; for (let n = 0; n < 8; n += 1) if (byte & (1 << n)) out |= 0x80 >> n; return out; };
const twoDigits = (byte) => byte.toString(16).toUpperCase().padStart(2, "0");
const isSet = (bytes, index) => (bytes[index >> 3] & (0x80 >> (index & 7))) !== 0;
const spaced = (hex) => hex.replace(/(..)(?!$)/g, "$1 ").toUpperCase();

export function mount(place, panel) {
  const { h, s, say, set, replace, keyed, toast } = panel.dom;
  panel.style();
  const order = (work) => work.catch((error) => toast(error.message));

  const about = h("p.soft");
  const cards = h("div.overflow-cards");
  const empty = h("p.empty", "No phone is in this world.");
  place.append(h("div.stack.overflow-view",
    h("header.row", h("h1", panel.title), about),
    h("p.legend.small", { "aria-label": "What the colours mean" }, h("span", h("i.own"), "sent by this app"), h("span", h("i.foreign"), "set by another app: pollution"),
      h("span", h("i.missing"), "wanted, not on the air"), h("span", h("i.frame"), "where the payload is")),
    empty, cards));

  /** The 128 bits, a column a byte, as apps number them: the first bit of the table is at the top left. */
  function grid(phone) {
    const marks = s("g"), cells = [], digits = [];
    const picture = s("svg.overflow-grid", { viewBox: `-1 -2 ${16 * side + gap + 2} ${8 * side + 14}`, role: "img" });
    for (let index = 0; index < 128; index += 1) {
      const title = s("title");
      const cell = s("rect.bit", { x: x(index >> 3) + 0.6, y: (index & 7) * side + 0.6, width: side - 1.2, height: side - 1.2, rx: 1.6, "data-bit": index, onclick: () => pollute(phone.device, index) }, title);
      cells.push({ cell, title });
      picture.append(cell);
    }
    for (let byte = 0; byte < 16; byte += 1) {
      const text = s("text.byte", { x: x(byte) + side / 2, y: 8 * side + 7, "text-anchor": "middle" });
      digits.push(text);
      picture.append(text);
    }
    picture.append(marks);

    return { picture, update(one) {
      const onAir = bytesOf(one.onAir), wanted = bytesOf(one.wanted);
      let count = 0, foreign = 0, missing = 0;
      cells.forEach(({ cell, title }, index) => {
        const isOn = isSet(onAir, index), isWanted = isSet(wanted, index);
        const kind = isOn ? (isWanted ? "own" : "foreign") : isWanted ? "missing" : "";
        count += isOn ? 1 : 0;
        foreign += kind === "foreign" ? 1 : 0;
        missing += kind === "missing" ? 1 : 0;
        set(cell, { class: `bit ${kind}`.trim() });
        say(title, `bit ${index}, byte ${index >> 3}${kind ? `: ${{ own: "sent by this app", foreign: "set by another app", missing: "wanted, not on the air" }[kind]}` : ""}`);
      });
      digits.forEach((text, byte) => {
        const value = mirrored(onAir[byte]);
        say(text, value ? twoDigits(value) : "··");
        set(text, { class: value ? "byte lit" : "byte" });
      });
      replace(marks, one.starts.map((start, n) => s(n === one.position ? "rect.bank.here" : "rect.bank",
        { x: x(start) - 0.4, y: -0.9, width: x(start + one.frameLength - 1) - x(start) + side + 0.8, height: 8 * side + 1.8, rx: 2 })));
      const words = one.onAir
        ? `${count} of 128 bits are set: ${spaced(onAir.map(mirrored).map(twoDigits).join(""))}${foreign ? `; ${foreign} by other apps` : ""}${missing ? `; ${missing} more are wanted` : ""}`
        : "nothing is on the air";
      set(picture, { "aria-label": `Overflow area of ${one.name}: ${words}${one.position === undefined ? "" : `, the payload is in position ${one.position}`}` });
    } };
  }

  const shown = new Map();

  function pollute(device, bit) {
    const one = shown.get(device);
    if (!one || bit === null || !Number.isInteger(bit) || bit < 0 || bit > 127) return toast("A bit has a number from 0 to 127.");
    const bits = one.pollution.includes(bit) ? one.pollution.filter((other) => other !== bit) : [...one.pollution, bit].sort((a, b) => a - b);
    order(panel.put(`/phones/${device}/pollution`, { bits }));
  }

  function make(phone) {
    const device = phone.device;
    const name = h("h2"), app = h("span.badge"), scanning = h("span.badge"), payload = h("span.mono");
    const screen = h("input", { type: "checkbox", role: "switch", "aria-label": `Screen of ${phone.name}`, onchange: () => order(panel.ask("PUT", `/api/phones/${device}/screen`, { isOn: screen.checked })) });
    const front = h("button.little", { type: "button", onclick: () => {
      const one = shown.get(device);
      order(panel.ask("PUT", `/api/phones/${device}/apps/${one.app}`, { state: one.appState === "foreground" ? "background" : "foreground" }));
    } });
    const bit = h("input", { type: "number", min: 0, max: 127, value: "64", "aria-label": `Bit that another app of ${phone.name} sets` });
    const form = h("form.row.small", { onsubmit: (event) => { event.preventDefault(); pollute(device, bit.value === "" ? null : Number(bit.value)); } },
      h("label", "Pollute bit", bit), h("button.little", { type: "submit" }, "Set or clear"));
    const bits = grid(phone);
    const deaf = h("p.deaf.small", { role: "status" });
    const beliefs = h("ul.beliefs"), hidden = h("ul.hidden-reports.small");
    const nobody = h("p.soft.small", "Nobody was heard yet.");
    const hiddenTitle = h("h3", "Heard by the radio, hidden from the app");
    const card = h("section.card.overflow-phone", { "aria-label": phone.name, "data-device": device },
      h("header", name, app, scanning, h("span.push"), payload),
      bits.picture,
      h("div.row", h("label.switch.small", screen, h("span", "Screen")), front, h("span.push"), form),
      h("h3", "What it believes"), deaf, nobody, beliefs, hiddenTitle, hidden);
    card.update = (one) => {
      say(name, one.name);
      say(app, places[one.appState] ?? one.appState);
      app.className = `badge ${one.appState === "background" ? "blue" : ""}`;
      say(scanning, one.isScanning ? `scans, ${one.notifications} notifications` : "does not scan");
      say(payload, one.payload ? spaced(one.payload) : "");
      set(screen, { checked: one.isScreenOn });
      card.classList.toggle("dark-screen", !one.isScreenOn);
      say(front, one.appState === "foreground" ? "To the background" : "To the screen");
      bits.update(one);
      deaf.hidden = !one.obstacle;
      say(deaf, one.obstacle ? `Learns nothing now: ${obstacles[one.obstacle] ?? one.obstacle}.` : "");
      nobody.hidden = one.neighbours.length > 0;
      keyed(beliefs, one.neighbours, (other) => other.id, () => belief(), (item, other) => item.update(other));
      hiddenTitle.hidden = one.hidden.length === 0;
      keyed(hidden, one.hidden, (report) => `${report.name}/${report.rule}`, () => h("li"), (item, report) =>
        say(item, `${report.count} × ${report.name}: ${rules[report.rule] ?? report.rule} (last at ${report.time.toFixed(1)} s)`));
    };
    return card;
  }

  function belief() {
    const name = h("strong"), payload = h("span.mono.belief-payload"), verdict = h("span.badge"), chips = h("span.row.chips"), counts = h("span.soft.small");
    const item = h("li.belief", h("div.row", name, payload, verdict, h("span.push"), chips), counts);
    item.update = (other) => {
      say(name, other.name);
      say(payload, other.payload ? spaced(other.payload) : "—");
      say(verdict, verdicts[other.verdict] ?? other.verdict);
      verdict.className = `badge ${{ believed: "green", polluted: "red", unverified: "amber" }[other.verdict] ?? ""}`;
      keyed(chips, other.statuses.map((status, n) => ({ status, n })), (chip) => chip.n, () => h("span.badge"), (chip, { status, n }) => {
        say(chip, `bank ${n}: ${banks[status] ?? status}`);
        chip.className = `badge ${{ unpolluted: "green", polluted: "red" }[status] ?? ""}`;
      });
      say(counts, `${other.readings} of ${other.sightings} advertisements believed${other.since === undefined ? "" : `, the first at ${other.since.toFixed(1)} s`}${other.confidence.length ? `, each byte sure to ${Math.round(100 * Math.min(...other.confidence))} % or more` : ""}${other.rssi === 127 ? "" : `, ${other.rssi} dBm`}`);
    };
    return item;
  }

  panel.onState((state) => {
    shown.clear();
    for (const phone of state.phones) shown.set(phone.device, phone);
    say(about, `${{ demo: "Two banks in turn", sequential: "Every service once a second", hamming: "A Hamming code, without turns", bch: "A BCH code over all bits, without turns", conversation: "Messages in pieces, each a BCH code word" }[state.mode] ?? state.mode}, as iOS ${state.system} has it`);
    empty.hidden = state.phones.length > 0;
    keyed(cards, state.phones, (phone) => phone.device, make, (card, phone) => card.update(phone));
  });
}
