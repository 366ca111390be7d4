import { stream, put, post, patch, remove } from "./api.js";
import { h, say, set, replace, renew, toast, bars } from "./dom.js";
import { fobPicture } from "./fob.js";
import { fobCards } from "./fobcards.js";
import { Chart, colours } from "./chart.js";
import { sound } from "./sound.js";
import { phoneCards } from "./phones.js";

let chosen = Number(sessionStorage.getItem("device")) || null;
let isMuted = localStorage.getItem("muted") === "yes";

/** The view in which one presses the fob's keys. Answers what ends it. */
export function deviceView(place) {
  const ends = [];
  let fobs = new Map();
  let shown = null;
  // Whether it is known which devices there are.
  let isKnown = false;

  const order = (work) => work.catch((error) => {
    toast(error.message);
    // Switches that were not obeyed go back.
    update();
  });
  const path = (rest = "") => `/api/devices/${shown}${rest}`;

  const add = (kind) => order(post("/api/devices", { kind, x: 1 + fobs.size, y: 0 }).then((one) => choose(one.device)));
  const addFob = h("button.little", { type: "button", id: "add", onclick: () => add("keyfob") }, "+ Add a key fob");
  const addPhone = h("button.little", { type: "button", id: "add-phone", onclick: () => add("keyfob-phone") }, "+ Add a phone");
  const takeAway = h("button.little", { type: "button", id: "take-away", disabled: true, onclick: () => {
    // A second click would take the next one.
    takeAway.disabled = true;
    order(remove(path())).then(update);
  } }, "Remove");
  const empty = h("p.empty", "Loading …");

  // Orders that come faster than they are carried out: the latest counts.
  const latest = () => {
    let waiting = null, isBusy = false;
    return async function send(work) {
      waiting = work;
      if (isBusy) return;
      isBusy = true;
      while (waiting) {
        const next = waiting;
        waiting = null;
        await order(next());
      }
      isBusy = false;
    };
  };

  let keyQueue = Promise.resolve();
  let isEnding = false;
  const sendTilt = latest();
  const sendBattery = latest();
  const sendPlace = latest();

  // Each change counts, in its order.
  const press = (device, keys) => {
    const to = `/api/devices/${device}/keys`;
    if (isEnding) put(to, keys, true).catch(() => {});
    else keyQueue = keyQueue.then(() => order(put(to, keys)));
  };
  const cards = fobCards({ choose: (device) => choose(device), press });
  const fob = fobPicture({
    press: (keys) => press(shown, keys),
    tilt: (tilt) => { const to = path("/tilt"); sendTilt(() => put(to, tilt)); },
  });

  const state = h("p.state", { id: "state", role: "status" });
  const mute = h("button.quiet.little", { type: "button", id: "mute", onclick: () => {
    isMuted = !isMuted;
    localStorage.setItem("muted", isMuted ? "yes" : "no");
    update();
  } });
  const toneLabel = h("span.badge", { id: "tone", role: "status" });
  const advertise = h("input", { type: "checkbox", id: "advertise", role: "switch", onchange: () => order(put(path("/advertising"), { isOn: advertise.checked })) });
  const advertiseHint = h("p.soft.small", { id: "advertise-hint" });
  const battery = h("input.battery", { type: "range", min: 0, max: 100, step: 1, id: "battery", "aria-label": "Battery level in percent", oninput: () => {
    const to = path("/battery"), percent = Number(battery.value);
    showBattery(percent);
    sendBattery(() => put(to, { percent }));
  } });
  const batteryText = h("span", { id: "battery-text" });
  const measured = h("output", { id: "battery-measured" });
  const batteryHint = h("p.soft.small");
  const showBattery = (percent) => {
    say(batteryText, `Battery Level: ${percent}`);
    battery.style.setProperty("--level", `${percent}%`);
  };
  const distance = h("input", { type: "range", min: 0, max: 100, step: 1, id: "distance", "aria-label": "Distance in metres", oninput: () => {
    const to = path(), x = metres(Number(distance.value));
    say(distanceText, inMetres(x));
    sendPlace(() => patch(to, { x, y: 0 }));
  } });
  const distanceText = h("output", { id: "distance-text" });
  const transmitPower = h("span", { id: "transmit-power" });
  const power = h("input", { type: "checkbox", id: "power", role: "switch", onchange: () => order(put(path("/power"), { isOn: power.checked })) });
  const powerLabel = h("span");
  const axes = ["x", "y", "z"].map((axis) => {
    const slider = h("input", { type: "range", min: -1, max: 1, step: 0.01, id: `tilt-${axis}`, "aria-label": `Acceleration along ${axis} in g`, oninput: () => {
      const to = path("/tilt");
      const tilt = Object.fromEntries(axes.map((a) => [a.axis, Number(a.slider.value)]));
      sendTilt(() => put(to, tilt));
    } });
    const text = h("output");
    return { axis, slider, text, element: h("label.field", h("span", axis.toUpperCase(), text), slider) };
  });
  const canvas = h("canvas.chart", { id: "acceleration" });
  const chart = new Chart(canvas, { names: ["X", "Y", "Z"], range: [-128, 127], seconds: 15 });
  const chartHint = h("p.soft.small");
  const peers = h("div", { id: "peers" });
  const facts = h("dl.facts.small");
  const download = h("a.button.little", { id: "hci", download: "" }, "Download HCI log");

  const body = h("div.device-view",
    h("div.stack",
      h("section.card.fob-card", { "aria-label": "Key fob" },
        h("header", h("h1", { id: "fob-name" }), h("span.push"), toneLabel, mute),
        h("div.fob-stage", fob.element),
        state,
        h("p.soft.small.key-hint", "Hold the keys with the mouse, a finger, or ", h("kbd", "L"), " and ", h("kbd", "R"), " of the keyboard. Drag the fob to tilt it.")),
      h("section.card", { "aria-label": "Connections" }, h("header", h("h2", "Connections")), peers)),
    h("div.stack",
      h("section.card.stack", { "aria-label": "Controls" },
        h("div.row.switches", h("label.switch", advertise, h("span", { id: "advertise-label" }, "Advertise")), h("label.switch", power, powerLabel), h("span.push"), transmitPower),
        advertiseHint,
        h("div.field", h("label.field", h("span", batteryText, measured), battery), batteryHint),
        h("label.field", h("span", "Distance to other devices", distanceText), distance),
        h("p.soft.small", "Far enough away the link is lost: drag it beyond 100 m, and back.")),
      h("section.card", { "aria-label": "Accelerometer" },
        h("header", h("h2", "Accelerometer"), h("span.badge.push", { id: "accelerometer-state" })),
        canvas,
        h("div.legend", ["X", "Y", "Z"].map((name, n) => h("span", h("i", { style: `background:${colours[n]}` }), name)), chartHint),
        h("div.axes", axes.map((axis) => axis.element))),
      h("section.card", { "aria-label": "About this device" }, h("header", h("h2", "About"), h("span.push"), download), facts)),
  );
  const phones = h("div");
  place.append(h("div.device-bar", cards.element, h("span.push"), takeAway, addFob, addPhone), empty, body, phones);
  body.hidden = true;
  let phoneCount = 0;
  let others = [];
  ends.push(phoneCards(phones, (count) => {
    phoneCount = count;
    update();
  }));

  function update() {
    const one = fobs.get(chosen) ?? fobs.values().next().value;
    body.hidden = !one;
    empty.hidden = !!one || phoneCount > 0;
    takeAway.hidden = isKnown && !one;
    takeAway.disabled = !one;
    cards.update([...fobs.values()].sort((a, b) => a.device - b.device), one?.device);
    if (!one) {
      shown = null;
      say(empty, !isKnown ? "Loading …"
        : others.length ? `There is no key fob in this world, but ${others.map((device) => device.name).join(", ")}.` : "There is no key fob in this world. Add one above.");
      return sound([]);
    }
    if (shown !== one.device) {
      fob.letGo();
      shown = one.device;
    }
    say(document.getElementById("fob-name"), one.name);
    fob.update(one);
    say(state, one.label.text);
    state.className = `state ${one.label.colour}`;
    say(mute, isMuted ? "Unmute" : "Mute");
    mute.setAttribute("aria-pressed", String(isMuted));
    toneLabel.hidden = one.tones.length === 0 && one.alert === "none";
    say(toneLabel, one.tones.length ? `♪ ${one.tones.join(" and ")} Hz` : `alert: ${one.alert}`);
    // The phone's app says when an alarm begins and ends, TI's board when each beep does.
    sound(isMuted ? [] : one.tones, one.kind === "keyfob-phone");
    set(advertise, { checked: one.advertising.isOn, disabled: !one.advertising.isEnabled, "aria-describedby": "advertise-hint" });
    say(advertiseHint, one.advertising.isEnabled ? "" : !one.isPowered ? "Advertise cannot be switched while the device is off."
      : one.connections.length ? "Advertise cannot be switched while a central is connected." : "Advertise cannot be switched now.");
    if (!battery.matches(":active")) set(battery, { value: String(one.battery) });
    if (!battery.matches(":active")) showBattery(one.battery);
    if (!distance.matches(":active")) set(distance, { value: String(Math.round(step(Math.hypot(one.x, one.y)))) });
    say(distanceText, inMetres(Math.hypot(one.x, one.y)));
    const isBoard = one.kind === "keyfob";
    say(measured, isBoard ? `measured: ${one.reportedBattery} %` : "");
    say(batteryHint, isBoard ? "The board measures every 10 s and when a central reads. Its level only goes down, until power returns."
      : "Each move is notified at once to whoever subscribed.");
    say(transmitPower, `Transmit Power= ${one.transmitPower} dBm`);
    set(power, { checked: one.isPowered });
    say(powerLabel, isBoard ? "Power" : "Bluetooth");
    set(download, { href: `/api/captures/${one.device}/hci.btsnoop` });
    for (const { axis, slider, text } of axes) {
      if (!slider.matches(":active")) set(slider, { value: String(one.tilt[axis]) });
      say(text, `${one.tilt[axis].toFixed(2)} g`);
    }
    const isSensing = one.accelerometer.isEnabled;
    const badge = document.getElementById("accelerometer-state");
    say(badge, isSensing ? "on" : "off");
    badge.className = `badge push ${isSensing ? "green" : ""}`;
    say(chartHint, isSensing ? "As sent, in counts." : "Off until a central writes 01 to Accelerometer Enable (FFA1).");
    if (isSensing) chart.add(one.time, [one.accelerometer.x, one.accelerometer.y, one.accelerometer.z]);
    if (!renew(peers, one.connections)) {
      // Nothing has changed.
    } else if (one.connections.length === 0) {
      replace(peers, h("p.empty", "No central is connected. Scan with ", h("code", "bluethroat scan"), " or open the ", h("a", { href: "#central" }, "Central tab"), "."));
    } else {
      replace(peers, one.connections.map((peer) => h("dl.facts.small.peer",
        h("dt", "Peer"), h("dd", h("span.mono", peer.peer), " ", peer.signalStrength === undefined ? null : bars(peer.signalStrength)),
        h("dt", "Link"), h("dd", `${peer.interval} ms, latency ${peer.latency}, ${peer.isEncrypted ? "encrypted" : "not encrypted"}${peer.signalStrength === undefined ? "" : `, ${peer.signalStrength} dBm`}`),
        h("dt", "Subscribed to"), h("dd", peer.subscriptions.length ? peer.subscriptions.join(", ") : "nothing yet"))));
    }
    if (renew(facts, [one.kind, one.address, one.device])) replace(facts, ...[["Kind", one.kind === "keyfob" ? "TI CC2540 key fob (hardware)" : "Key fob simulator on a phone"], ["Address", one.address ?? "not known yet"], ["Device", `number ${one.device}, at /api/devices/${one.device}`]]
      .flatMap(([name, value]) => [h("dt", name), h("dd.mono", value)]));
  }

  function choose(device) {
    chosen = device;
    sessionStorage.setItem("device", device);
    update();
  }

  ends.push(stream.on("fob", (one) => {
    fobs.set(one.device, one);
    update();
  }));
  ends.push(stream.on("devices", (all) => {
    isKnown = true;
    const there = new Set(all.devices.map((device) => device.device));
    for (const device of [...fobs.keys()]) if (!there.has(device)) fobs.delete(device);
    others = all.devices.filter((device) => ["phone", "device"].includes(device.kind));
    update();
  }));

  // L and R of the keyboard.
  const sides = { KeyL: "left", KeyR: "right" };
  const isTyping = (event) => event.target.matches?.("input:not([type=range]):not([type=checkbox]), select, textarea");
  const onDown = (event) => {
    const side = sides[event.code];
    if (!side || shown === null || event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    fob.hold(side, event.code, true);
  };
  const onUp = (event) => { if (sides[event.code]) fob.hold(sides[event.code], event.code, false); };
  const letGo = () => {
    fob.letGo();
    cards.letGo();
  };
  const onBlur = () => letGo();
  // A page that goes lets go of what it holds, and has no time to wait for its turn.
  const onEnd = () => {
    isEnding = true;
    letGo();
  };
  addEventListener("pagehide", onEnd);
  addEventListener("keydown", onDown);
  addEventListener("keyup", onUp);
  addEventListener("blur", onBlur);
  ends.push(() => {
    removeEventListener("pagehide", onEnd);
    removeEventListener("keydown", onDown);
    removeEventListener("keyup", onUp);
    removeEventListener("blur", onBlur);
    letGo();
    chart.end();
    sound([]);
  });
  return () => ends.forEach((end) => end());
}

// The slider is fine near by and coarse far away: 0.1 m to 1 km.
const metres = (step) => Math.round(10 ** (step / 25 - 1) * 10) / 10;
const step = (metres) => (metres <= 0.1 ? 0 : Math.min(100, (Math.log10(metres) + 1) * 25));
const inMetres = (metres) => (metres >= 10 ? `${Math.round(metres)} m` : `${metres.toFixed(1)} m`);
