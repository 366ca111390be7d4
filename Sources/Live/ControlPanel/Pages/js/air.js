import { stream, get, patch, remove } from "./api.js";
import { h, s, say, set, replace, renew, keyed, toast, hex } from "./dom.js";
import { PacketStore, capacity, place as indexOf } from "./packets.js";

const channelCount = 40;
const canHover = matchMedia("(hover: hover)");
const kinds = { advertising: "#2f7de1", scan: "#8a63d2", connect: "#d1602f", data: "#2a9d57", control: "#c99700", empty: "#8b97a6" };

/** The view of the whole air: where devices are, and every packet. Returns a function that ends it. */
export function airView(place) {
  const ends = [];
  let devices = [];
  const store = new PacketStore(() => {
    // What was loaded says what time it is, too.
    newsTime = Math.max(newsTime, store.time);
    refresh();
  });
  let chosen = null;
  let follow = null;
  let windowLength = 1;
  // The right edge of the timeline, in seconds of the world.
  let now = 0;
  // What came last, and when. Batches come ten times a second; in between the timeline moves on by itself, a batch behind.
  let newsTime = 0, newsAt = 0;
  const batch = 0.1;
  const filter = { kinds: new Set(Object.keys(kinds)), device: "", isTrouble: false };

  // Map.
  const map = s("svg.map", { viewBox: "-20 -15 40 30", role: "group", "aria-label": "Map. Drag devices, or move the chosen one with the arrow keys." });
  const grid = s("g"), circles = s("g"), lines = s("g"), things = s("g");
  map.append(grid, circles, lines, things);
  // Half the map's width in metres. Until the user changes it, it shows all devices.
  let reach = 8;
  let isZoomed = false;
  const zoom = h("input", { type: "range", id: "zoom", min: 0.6, max: 3.3, step: 0.05, value: "0.9", "aria-label": "How much the map shows", oninput: () => { isZoomed = true; reach = 10 ** Number(zoom.value); draw(); } });
  const zoomText = h("output");

  function draw() {
    const isDragged = things.querySelector(".dragged");
    if (!isZoomed && !isDragged && devices.length) {
      const farthest = Math.max(4, ...devices.map((one) => Math.max(Math.abs(one.x), Math.abs(one.y) / 0.75))) * 1.25;
      if (farthest > reach || farthest < reach / 3) {
        reach = Math.min(2000, farthest);
        set(zoom, { value: String(Math.log10(reach)) });
      }
    }
    say(zoomText, `${reach < 10 ? (reach * 2).toFixed(1) : Math.round(reach * 2)} m wide`);
    map.setAttribute("viewBox", `${-reach} ${-reach * 0.75} ${reach * 2} ${reach * 1.5}`);
    rule();
    showPicked();
    const unit = reach / 20;
    const at = new Map(devices.map((device) => [device.device, device]));
    keyed(circles, devices.filter((device) => device.range), (device) => device.device, () => s("circle.range"),
      (circle, device) => set(circle, { cx: device.x, cy: device.y, r: device.range }));
    const links = devices.flatMap((device) => device.links.filter((other) => other > device.device && at.has(other)).map((other) => [device, at.get(other)]));
    keyed(lines, links, ([a, b]) => `${a.device}-${b.device}`, () => s("line.link"), (line, [a, b]) => set(line, { x1: a.x, y1: a.y, x2: b.x, y2: b.y }));
    keyed(things, devices, (device) => device.device, makeThing, (thing, device) => {
      if (!thing.isDragged) thing.setAttribute("transform", `translate(${device.x} ${device.y}) scale(${unit})`);
      const label = thing.lastElementChild;
      say(label, device.name);
      // Neighbours' names are kept apart.
      const isBelow = devices.indexOf(device) % 2 === 0;
      set(label, { y: isBelow ? 2.7 : -1.7 });
      thing.classList.toggle("picked", device.device === pickedDevice);
      thing.setAttribute("aria-label", `${device.name} at ${device.x.toFixed(1)}, ${device.y.toFixed(1)} metres`);
    });
  }

  // A grid of 1, 2 or 5 times a power of ten metres.
  let ruledFor = 0;
  function rule() {
    if (ruledFor === reach) return;
    ruledFor = reach;
    const rough = reach / 3, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
    const marks = [];
    for (let at = -Math.floor(reach / step) * step; at <= reach; at += step) {
      marks.push(s("line.ruled", { x1: at, x2: at, y1: -reach, y2: reach }), s("line.ruled", { y1: at, y2: at, x1: -reach, x2: reach }),
        s("text.ruler", { x: at + reach * 0.01, y: reach * 0.735, style: `font-size:${reach * 0.045}px;stroke-width:0` }, `${Math.round(at * 10) / 10} m`));
    }
    replace(grid, marks);
  }

  function makeThing(device) {
    const isFob = device.kind.startsWith("keyfob");
    const thing = s(`g.thing.${device.kind}`, { tabindex: 0, role: "button", "data-device": device.device },
      s("circle", { r: 2, fill: "transparent" }),
      isFob ? s("rect.dot", { x: -0.75, y: -1.1, width: 1.5, height: 2.2, rx: 0.7 }) : s("rect.dot", { x: -0.65, y: -1.1, width: 1.3, height: 2.2, rx: 0.25 }),
      isFob ? [s("circle", { cx: -0.3, cy: 0, r: 0.22, fill: "#fff" }), s("circle", { cx: 0.3, cy: 0, r: 0.22, fill: "#fff" })] : null,
      s("text", { x: 0, "text-anchor": "middle", style: "font-size:1.25px" }));
    let isBusy = false, waiting = null;
    const move = async (x, y) => {
      thing.setAttribute("transform", `translate(${x} ${y}) scale(${reach / 20})`);
      waiting = { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 };
      if (isBusy) return;
      isBusy = true;
      while (waiting) {
        const to = waiting;
        waiting = null;
        await patch(`/api/devices/${device.device}`, to).catch((error) => toast(error.message));
      }
      isBusy = false;
    };
    const where = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    thing.addEventListener("focus", () => { pickedDevice = device.device; draw(); });
    thing.addEventListener("pointerdown", (event) => {
      thing.focus({ preventScroll: true });
      thing.isDragged = true;
      thing.classList.add("dragged");
      thing.setPointerCapture(event.pointerId);
    });
    thing.addEventListener("pointermove", (event) => { if (thing.isDragged) { const to = where(event); move(to.x, to.y); } });
    for (const end of ["pointerup", "pointercancel"]) thing.addEventListener(end, () => { thing.isDragged = false; thing.classList.remove("dragged"); draw(); });
    thing.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      const one = devices.find((other) => other.device === device.device);
      const size = (event.shiftKey ? 10 : 1) * (reach / 20);
      one.x += step[0] * size;
      one.y += step[1] * size;
      move(one.x, one.y);
      draw();
    });
    return thing;
  }

  // The device that the user has clicked or tabbed to.
  let pickedDevice = null;
  const aboutDevice = h("div", { id: "picked", role: "status" });
  function showPicked() {
    const one = devices.find((device) => device.device === pickedDevice);
    const names = new Map(devices.map((device) => [device.device, device.name]));
    if (!renew(aboutDevice, one ?? null)) return;
    if (!one) return replace(aboutDevice, h("p.soft.small", "Click a device to see more of it."));
    replace(aboutDevice, h("div.row", h("strong", one.name), h("span.soft.small", [`${one.kind}, device ${one.device}`, `at ${one.x.toFixed(1)}, ${one.y.toFixed(1)} m`,
      one.range ? `heard ${Math.round(one.range)} m away` : null, one.links.length ? `connected with ${one.links.map((other) => names.get(other) ?? other).join(", ")}` : null].filter(Boolean).join(" · ")),
    h("span.push"), h("a.button.little", { href: `/api/captures/${one.device}/hci.btsnoop`, download: "" }, "HCI log"),
    h("button.little", { type: "button", id: "remove-device", onclick: () => remove(`/api/devices/${one.device}`).catch((error) => toast(error.message)) }, "Take away")));
  }

  // Timeline.
  const canvas = h("canvas.timeline", { id: "timeline", role: "img", tabindex: 0 });
  const pause = h("button.little", { type: "button", id: "pause", onclick: () => (store.isFrozen ? store.freeze(false) : hold()) }, "Pause");
  const lengths = h("select", { "aria-label": "Time window", onchange: () => { windowLength = Number(lengths.value); paint(); } },
    [[0.05, "50 ms"], [0.2, "200 ms"], [1, "1 s"], [5, "5 s"]].map(([value, text]) => h("option", { value, selected: value === 1 }, text)));
  const count = h("span.badge", { id: "rate", role: "status" });
  const skipped = h("span.badge.amber", { id: "skipped", role: "status", title: "The server had dropped them when they were asked for." });
  const loading = h("span.badge", { id: "loading" });
  const arrived = h("span.badge.blue", { id: "arrived" });
  const position = h("input", { type: "range", id: "position", min: 0, max: 0, step: "any", value: "0", "aria-label": "Position in the packets that are kept, in seconds of the world", oninput: () => {
    hold();
    now = Number(position.value);
    lastTable = 0;
    paint();
  } });
  const positionText = h("output.long");
  const troubles = ["collided", "damaged", "lost"].map((name) => [name, h("span.badge.red", { id: name })]);
  const followText = h("span.badge.blue");
  const unfollow = h("button.little", { type: "button", onclick: () => { follow = null; refresh(); } }, "Clear connection filter");
  const whose = h("select", { "aria-label": "Sender", onchange: () => { filter.device = whose.value; refresh(); } });
  const checks = Object.entries(kinds).map(([name, colour]) => h("label.small", h("input", { type: "checkbox", checked: true, "data-kind": name, onchange: (event) => {
    if (event.target.checked) filter.kinds.add(name); else filter.kinds.delete(name);
    refresh();
  } }), h("i", { style: `display:inline-block;width:.7rem;height:.7rem;border-radius:2px;background:${colour}` }), name));

  const trouble = h("label.small", h("input", { type: "checkbox", id: "trouble", onchange: (event) => { filter.isTrouble = event.target.checked; lastTable = 0; refresh(); } }), "Errors only");

  // Details.
  const rows = h("tbody");
  const details = h("div", h("p.empty", "Click a packet to see its fields and bytes."));

  place.append(h("div.air-view",
    h("section.card.stack", { "aria-label": "Map" }, h("header", h("h1", "Map")), map, aboutDevice, h("label.field", h("span", "Scale", zoomText), zoom),
      h("p.soft.small", "Drag devices about. Dashed circles: how far each is heard; zoom out to see them. Green lines: connections.")),
    h("section.card.stack", { "aria-label": "Timeline of packets" }, h("header", h("h2", "Packets"), followText, unfollow, h("span.push"), pause,
      h("a.button.little", { href: "/api/captures/air.pcapng", download: "air.pcapng" }, "Download pcapng")),
      h("div.row", lengths, whose, checks, trouble), canvas, h("label.field", h("span", "Position", positionText), position),
      h("div.counts", count, troubles.map(([, badge]) => badge), skipped, loading, arrived),
      h("p.soft.small", `One row per channel, 37 to 39 are for advertising. Red edge: two packets at once on a channel. Red cross: CRC error at a receiver, or lost: no peer received it. The keys ← and → go from packet to packet. The page keeps the latest ${capacity.toLocaleString("en")} packets, and loads what the server has of them.`)),
    h("section.card", { "aria-label": "Latest packets" }, h("header", h("h2", "Latest")),
      h("div.packets.scroll", { tabindex: 0, role: "region", "aria-label": "Latest packets" }, h("table", h("thead", h("tr", ["Time", "Ch", "From", "What"].map((name) => h("th", { scope: "col" }, name)))), rows))),
    h("section.card", { "aria-label": "Packet" }, h("header", h("h2", "Packet")), details)));

  const timeOf = (packet) => packet.time;
  // What passes the filter; found anew only when packets or the filter have changed.
  let visible = [], isStale = true;
  const passing = () => store.shown.filter((packet) => (!filter.isTrouble || packet.collided || packet.damaged || packet.lost) && filter.kinds.has(packet.kind) && (!filter.device || String(packet.device) === filter.device) && (follow === null || packet.access === follow));

  let frame = 0;
  let lastTable = 0, tableTimer = 0;
  // What has arrived is shown whole, and nothing after it.
  function hold() {
    if (store.isFrozen) return;
    now = newsTime;
    store.freeze(true);
  }

  const refresh = () => { isStale = true; paint(); };
  const paint = () => { if (!frame) frame = requestAnimationFrame(paintNow); };

  function paintNow(instant) {
    frame = 0;
    const since = (performance.now() - newsAt) / 1000;
    if (!store.isFrozen) {
      now = newsTime - batch + Math.min(batch, since);
      if (since < 2 * batch) paint();
    }
    if (isStale) {
      isStale = false;
      visible = passing();
      countTroubles();
    }
    paintTimeline();
    say(pause, store.isFrozen ? "Resume" : "Pause");
    followText.hidden = unfollow.hidden = follow === null;
    if (follow !== null) say(followText, `connection ${follow.toString(16).toUpperCase().padStart(8, "0")}`);
    // Text is for reading: three times a second is more than enough.
    if (instant - lastTable > 330) {
      lastTable = instant;
      showCounts();
      // Nothing moves away under the mouse.
      if (!canHover.matches || !rows.matches(":hover") || store.isFrozen) {
        const end = store.isFrozen ? indexOf(visible, now + 1e-9, timeOf) : visible.length;
        list(visible.slice(Math.max(0, end - 60), end).reverse());
      }
      for (const row of rows.children) row.setAttribute("aria-selected", String(row.dataset.key === String(chosen)));
    } else if (!frame) {
      tableTimer ||= setTimeout(() => {
        tableTimer = 0;
        paint();
      }, 330);
    }
  }

  function showCounts() {
    const kept = store.shown;
    say(count, `${indexOf(kept, now, timeOf) - indexOf(kept, now - 1, timeOf)} packets/s`);
    const badges = [[skipped, store.gone, "not shown"], [loading, store.missing, "to be loaded"], [arrived, store.isFrozen ? store.arrived.length : 0, "new"]];
    for (const [badge, number, what] of badges) {
      badge.hidden = number === 0;
      say(badge, `${number} ${what}`);
    }
    // At its left end the window begins with the oldest packet.
    const first = kept[0]?.time ?? now, last = Math.max(now, kept.at(-1)?.time ?? now);
    set(position, { min: Math.min(first + windowLength, last), max: last });
    if (!position.matches(":active")) set(position, { value: String(now) });
    say(positionText, `${now.toFixed(3)} s, of ${first.toFixed(1)} s to ${last.toFixed(1)} s`);
  }

  function list(latest) {
    const names = new Map(devices.map((device) => [device.device, device.name]));
    keyed(rows, latest, (packet) => packet.number, (packet) => h("tr", { "aria-selected": "false", onclick: () => open(packet.number) },
      h("td", packet.time.toFixed(4)), h("td", packet.channel), h("td", names.get(packet.device) ?? packet.device), h("td.wide", packet.text)));
  }

  function countTroubles() {
    const sums = troubles.map(([name, badge]) => {
      const sum = visible.reduce((sum, packet) => sum + (packet[name] ? 1 : 0), 0);
      say(badge, `${sum} ${name}`);
      canvas.dataset[name] = sum;
      return `${sum} ${name}`;
    });
    canvas.setAttribute("aria-label", `Timeline of ${visible.length} packets on 40 channels: ${sums.join(", ")}`);
    canvas.dataset.packets = visible.length;
  }

  let layout = null;
  function paintTimeline() {
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) { canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio); }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const margin = 26;
    const lane = height / channelCount;
    const left = now - windowLength;
    const x = (time) => margin + ((time - left) / windowLength) * (width - margin);
    const y = (channel) => (channelCount - 1 - channel) * lane;
    pen.fillStyle = getComputedStyle(canvas).color;
    pen.font = "10px system-ui, sans-serif";
    for (const channel of [0, 10, 20, 30, 37, 39]) pen.fillText(channel, 4, y(channel) + lane);
    pen.globalAlpha = 0.07;
    for (const channel of [37, 38, 39]) pen.fillRect(margin, y(channel), width - margin, lane);
    pen.globalAlpha = 1;
    layout = { x, lane, margin };
    for (let n = indexOf(visible, now, timeOf) - 1; n >= 0; n -= 1) {
      const packet = visible[n];
      if (packet.time + packet.length < left) break;
      const px = Math.max(margin, x(packet.time));
      const wide = Math.max(2, (packet.length / windowLength) * (width - margin));
      pen.fillStyle = kinds[packet.kind];
      pen.fillRect(px, y(packet.channel) + 0.5, wide, Math.max(2, lane - 1));
      if (packet.collided || packet.number === chosen) {
        pen.strokeStyle = packet.number === chosen ? getComputedStyle(canvas).color : "#e0342b";
        pen.lineWidth = 1.5;
        pen.strokeRect(px - 1, y(packet.channel), wide + 2, Math.max(3, lane));
      }
      if (packet.damaged || packet.lost) {
        pen.strokeStyle = "#e0342b";
        pen.lineWidth = 1.5;
        pen.beginPath();
        pen.moveTo(px, y(packet.channel)); pen.lineTo(px + Math.max(4, wide), y(packet.channel) + lane);
        pen.moveTo(px, y(packet.channel) + lane); pen.lineTo(px + Math.max(4, wide), y(packet.channel));
        pen.stroke();
      }
    }
  }

  canvas.addEventListener("click", (event) => {
    if (!layout) return;
    const box = canvas.getBoundingClientRect();
    const px = event.clientX - box.left, py = event.clientY - box.top;
    const channel = channelCount - 1 - Math.floor(py / layout.lane);
    let best = null, distance = 12;
    for (const packet of visible) {
      const a = layout.x(packet.time), b = layout.x(packet.time + packet.length);
      const away = Math.max(a - px, px - b, 0) + Math.abs(packet.channel - channel) * 3;
      if (away < distance) [best, distance] = [packet, away];
    }
    if (best) open(best.number);
  });
  canvas.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    const index = visible.findIndex((packet) => packet.number === chosen);
    const next = visible[index < 0 ? visible.length - 1 : index + move];
    if (next) {
      // It is in the window.
      if (next.time < now - windowLength || next.time + next.length > now) now = next.time + next.length + windowLength / 2;
      open(next.number);
    }
  });

  async function open(number) {
    chosen = number;
    hold();
    lastTable = 0;
    paint();
    let packet;
    try {
      packet = await get(`/api/air/packets/${number}`);
    } catch (error) {
      return replace(details, h("p.empty", error.message));
    }
    const names = new Map(devices.map((device) => [device.device, device.name]));
    const who = (list) => list.map((device) => names.get(device) ?? `device ${device}`).join(", ") || "no device";
    const tree = (fields) => h("ul", fields.map((field) => h("li", h("b", field.name), field.value ?? "", field.fields?.length ? tree(field.fields) : null)));
    const fields = tree(packet.fields);
    fields.classList.add("fields");
    replace(details,
      h("p", h("strong", packet.text)),
      h("dl.facts.small", h("dt", "Time"), h("dd", `${packet.time.toFixed(6)} s, for ${(packet.length * 1e6).toFixed(0)} µs`), h("dt", "Channel"), h("dd", `${packet.channel}, ${packet.phy}, sent with ${packet.power} dBm`),
        h("dt", "From"), h("dd", who([packet.device])), h("dt", "Received by"), h("dd", who(packet.receivers)), packet.damagedReceivers.length ? [h("dt", "CRC error at"), h("dd", who(packet.damagedReceivers))] : null,
        packet.lost ? [h("dt", "Lost"), h("dd", "no peer received it as it was sent; it will be sent again")] : null,
        packet.collided ? [h("dt", "Collision"), h("dd", "another packet was on this channel at the same time")] : null),
      fields, h("pre.bytes.mono", { tabindex: 0, "aria-label": "Bytes" }, lines16(packet.bytes)),
      packet.isData ? h("button.little", { type: "button", onclick: () => { follow = packet.access; store.freeze(false); refresh(); } }, "Follow this connection") : null);
  }

  const lines16 = (bytes) => bytes.match(/.{1,32}/g)?.map((line, n) => `${(n * 16).toString(16).padStart(4, "0")}  ${hex(line)}`).join("\n") ?? "";

  ends.push(stream.on("devices", (news) => {
    devices = news.devices;
    keyed(whose, [{ device: "", name: "All devices" }, ...devices], (one) => one.device, (one) => h("option", { value: String(one.device) }), (option, one) => say(option, one.name));
    draw();
    paint();
  }));
  ends.push(stream.on("air", (news) => {
    [newsTime, newsAt] = [news.time, performance.now()];
    store.receive(news);
  }));
  ends.push(stream.whenOpen(() => store.catchUp()));
  ends.push(() => store.end());
  const onTheme = () => paint();
  addEventListener("themechange", onTheme);
  const observer = new ResizeObserver(paint);
  observer.observe(canvas);
  draw();
  paint();
  return () => {
    ends.forEach((end) => end());
    observer.disconnect();
    removeEventListener("themechange", onTheme);
    cancelAnimationFrame(frame);
    clearTimeout(tableTimer);
  };
}
