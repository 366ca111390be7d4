// The keys of a key fob, and what holds them.

export const SIDES = ["left", "right"];

/**
 * A key is down as long as anything holds it: a finger, the mouse, a key of the keyboard. With each change of a key
 * `show(side, isDown)` is called, then `press({ left, right })`.
 */
export function heldKeys({ show, press }) {
  const holds = { left: new Set(), right: new Set() };
  const isDown = (side) => holds[side].size > 0;

  function hold(side, by, isHeld) {
    const before = isDown(side);
    if (isHeld) holds[side].add(by);
    else holds[side].delete(by);
    if (isDown(side) === before) return;
    show(side, !before);
    press({ left: isDown("left"), right: isDown("right") });
  }

  return {
    hold,
    isDown,
    /** The pointer and the keyboard hold a key by this element. */
    listen(element, side) {
      element.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        element.focus({ preventScroll: true });
        try { element.setPointerCapture(event.pointerId); } catch {}
        hold(side, `pointer ${event.pointerId}`, true);
      });
      for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
        element.addEventListener(end, (event) => hold(side, `pointer ${event.pointerId}`, false));
      }
      element.addEventListener("keydown", (event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        hold(side, event.code, true);
      });
      element.addEventListener("keyup", (event) => {
        if (event.key === " " || event.key === "Enter") hold(side, event.code, false);
      });
      element.addEventListener("blur", () => { for (const by of [...holds[side]]) if (!by.startsWith("pointer")) hold(side, by, false); });
    },
    letGo() { for (const side of SIDES) for (const by of [...holds[side]]) hold(side, by, false); },
  };
}
