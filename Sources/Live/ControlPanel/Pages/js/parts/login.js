// The workstation login: what desks and phones show, and what people do with them.

export function mount(place, panel) {
  const { h, say, set, replace, keyed, toast } = panel.dom;
  panel.style();
  const order = (work) => work.catch((error) => toast(error.message));
  const empty = h("p.empty", "There are no desks and no phones in this world.");
  const desks = h("div.login-desks"), phones = h("div.login-phones");
  const deskTitle = h("h2", "Desks"), phoneTitle = h("h2", "Phones"), sum = h("p.soft", { role: "status" });
  const report = h("div.card.small", { role: "status", "aria-label": "The day so far" });
  place.append(h("div.stack", h("header.row", h("h1", panel.title), sum), report, empty, deskTitle, desks, phoneTitle, phones));

  function makeDesk(desk) {
    const act = (action, rest = {}) => order(panel.post(`/desks/${desk.device}/actions`, { action, ...rest }));
    const digits = h("span.desk-digits"), name = h("h3"), code = h("p.desk-code"), session = h("p.desk-session", { role: "status" }), notice = h("p.small.amber-text");
    const lock = h("button.little", { type: "button", onclick: () => act("lock") }, "Lock"), end = h("button.little", { type: "button", onclick: () => act("end-session") }, "Log out");
    const qr = h("img", { alt: `QR code of desk ${desk.identifier}`, width: 120, height: 120 });
    const typed = (label, type) => h("input", { type, "aria-label": `${label}, at desk ${desk.identifier}`, placeholder: label, autocomplete: "off" });
    const user = typed("User", "text"), password = typed("Password", "password");
    const local = h("details.small", h("summary", "Log in without a phone"), h("div.stack", h("form.row", { onsubmit: (event) => {
      event.preventDefault();
      act("log-in", { user: user.value, password: password.value });
      password.value = "";
    } }, user, password, h("button.little", { type: "submit" }, "Log in")), qr));
    const card = h("section.card.desk", { "aria-label": `Desk ${desk.identifier}`, "data-device": desk.device },
      h("header", name, h("span.push"), digits), h("div.monitor", code, session, notice), h("div.row", lock, end), local);
    card.update = (one) => {
      say(name, one.name);
      say(digits, one.identifier);
      card.classList.toggle("taken", !!one.user);
      code.hidden = !one.code;
      say(code, one.code ? `Code ${one.code}` : "");
      say(session, one.user ? (one.isLocked ? `${one.user}: locked` : `${one.user} is logged in`) : one.isAdvertising ? "Nobody is logged in" : "Cannot be found");
      notice.hidden = !one.notice;
      say(notice, one.notice ?? "");
      set(lock, { disabled: !one.user || one.isLocked });
      set(end, { disabled: !one.user });
      qr.hidden = !one.qrCode;
      const source = `data:image/svg+xml,${encodeURIComponent(one.qrCode ?? "")}`;
      if (qr.src !== source) qr.src = source;
    };
    return card;
  }

  function makePhone(phone) {
    const act = (action, rest = {}) => order(panel.post(`/phones/${phone.device}/actions`, { action, ...rest }));
    const name = h("h3"), badge = h("span.badge"), notice = h("p.small.amber-text", { role: "status" }), page = h("div.phone-page.stack"), registry = h("p.soft.small");
    const card = h("section.card.login-phone", { "aria-label": phone.name, "data-device": phone.device }, h("header", name, badge), page, notice, registry);

    const field = (label, type = "text") => h("input", { type, "aria-label": `${label}, on ${phone.name}`, placeholder: label, autocomplete: "off" });
    const form = (fields, text, send) => h("form.row", { onsubmit: (event) => {
      event.preventDefault();
      send(...fields.map((one) => one.value));
    } }, fields, h("button.little.first", { type: "submit" }, text));
    const button = (text, action, rest) => h("button.little", { type: "button", onclick: () => act(action, rest) }, text);
    const fault = (one) => (one.fault ? h("p.small.red-text", { role: "alert" }, one.fault) : null);

    const settings = (one) => h("details.small", h("summary", "Settings"), h("div.stack",
      form([field(one.hasPIN ? "New PIN, or nothing for none" : "PIN, 4 to 12 digits", "password")], one.hasPIN ? "Change the PIN" : "Set a PIN", (pin) => act("set-pin", { pin })),
      h("label.row", h("span", "Walking away"), h("select", { "aria-label": `Walking away, on ${phone.name}`, onchange: (event) => act("away", { way: event.target.value }) },
        [["nothing", "does nothing"], ["lock", "locks the desk"], ["end", "ends the session"]].map(([value, text]) => h("option", { value, selected: one.away === value }, text)))),
      h("label.switch", h("input", { type: "checkbox", role: "switch", checked: one.near, "aria-label": `Log in by coming near, on ${phone.name}`, onchange: (event) => act("near", { way: event.target.checked ? "on" : "off" }) }), h("span", "Log in by coming near"))));

    const pages = {
      locked: (one) => [h("p", `Locked: ${one.triesLeft} ${one.triesLeft === 1 ? "try" : "tries"} left.`), form([field("PIN", "password")], "Unlock", (pin) => act("unlock", { pin }))],
      start: (one) => [form([field("Desk, four digits")], "Log in", (desk) => act("choose", { desk })),
        one.buttons.length ? h("div.row", one.buttons.map((desk) => button(`Desk ${desk}`, "choose", { desk }))) : h("p.soft.small", "No desk was used yet."),
        h("div.row", button("Look again", "rescan"), one.hasPIN ? button("Lock", "lock") : null, button("Forget password", "forget-credentials")), settings(one)],
      searching: (one) => [h("p", `Looking for desk ${one.desk} …`), button("Cancel", "cancel")],
      "not-found": (one) => [h("p", `Desk ${one.desk} is not near.`), h("div.row", button("Try again", "choose", { desk: one.desk }), button("Back", "cancel"))],
      credentials: (one) => [h("p", `Who are you, for desk ${one.desk}?`), fault(one), form([field("User"), field("Password", "password")], "Log in", (user, password) => act("submit", { user, password })), button("Cancel", "cancel")],
      connecting: (one) => [h("p", `Connecting to desk ${one.desk} …`), button("Cancel", "cancel")],
      code: (one) => [h("p", `Type the ${one.codeDigits === 12 ? "twelve" : "six"} digits that desk ${one.desk} shows.`), fault(one), form([field(one.codeDigits === 12 ? "Twelve digits" : "Six digits")], "That is my desk", (code) => act("code", { code })), button("Cancel", "cancel")],
      "other-key": (one) => [h("p.red-text", { role: "alert" }, `Somebody has the digits of desk ${one.desk}, and not its key. Nothing was sent.`), h("div.row", button("Back", "cancel"), button("It was replaced: trust it anew", "trust-anew"))],
      connected: (one) => [h("p.logged-in", `${one.user} at desk ${one.desk}${one.isDeskLocked ? ", locked" : ""}`), one.asksToEnd
        ? h("div.row", h("span", "End the session?"), button("End it", "confirm-end"), button("No", "cancel"))
        : h("div.row", one.isDeskLocked ? button("Unlock the desk", "unlock-desk") : button("Lock the desk", "lock-desk"), button("Log out", "ask-to-end"))],
    };

    // A page is made anew only when it is another one: what is being typed stays.
    let shown = "";
    card.update = (one) => {
      say(name, one.name);
      say(badge, one.isBluetoothOn ? (one.isScanning ? "looking for desks" : "ready") : "Bluetooth is off");
      badge.className = `badge ${one.page === "connected" ? "green" : ""}`;
      const sign = JSON.stringify([one.page, one.desk, one.fault, one.user, one.isDeskLocked, one.asksToEnd, one.buttons, one.hasPIN, one.triesLeft, one.away, one.near]);
      if (sign !== shown) {
        shown = sign;
        replace(page, pages[one.page]?.(one) ?? []);
      }
      notice.hidden = !one.notice;
      say(notice, one.notice ?? "");
      say(registry, one.registry.length ? `Near: ${one.registry.slice(0, 12).join(", ")}${one.registry.length > 12 ? ` and ${one.registry.length - 12} more` : ""}` : "No desk is near.");
    };
    return card;
  }

  panel.onState((state) => {
    const count = state.desks.filter((desk) => desk.user).length;
    say(sum, state.desks.length ? `${count} of ${state.desks.length} desks are in use` : "");
    report.hidden = state.report.length === 0;
    replace(report, state.report.map((line) => h("p", line)));
    empty.hidden = state.desks.length + state.phones.length > 0;
    deskTitle.hidden = state.desks.length === 0;
    phoneTitle.hidden = state.phones.length === 0;
    keyed(desks, state.desks, (desk) => desk.device, makeDesk, (card, desk) => card.update(desk));
    keyed(phones, state.phones, (phone) => phone.device, makePhone, (card, phone) => card.update(phone));
  });
}
