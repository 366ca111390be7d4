// Several key fobs beside each other: a card for each, with keys of its own.
import { h, say, keyed } from "./dom.js";

const SIDES = ["left", "right"];

/**
 * `choose(device)` is called with the fob that is to be shown as a whole, `press(device, { left, right })` with each change of
 * a fob's keys.
 */
export function fobCards({ choose, press }) {
  const element = h("div.device-tabs", { role: "group", "aria-label": "Devices" });
  // What holds the keys of each fob on its card: a finger, the mouse, the space bar.
  const holds = new Map();

  function hold(device, side, by, isDown) {
    const own = holds.get(device);
    if (!own) return;
    const before = own[side].size > 0;
    if (isDown) own[side].add(by);
    else own[side].delete(by);
    if (own[side].size > 0 !== before) press(device, { left: own.left.size > 0, right: own.right.size > 0 });
  }

  function key(device, side) {
    const button = h("button.little", { type: "button", "data-card-key": side }, side);
    const held = (by, isDown) => {
      hold(device, side, by, isDown);
      button.setAttribute("aria-pressed", String(isDown));
    };
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      button.focus({ preventScroll: true });
      try { button.setPointerCapture(event.pointerId); } catch {}
      held(`pointer ${event.pointerId}`, true);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => held(`pointer ${event.pointerId}`, false));
    }
    button.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      held(event.code, true);
    });
    button.addEventListener("keyup", (event) => {
      if (event.key === " " || event.key === "Enter") held(event.code, false);
    });
    button.addEventListener("blur", () => {
      for (const by of [...holds.get(device)?.[side] ?? []]) if (!by.startsWith("pointer")) held(by, false);
    });
    return button;
  }

  function card({ device }) {
    holds.set(device, { left: new Set(), right: new Set() });
    const name = h("button.choose.little", { type: "button", onclick: () => choose(device) });
    const lamps = Object.fromEntries(["left", "alert", "right"].map((lamp) => [lamp, h(`i.lamp.${lamp}`)]));
    const address = h("span.mono.small.soft"), state = h("span.card-state.small");
    const keys = Object.fromEntries(SIDES.map((side) => [side, key(device, side)]));
    const own = h("div.fob-tab",
      h("div.row", name, h("span.lamps.push", { "aria-hidden": "true" }, Object.values(lamps))),
      address, state,
      h("div.row", Object.values(keys)));
    own.renew = (one, isShown) => {
      say(name, one.name);
      name.setAttribute("aria-pressed", String(isShown));
      own.classList.toggle("shown", isShown);
      say(address, one.address ?? "");
      const isSounding = one.alert !== "none";
      say(state, isSounding ? `alert: ${one.alert}` : one.label.text);
      state.className = `card-state small ${isSounding ? "red" : one.label.colour}`;
      for (const [lamp, light] of Object.entries(lamps)) light.classList.toggle("lit", one.leds[lamp]);
      for (const side of SIDES) {
        keys[side].setAttribute("aria-label", `${side} key of ${one.name}`);
        if (holds.get(device)[side].size === 0) keys[side].setAttribute("aria-pressed", String(one.keys[side]));
      }
    };
    return own;
  }

  return {
    element,
    /** One fob has the whole view, and no card. */
    update(fobs, shown) {
      const cards = fobs.length > 1 ? fobs : [];
      keyed(element, cards, (one) => one.device, card, (child, one) => child.renew(one, one.device === shown));
      for (const [device, own] of [...holds]) {
        if (cards.some((one) => one.device === device)) continue;
        holds.delete(device);
        // A card that goes lets go of what it holds.
        const isHeld = own.left.size > 0 || own.right.size > 0;
        if (isHeld && fobs.some((one) => one.device === device)) press(device, { left: false, right: false });
      }
    },
    letGo() {
      for (const [device, own] of holds) for (const side of SIDES) for (const by of [...own[side]]) hold(device, side, by, false);
    },
  };
}
