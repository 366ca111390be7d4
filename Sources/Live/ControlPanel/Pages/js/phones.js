import { stream, put, remove } from "./api.js";
import { h, say, set, keyed, replace, toast } from "./dom.js";

const places = { foreground: "on the screen", background: "in the background", suspended: "suspended", terminated: "ended by the system",
  "force-quit": "swiped away", "not-running": "not launched" };

/** The phones of a world: Bluetooth, the screen, and where each app is. Answers what ends it. */
export function phoneCards(place, whenCounted = () => {}) {
  const phones = new Map();
  const order = (work) => work.catch((error) => toast(error.message));
  const heading = h("h1", "Phones"), list = h("div.phones");
  place.append(heading, list);

  function make(phone) {
    const path = `/api/phones/${phone.device}`;
    const toggle = (name, what) => {
      const input = h("input", { type: "checkbox", role: "switch", "data-order": what, "aria-label": `${name} of ${phone.name}`,
        onchange: () => order(put(`${path}/${what}`, { isOn: input.checked })) });
      return { input, element: h("label.switch", input, h("span", name)) };
    };
    const power = toggle("Bluetooth", "power"), screen = toggle("Screen", "screen");
    const name = h("h2"), address = h("span.soft.mono"), where = h("span.soft.small"), apps = h("ul.apps"), links = h("p.soft.small");
    const card = h("section.card.phone", { "aria-label": phone.name, "data-device": phone.device },
      h("header", name, address, h("span.push"), where),
      h("div.row", power.element, screen.element, h("span.push"), h("button.little", { type: "button", onclick: () => order(remove(`/api/devices/${phone.device}`)) }, "Take away")),
      apps, links);
    card.update = (one) => {
      say(name, one.name);
      say(address, one.address ?? "");
      say(where, `at ${one.x.toFixed(1)}, ${one.y.toFixed(1)} m`);
      set(power.input, { checked: one.isPowered });
      set(screen.input, { checked: one.isScreenOn });
      card.classList.toggle("dark-screen", !one.isScreenOn);
      keyed(apps, one.apps, (app) => app.app, (app) => makeApp(path, one, app), (item, app) => {
        say(item.state, places[app.state]);
        for (const button of item.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.state === app.state));
      });
      replace(links, one.links.length ? ["Connected: ", one.links.map((link) => `${link.isCentral ? "to" : "from"} ${link.peer}${link.isEncrypted ? ", encrypted" : ""}`).join("; ")] : ["No connections"]);
    };
    return card;
  }

  function makeApp(path, phone, app) {
    const state = h("span.badge");
    const item = h("li.row", h("strong", app.name), state, h("span.push"),
      h("span.row.buttons", { role: "group", "aria-label": `Where ${app.name} of ${phone.name} is` },
        [["foreground", "Open"], ["background", "Background"], ["suspended", "Suspend"], ["force-quit", "Swipe away"]].map(([to, text]) =>
          h("button.little", { type: "button", "data-state": to, onclick: () => order(put(`${path}/apps/${app.app}`, { state: to })) }, text))));
    item.state = state;
    return item;
  }

  function update() {
    keyed(list, [...phones.values()], (phone) => phone.device, make, (card, phone) => card.update(phone));
    heading.hidden = phones.size === 0;
    whenCounted(phones.size);
  }

  const ends = [
    stream.on("phone", (one) => {
      phones.set(one.device, one);
      update();
    }),
    stream.on("devices", (all) => {
      const there = new Set(all.devices.map((device) => device.device));
      for (const device of [...phones.keys()]) if (!there.has(device)) phones.delete(device);
      update();
    }),
  ];
  return () => ends.forEach((end) => end());
}
