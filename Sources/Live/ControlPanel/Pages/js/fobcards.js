// Several key fobs beside each other: a card for each, with keys of its own.
import { h, say, keyed } from "./dom.js";
import { SIDES, heldKeys } from "./keys.js";

/**
 * `choose(device)` is called with the fob that is to be shown as a whole, `press(device, { left, right })` with each change of
 * a fob's keys.
 */
export function fobCards({ choose, press }) {
  const element = h("div.device-tabs", { role: "group", "aria-label": "Devices" });
  // The keys of each fob on its card.
  const held = new Map();

  function card({ device }) {
    const showKey = (side, isDown) => keys[side].setAttribute("aria-pressed", String(isDown));
    // A card that is gone presses nothing any more.
    const own = heldKeys({ show: showKey, press: (now) => { if (held.get(device) === own) press(device, now); } });
    held.set(device, own);
    const name = h("button.choose.little", { type: "button", onclick: () => choose(device) });
    const lamps = Object.fromEntries(["left", "alert", "right"].map((lamp) => [lamp, h(`i.lamp.${lamp}`)]));
    const address = h("span.mono.small.soft"), state = h("span.card-state.small");
    const keys = Object.fromEntries(SIDES.map((side) => {
      const key = h("button.little", { type: "button", "data-card-key": side }, side);
      own.listen(key, side);
      return [side, key];
    }));
    const tab = h("div.fob-tab",
      h("div.row", name, h("span.lamps.push", { "aria-hidden": "true" }, Object.values(lamps))),
      address, state,
      h("div.row", Object.values(keys)));
    tab.renew = (one, isShown) => {
      say(name, one.name);
      name.setAttribute("aria-pressed", String(isShown));
      tab.classList.toggle("shown", isShown);
      say(address, one.address ?? "");
      const isSounding = one.alert !== "none";
      say(state, isSounding ? `alert: ${one.alert}` : one.label.text);
      state.className = `card-state small ${isSounding ? "red" : one.label.colour}`;
      for (const [lamp, light] of Object.entries(lamps)) light.classList.toggle("lit", one.leds[lamp]);
      for (const side of SIDES) {
        keys[side].setAttribute("aria-label", `${side} key of ${one.name}`);
        if (!own.isDown(side)) showKey(side, one.keys[side]);
      }
    };
    return tab;
  }

  return {
    element,
    /** One fob has the whole view, and no card. */
    update(fobs, shown) {
      const cards = fobs.length > 1 ? fobs : [];
      keyed(element, cards, (one) => one.device, card, (child, one) => child.renew(one, one.device === shown));
      for (const [device, own] of [...held]) {
        if (cards.some((one) => one.device === device)) continue;
        // A card that goes lets go of what it holds.
        if (fobs.some((one) => one.device === device)) own.letGo();
        held.delete(device);
      }
    },
    letGo() { for (const own of held.values()) own.letGo(); },
  };
}
