import { stream, get, put, post, remove } from "./api.js";
import { h, say, set, replace, renew, keyed, toast, bars, hex, handleText } from "./dom.js";
import { Chart } from "./chart.js";
import { bytesOf, forms } from "./values.js";
import { ownCentral } from "./identity.js";
import { PairingDialog } from "./pairing.js";

/** The view of a central, which finds devices and connects to them. Returns a function that ends it. */
export function centralView(place) {
  const ends = [];
  let isOver = false;
  let central = null;
  let sightings = [];
  let time = 0;
  let databases = new Map();
  let charts = new Map();
  let values = new Map();
  // What this page has written, by the same keys.
  let written = new Map();
  let fobs = new Map();
  let id = null;
  const path = (rest) => `/api/centrals/${id}${rest}`;
  const order = (work) => work.catch((error) => toast(error.message));
  const ready = ownCentral().then((own) => (id = own));
  const pairing = new PairingDialog(path, order);

  // Scan list.
  const scan = h("button.first", { type: "button", id: "scan", onclick: () => order(ready.then(() => put(path("/scan"), { isOn: !central?.isScanning }))) }, "Scan");
  const filterName = h("input", { type: "search", placeholder: "Name, address, service or UUID", "aria-label": "Filter by name, address, service or UUID", id: "filter", oninput: () => showSightings() });
  const filterStrength = h("input", { type: "range", id: "strength", min: -100, max: -30, value: "-100", "aria-label": "Minimum RSSI in dBm", oninput: () => showSightings() });
  const strengthText = h("output");
  const list = h("ul.sightings", { id: "sightings" });
  const nobody = h("p.empty");
  const hints = {
    filtered: ["No device passes the filter."],
    silent: ["Press Scan to see who advertises."],
    listening: ["Listening …"],
    quiet: ["Listening … A key fob advertises for half a minute at a time: switch ", h("strong", "Advertise"), " on in the ", h("a", { href: "#device" }, "Device tab"), "."],
    connected: ["Listening … The key fob is connected to a central. It does not advertise until that connection ends."],
    off: ["Listening … The key fob is off: switch ", h("strong", "Power"), " or ", h("strong", "Bluetooth"), " on in the ", h("a", { href: "#device" }, "Device tab"), "."],
  };

  /** Why no key fob is heard, as far as their states say; the one that is nearest to being heard counts. */
  function silence() {
    const states = new Set([...fobs.values()].map((fob) => (!fob.isPowered ? "off" : fob.advertising.isOn ? "listening" : fob.connections.length ? "connected" : "quiet")));
    return ["listening", "quiet", "connected", "off"].find((state) => states.has(state)) ?? "listening";
  }

  // Connections.
  const connections = h("div.stack", { id: "connections" });
  const noConnection = h("p.empty", "Nothing is connected. Scan, then choose Connect on a device.");

  // Log.
  const logBody = h("tbody");
  const log = h("div.log.scroll", { tabindex: 0, role: "region", "aria-label": "Log of operations" },
    h("table", h("thead", h("tr", ["Time", "Duration", "Operation", "Attribute", "Result"].map((name) => h("th", { scope: "col" }, name)))), logBody));
  const download = h("a.button.little", { id: "hci", download: "", hidden: true }, "Download HCI log");
  const noLog = h("p.empty", "Every operation is listed here, with its time.");

  place.append(h("div.central-view",
    h("section.card", { "aria-label": "Scan results" },
      h("header", h("h1", "Scan results"), h("span.push"), scan),
      h("div.stack", { style: "gap:.6rem" }, filterName,
        h("label.field", h("span", "Minimum RSSI", strengthText), filterStrength), list, nobody)),
    h("div.stack",
      h("section.card", { "aria-label": "Connections" }, h("header", h("h2", "Connections")), connections, noConnection),
      h("section.card", { "aria-label": "Log" }, h("header", h("h2", "Log"), h("span.push"), download,
        h("button.little", { type: "button", onclick: () => replace(logBody) }, "Clear")), log, noLog))));

  function showSightings() {
    const words = filterName.value.trim().toLowerCase();
    const least = Number(filterStrength.value);
    say(strengthText, least <= -100 ? "any strength" : `${least} dBm`);
    const shown = sightings.filter((one) => (one.signalStrength ?? 0) >= least && (!words || one.search.includes(words)));
    keyed(list, shown, (one) => one.address, makeSighting, updateSighting);
    nobody.hidden = shown.length > 0;
    const state = sightings.length ? "filtered" : central?.isScanning ? silence() : "silent";
    if (renew(nobody, state)) replace(nobody, ...hints[state]);
  }

  function makeSighting(one) {
    const parts = {
      title: h("span"), strength: h("span"), sub: h("p.soft.small"), badges: h("div.row", { style: "gap:.3rem" }),
      fields: h("div"), connect: h("button.little", { type: "button", onclick: () => toggle(one.address) }),
    };
    const item = h("li.sighting", { "data-address": one.address },
      h("h3", parts.title, h("span.push"), parts.strength), parts.sub, parts.badges,
      h("div.row", { style: "margin-top:.4rem" }, parts.connect,
        h("details", { style: "flex:1 1 100%" }, h("summary", "Advertisement"), parts.fields)));
    item.parts = parts;
    return item;
  }

  function updateSighting(item, one) {
    const { parts } = item;
    say(parts.title, one.name ?? "(no name)");
    const strength = bars(one.signalStrength);
    if (parts.strength.dataset.value !== String(one.signalStrength)) {
      parts.strength.dataset.value = one.signalStrength;
      replace(parts.strength, strength, h("span.small.soft", ` ${one.signalStrength ?? "?"} dBm`));
    }
    const ago = Math.max(0, time - one.lastHeard);
    say(parts.sub, `${one.address}, ${ago < 2 ? "now" : `${Math.round(ago)} s ago`}${one.isConnectable ? "" : ", not connectable"}`);
    const contents = JSON.stringify([one.services, one.fields]);
    if (item.dataset.contents !== contents) {
      item.dataset.contents = contents;
      replace(parts.badges, one.services.map((service) => h("span.badge", service)));
      replace(parts.fields, h("table.small", h("tbody", one.fields.map((field) => h("tr", h("th", { scope: "row" }, field.name), h("td.wide", field.text, h("div.mono.soft", hex(field.bytes))))))));
    }
    const link = central?.connections.find((link) => link.address === one.address);
    say(parts.connect, link ? "Disconnect" : central?.connecting === one.address ? "Connecting …" : "Connect");
    set(parts.connect, { disabled: (!one.isConnectable && !link) || (!!central?.connecting && !link && central.connecting !== one.address) });
    item.classList.toggle("chosen", !!link);
  }

  // Links that this page ends itself; any other that goes is lost.
  const ending = new Set();
  function disconnect(address) {
    ending.add(address);
    return order(remove(path(`/connections/${address}`)));
  }

  function tellLosses(before, now) {
    const there = new Set(now.map((link) => link.address));
    for (const { address } of before) {
      if (there.has(address)) continue;
      if (!ending.delete(address)) toast(`The connection to ${nameOf(address)} is lost. The log has the reason.`);
    }
  }

  const nameOf = (address) => sightings.find((one) => one.address === address)?.name ?? address;

  async function toggle(address) {
    const link = central?.connections.find((link) => link.address === address);
    if (link || central?.connecting === address) return disconnect(address);
    ending.delete(address);
    await order((async () => {
      await post(path("/connections"), { address });
      await discover(address);
    })());
  }

  async function discover(address) {
    know(address, await post(path(`/connections/${address}/discover`)));
  }

  // What is known already stays as it is shown: it is asked for in two ways, and nothing shall jump under the mouse.
  function know(address, database) {
    if (JSON.stringify(databases.get(address)) !== JSON.stringify(database)) databases.set(address, database);
    showConnections();
  }

  function showConnections() {
    const links = central?.connections ?? [];
    noConnection.hidden = links.length > 0;
    keyed(connections, links, (link) => `${link.address} ${link.since}`, makeConnection, updateConnection);
    for (const link of links) {
      if (!databases.has(link.address) && link.isDiscovered) {
        databases.set(link.address, null);
        get(path(`/connections/${link.address}/database`)).then((database) => know(link.address, database)).catch(() => databases.delete(link.address));
      }
    }
    const there = new Set(links.map((link) => link.address));
    for (const address of [...databases.keys()]) if (!there.has(address)) databases.delete(address);
    pairing.show(links.find((link) => link.question));
  }

  function makeConnection(link) {
    const facts = h("p.soft.small");
    const services = h("div.services");
    const title = h("h3");
    const element = h("div", { "data-connection": link.address },
      h("div.row", title, h("span.push"),
        h("button.little", { type: "button", onclick: () => order(readAll(link.address)) }, "Read all"),
        h("button.little", { type: "button", onclick: () => order(discover(link.address)) }, "Discover again"),
        h("button.little", { type: "button", onclick: () => order(post(path(`/connections/${link.address}/pair`))) }, "Pair"),
        h("button.little", { type: "button", onclick: () => save(link.address) }, "Export JSON"),
        h("button.little", { type: "button", onclick: () => disconnect(link.address) }, "Disconnect")),
      facts, services);
    element.parts = { title, facts, services };
    return element;
  }

  function updateConnection(element, link) {
    const { title, facts, services } = element.parts;
    const known = sightings.find((one) => one.address === link.address)?.name;
    say(title, known ? `${known} (${link.address})` : link.address);
    say(facts, [`${link.interval} ms`, `latency ${link.latency}`, `ATT MTU ${link.mtu}`, link.isEncrypted ? `encrypted${link.isAuthenticated ? ", authenticated" : ""}` : "not encrypted",
      link.isBonded ? "bonded" : null, link.signalStrength === undefined ? null : `${link.signalStrength} dBm`].filter(Boolean).join(" · "));
    const database = databases.get(link.address);
    if (services.database !== database) {
      services.database = database;
      replace(services, database ? database.services.map((service) => serviceCard(link.address, service)) : h("p.empty", "Discovering services …"));
      for (const value of link.values ?? []) showValue(link.address, value);
    }
    showWritten(link);
    for (const button of services.querySelectorAll("button[data-subscribe]")) {
      const isOn = link.subscriptions.includes(Number(button.dataset.subscribe));
      button.classList.toggle("on", isOn);
      button.setAttribute("aria-pressed", String(isOn));
      say(button, isOn ? "Unsubscribe" : "Subscribe");
      if (isOn) chartOf(button.closest(".characteristic"));
    }
  }

  // What every device has is folded at first: one looks for what this one has.
  const ordinary = new Set(["1800", "1801", "180A"]);

  function serviceCard(address, service) {
    return h("details.service", { "data-service": service.uuid, open: !ordinary.has(service.uuid) },
      h("summary", h("h3", service.name), h("span.soft.small.mono", service.uuid), h("span.soft.small.push", `${service.characteristics.length === 1 ? "1 characteristic" : `${service.characteristics.length} characteristics`}, handles ${handleText(service.first)} to ${handleText(service.last)}`)),
      service.characteristics.map((one) => characteristicRow(address, one)));
  }

  const spoken = { writeWithoutResponse: "write without response" };

  function characteristicRow(address, one) {
    const at = `/connections/${address}/attributes/${one.handle}`;
    const can = (property) => one.properties.includes(property);
    const value = h("span.value", { "aria-live": "polite" });
    const raw = h("span.mono.soft.small");
    const origin = h("span.badge.amber.origin", { hidden: true });
    const problem = h("p.problem.small", { role: "alert" });
    const buttons = h("div.row.buttons");
    const label = one.descriptors.find((descriptor) => descriptor.uuid === "2901")?.text;
    const row = h("div.characteristic", { "data-handle": one.handle, "data-uuid": one.uuid },
      h("div.names", h("strong", one.name), label ? h("span.small", `“${label}”`) : null, h("span.soft.small.mono", `${one.uuid} · ${handleText(one.handle)}`), h("span.soft.small", one.properties.map((name) => spoken[name] ?? name).join(", "))), buttons,
      h("div.row.shown", value, raw, origin));
    if (can("read")) buttons.append(h("button.little", { type: "button", "aria-label": `Read ${one.name}`, onclick: () => attempt(row, "Read", () => read(address, one.handle)) }, "Read"));
    if (can("notify") || can("indicate")) {
      buttons.append(h("button.little", { type: "button", "data-subscribe": one.handle, "aria-pressed": "false", onclick: (event) => {
        const isOn = event.currentTarget.getAttribute("aria-pressed") !== "true";
        if (isOn) chartOf(row);
        attempt(row, isOn ? "Subscribe" : "Unsubscribe", () => put(path(`${at}/subscription`), { isOn }));
      } }, "Subscribe"));
    }
    if (can("write") || can("writeWithoutResponse")) {
      const text = h("input", { "aria-label": `Value for ${one.name}`, placeholder: "01", autocomplete: "off", spellcheck: "false" });
      const form = h("select", { "aria-label": `How the value for ${one.name} is written` }, forms.map(([name, label]) => h("option", { value: name }, label)));
      const write = (withResponse) => attempt(row, "Write", async () => {
        await put(path(at), { value: bytesOf(text.value, form.value), withResponse });
      });
      row.append(h("form.writer", { onsubmit: (event) => { event.preventDefault(); write(can("write")); } }, text, form,
        can("write") ? h("button.little", { type: "submit" }, "Write") : null,
        can("writeWithoutResponse") ? h("button.little", { type: can("write") ? "button" : "submit", onclick: (event) => { if (can("write")) { event.preventDefault(); write(false); } } }, "Write without response") : null));
    }
    // Below the buttons, which stay under the mouse.
    row.append(problem);
    if (one.descriptors.length) row.append(descriptorList(address, one));
    row.parts = { value, raw, origin, problem };
    const last = values.get(`${address} ${one.handle}`);
    if (last) queueMicrotask(() => showValue(address, last));
    return row;
  }

  /** Under a characteristic: what is said about its value, each part to be read again. */
  function descriptorList(address, one) {
    const count = one.descriptors.length;
    return h("details.descriptors", h("summary", count === 1 ? "1 descriptor" : `${count} descriptors`), one.descriptors.map((descriptor) => {
      const value = h("span.value.small", { "aria-live": "polite" });
      const raw = h("span.mono.soft.small");
      const problem = h("p.problem.small", { role: "alert" });
      const row = h("div.descriptor", { "data-handle": descriptor.handle, "data-descriptor": descriptor.uuid },
        h("span", descriptor.name), h("span.soft.small.mono", `${descriptor.uuid} · ${handleText(descriptor.handle)}`), value, raw, h("span.push"),
        h("button.little", { type: "button", "aria-label": `Read ${descriptor.name} of ${one.name}`, onclick: () => attempt(row, "Read", () => read(address, descriptor.handle)) }, "Read"), problem);
      row.parts = { value, raw, problem };
      if (descriptor.value !== undefined) fillIn(row, descriptor);
      return row;
    }));
  }

  async function read(address, handle) {
    showValue(address, { handle, ...(await get(path(`/connections/${address}/attributes/${handle}`))) });
  }

  async function readAll(address) {
    for (const service of databases.get(address)?.services ?? []) {
      for (const one of service.characteristics) {
        const readable = (one.properties.includes("read") ? [one] : []).concat(one.descriptors);
        for (const { handle } of readable) {
          const error = await attempt(rowOf(address, handle), "Read", () => read(address, handle));
          // What one attribute is refused says nothing about the next; a connection that is lost does.
          if (error && error.attError === undefined) return;
        }
      }
    }
    for (const service of connections.querySelectorAll(`[data-connection="${address}"] details.service`)) service.open = true;
  }

  const rowOf = (address, handle) => connections.querySelector(`[data-connection="${address}"] [data-handle="${handle}"]`);

  function showValue(address, sample) {
    values.set(`${address} ${sample.handle}`, sample);
    const row = rowOf(address, sample.handle);
    if (!row) return;
    showLatest(row, address, sample.handle);
    if (!sample.isPushed) return;
    if (sample.numbers?.length) {
      const chart = chartOf(row);
      chart.names = sample.numbers.map((_, n) => ["value", "y", "z"][n] ?? String(n));
      chart.add(sample.time, sample.numbers);
    } else {
      charts.get(row)?.canvas.setAttribute("hidden", "");
    }
  }

  /** What was written to a connection's attributes, as the panel remembers it. */
  function showWritten(link) {
    for (const key of [...written.keys()]) if (key.startsWith(link.address) && !link.written.some((one) => `${link.address} ${one.handle}` === key)) written.delete(key);
    for (const one of link.written) {
      const key = `${link.address} ${one.handle}`;
      written.set(key, one);
      const row = rowOf(link.address, one.handle);
      if (row) showLatest(row, link.address, one.handle);
    }
  }

  /** The value that came last: read, sent by the device, or written, which the device may have changed or refused since. */
  function showLatest(row, address, handle) {
    const read = values.get(`${address} ${handle}`), wrote = written.get(`${address} ${handle}`);
    const isWritten = !!wrote && !(read && read.time > wrote.time);
    if (!read && !wrote) return;
    fillIn(row, isWritten ? wrote : read);
    if (!row.parts.origin) return;
    row.parts.origin.hidden = !isWritten;
    if (isWritten) say(row.parts.origin, wrote.withResponse ? "written, not read" : "sent without response");
  }

  /** Does something with an attribute. Why it failed stands in its row until the next attempt; answers the error, if any. */
  async function attempt(row, what, work) {
    say(row.parts.problem, "");
    row.classList.remove("failed");
    try {
      await work();
    } catch (error) {
      // Without a code it was not sent.
      say(row.parts.problem, error.code ? `${what} failed: ${error.message}` : error.message);
      row.classList.add("failed");
      return error;
    }
  }

  /** There as soon as the user subscribes, so that nothing moves when the first value comes. */
  function chartOf(row) {
    if (!charts.has(row)) {
      const canvas = h("canvas.chart");
      row.parts.raw.parentElement.after(canvas);
      charts.set(row, new Chart(canvas, { seconds: 30 }));
    }
    return charts.get(row);
  }

  function fillIn(row, sample) {
    say(row.parts.value, sample.text ?? (sample.value ? hex(sample.value) : "(empty)"));
    const raw = sample.value ? hex(sample.value) : "";
    // A description is text and nothing else.
    say(row.parts.raw, raw === row.parts.value.textContent || row.dataset.descriptor === "2901" ? "" : raw);
  }

  async function save(address) {
    const database = databases.get(address) ?? (await get(path(`/connections/${address}/database`)));
    const own = (map) => [...map].filter(([key]) => key.startsWith(address)).map(([, value]) => value);
    const table = { ...database, written: own(written), values: own(values) };
    const link = h("a", { href: URL.createObjectURL(new Blob([JSON.stringify(table, null, 2)], { type: "application/json" })), download: `${address.replaceAll(":", "-")}.json` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  function addToLog(entries) {
    noLog.hidden = true;
    for (const entry of entries) {
      const took = entry.ended === undefined ? "…" : entry.ended > entry.began ? `${((entry.ended - entry.began) * 1000).toFixed(1)} ms` : "";
      const cells = [entry.began.toFixed(3), took, entry.kind, [entry.name ?? entry.uuid, entry.handle === undefined ? null : handleText(entry.handle)].filter(Boolean).join(" · ")].map((text) => h("td", text));
      const row = h(entry.hasFailed ? "tr.failed" : "tr", { "data-number": entry.number }, cells, h("td.wide", [entry.value ? hex(entry.value) : null, entry.text, entry.outcome].filter(Boolean).join("  ")));
      const old = logBody.querySelector(`tr[data-number="${entry.number}"]`);
      if (old) old.replaceWith(row);
      else logBody.prepend(row);
    }
    while (logBody.children.length > 500) logBody.lastElementChild.remove();
  }

  order((async () => {
    await ready;
    if (isOver) return;
    set(download, { href: `/api/captures/${id}/hci.btsnoop`, hidden: false });
    ends.push(stream.on(`central:${id}`, (news) => {
      tellLosses(central?.connections ?? [], news.connections);
      central = news;
      say(scan, news.isScanning ? "Stop" : "Scan");
      scan.classList.toggle("first", !news.isScanning);
      showSightings();
      showConnections();
    }));
    ends.push(stream.on(`sightings:${id}`, (news) => {
      time = news.time;
      sightings = news.sightings.map((one) => ({ ...one, search: [one.name, one.address, ...one.services, ...one.fields.map((field) => field.text)].join(" ").toLowerCase() }));
      showSightings();
    }));
    // Ages are true while nothing is heard, too.
    ends.push(stream.on("world", (world) => {
      time = world.time;
      showSightings();
    }));
    ends.push(stream.on("devices", (all) => {
      const there = new Set(all.devices.map((device) => device.device));
      for (const device of [...fobs.keys()]) if (!there.has(device)) fobs.delete(device);
      showSightings();
    }));
    ends.push(stream.on("fob", (fob) => {
      fobs.set(fob.device, fob);
      if (!nobody.hidden) showSightings();
    }));
    ends.push(stream.on(`values:${id}`, (news) => news.samples.forEach((sample) => showValue(sample.address, sample))));
    ends.push(stream.on(`log:${id}`, (news) => addToLog(news.entries)));
    showSightings();
  })());

  // When the panel is back it may be that of another world, which does not know this central.
  const onBack = () => get(path("")).catch((error) => { if (error.code === "no-such-central") dispatchEvent(new Event("renewview")); });
  addEventListener("panelback", onBack);
  // A page that the browser took back from its history has said that it leaves.
  const onShow = (event) => { if (event.persisted) onBack(); };
  addEventListener("pageshow", onShow);

  return () => {
    isOver = true;
    removeEventListener("panelback", onBack);
    removeEventListener("pageshow", onShow);
    ends.forEach((end) => end());
    charts.forEach((chart) => chart.end());
    pairing.end();
  };
}
