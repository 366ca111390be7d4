// The text sample: a server's screen and a client's, each a log with buttons.

export function mount(place, panel) {
  const { h, say, set, keyed, toast } = panel.dom;
  panel.style();
  const order = (work) => work.catch((error) => toast(error.message));
  const empty = h("p.empty", "Nobody in this world sends texts.");
  const screens = h("div.text-screens");
  place.append(h("div.stack", h("h1", panel.title), empty, screens));

  function make(end) {
    const press = (action) => order(panel.post(`/ends/${end.device}/actions`, { action }));
    const button = (text, action) => h("button.little", { type: "button", "data-action": action, onclick: () => press(action) }, text);
    const isServer = end.role === "server";
    const name = h("h2"), mode = h("span.badge"), status = h("p.soft.small", { role: "status" });
    const advertise = h("input", { type: "checkbox", role: "switch", "aria-label": `Advertising of ${end.name}`, onchange: () => press(advertise.checked ? "advertise" : "stop-advertising") });
    const search = button("Search", "search"), connect = button("Connect", "connect"), leave = button("Disconnect", "disconnect");
    const log = h("div.text-log.mono", { tabindex: 0, role: "log", "aria-label": `Log of ${end.name}` });
    const input = h("input", { "aria-label": `Text to send from ${end.name}`, placeholder: "Text" });
    const meter = h("progress", { max: 1, "aria-label": `Sending from ${end.name}` }), progress = h("span.soft.small");
    const card = h("section.card.text-screen", { "aria-label": end.name, "data-device": end.device },
      h("header", name, mode, h("span.push"), isServer ? h("label.switch.small", advertise, h("span", "Advertising")) : h("span.row", search, connect, leave)),
      status, log,
      h("form.row.text-form", { onsubmit: (event) => {
        event.preventDefault();
        if (input.value) order(panel.post(`/ends/${end.device}/text`, { text: input.value }).then(() => (input.value = "")));
      } }, input, h("button.little.first", { type: "submit" }, "Send")),
      h("div.row", button("Send long text", "send-long-text"), button("Clear", "clear"), h("span.push"), progress), meter);
    let shownCount = -1;
    card.update = (one) => {
      say(name, `${isServer ? "GATT Server" : "GATT Client"} on ${one.name}`);
      mode.hidden = !one.mode;
      say(mode, one.mode === "framed" ? "framed mode" : "packets without header");
      set(advertise, { checked: one.isAdvertising, disabled: !one.isBluetoothOn });
      set(search, { disabled: !one.isBluetoothOn || one.isConnected });
      set(connect, { disabled: !one.found || one.isConnected });
      set(leave, { disabled: !one.isConnected });
      say(status, !one.isBluetoothOn ? "Bluetooth is off" : isServer
        ? `${one.rawReaders + one.framedReaders} subscribed${one.framedReaders ? `, ${one.framedReaders} in the framed mode` : ""}`
        : one.isConnected ? `Connected to ${one.found}` : one.isScanning ? "Searching …" : one.found ? `Found ${one.found}` : "Nobody was found yet");
      if (shownCount !== one.lineCount || log.childElementCount !== one.lines.length) {
        const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 30;
        const first = one.lineCount - one.lines.length;
        keyed(log, one.lines.map((line, n) => [first + n, line]), ([n]) => n, () => h("div"), (item, [, line]) => say(item, line));
        if (isAtEnd || shownCount < 0) log.scrollTop = log.scrollHeight;
        shownCount = one.lineCount;
      }
      meter.hidden = one.total === undefined;
      set(meter, { value: String((one.sent ?? 0) / Math.max(1, one.total ?? 1)) });
      say(progress, one.total === undefined ? "" : `${one.sent} of ${one.total} bytes${one.waiting ? `, ${one.waiting} more waiting` : ""}`);
    };
    return card;
  }

  panel.onState((state) => {
    empty.hidden = state.ends.length > 0;
    keyed(screens, state.ends, (end) => end.device, make, (card, end) => card.update(end));
  });
}
