// The key fob, drawn; one presses its keys and tilts it.
import { s, set } from "./dom.js";
import { SIDES, heldKeys } from "./keys.js";

/**
 * `press({ left, right })` is called with each change of the keys, `tilt({ x, y, z })` with what the accelerometer
 * would measure while the user drags the fob, in g.
 */
export function fobPicture({ press, tilt }) {
  const held = heldKeys({ press, show: (side, isDown) => show(side, isDown) });

  const key = (side, x) => {
    const element = s("g.fob-key", {
      role: "button", tabindex: "0", "aria-pressed": "false", "aria-label": `${side} key`, "data-side": side,
    },
      s("rect.key-well", { x: x - 5, y: 145, width: 94, height: 104, rx: 26 }),
      s("g.key-top",
        s("rect.key-cap", { x, y: 150, width: 84, height: 92, rx: 22, fill: "url(#key)" }),
        s("path.key-shine", { d: `M${x + 14} 156h56` }),
        s("text", { x: x + 42, y: 203, "text-anchor": "middle" }, side === "left" ? "L" : "R")));
    held.listen(element, side);
    // The shell is not dragged by its keys.
    element.addEventListener("pointerdown", (event) => event.stopPropagation());
    return element;
  };

  const keys = { left: key("left", 62), right: key("right", 174) };
  const led = (name, cx, cy, r) => s(`circle.led.${name}`, { cx, cy, r, "data-led": name });
  const leds = { left: led("left", 104, 124, 7), right: led("right", 216, 124, 7), alert: led("alert", 160, 76, 10) };
  const bezel = ({ cx, cy, r }) => s("circle", { cx, cy, r: r + 4, fill: "#12171e", stroke: "#6b7686", "stroke-width": 1.2 });
  const show = (side, isDown) => {
    keys[side].classList.toggle("down", isDown);
    keys[side].setAttribute("aria-pressed", String(isDown));
  };

  const svg = s("svg", { viewBox: "0 0 320 400", role: "group", "aria-label": "Key fob. Drag it to tilt it." },
    s("defs",
      gradient("shell", "0.35", ["#6a7686", "#414c5a", "#252c36"]),
      gradient("key", "0", ["#566272", "#3a4452"]),
      gradient("ring", "0.5", ["#e3e8ee", "#8e99a8", "#c5cdd7"]),
      s("radialGradient", { id: "floor" }, stop("0", "#000", 0.32), stop("1", "#000", 0))),
    s("ellipse", { cx: 160, cy: 394, rx: 122, ry: 16, fill: "url(#floor)" }),
    s("path", { d: "M160 2a26 26 0 0 1 26 26v20h-15V28a11 11 0 0 0-22 0v20h-15V28a26 26 0 0 1 26-26z", fill: "url(#ring)", stroke: "#6b7686" }),
    s("path", { d: "M160 34c62 0 118 32 118 94v140c0 66-50 120-118 120S42 334 42 268V128c0-62 56-94 118-94z", fill: "url(#shell)", stroke: "#171c23", "stroke-width": 3 }),
    s("path", { d: "M56 132c0-54 48-84 104-84s104 30 104 84", fill: "none", stroke: "#fff", "stroke-opacity": ".2", "stroke-width": 4, "stroke-linecap": "round" }),
    s("path", { d: "M58 270c2 56 46 100 102 100s100-44 102-100", fill: "none", stroke: "#000", "stroke-opacity": ".25", "stroke-width": 4, "stroke-linecap": "round" }),
    // The buzzer's holes.
    [-24, -12, 0, 12, 24].map((dx) => s("circle", { cx: 160 + dx, cy: 346, r: 3, fill: "#12171e" })),
    s("text", { x: 160, y: 280, "text-anchor": "middle", fill: "#dbe3ee", "font-size": 17, "font-weight": 600, "letter-spacing": 1.5, "font-family": "system-ui, sans-serif" }, "Keyfob"),
    s("g", { transform: "translate(145 294) scale(.5)", fill: "#7fb4ff", "aria-hidden": "true" },
      s("path", { d: "M8 40c4-16 16-26 30-26 7 0 12 4 13 9l8 3-8 3c-1 12-10 21-22 21-5 0-9-1-12-3L6 54z" })),
    Object.values(leds).map((one) => bezel({ cx: Number(one.getAttribute("cx")), cy: Number(one.getAttribute("cy")), r: Number(one.getAttribute("r")) })),
    leds.alert, leds.left, leds.right, keys.left, keys.right);

  // Dragging the shell: 120 pixels are a quarter turn.
  let start = null;
  let lean = { x: 0, y: 0 };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    start = { x: event.clientX - lean.x, y: event.clientY - lean.y };
    svg.setPointerCapture(event.pointerId);
    svg.classList.add("tilting");
  });
  svg.addEventListener("pointermove", (event) => {
    if (!start) return;
    const clamp = (n) => Math.max(-120, Math.min(120, n));
    lean = { x: clamp(event.clientX - start.x), y: clamp(event.clientY - start.y) };
    turn();
    const x = Math.sin((lean.x / 120) * (Math.PI / 2));
    const y = Math.sin((lean.y / 120) * (Math.PI / 2));
    tilt({ x: round(x), y: round(y), z: round(Math.sqrt(Math.max(0, 1 - x * x - y * y))) });
  });
  for (const end of ["pointerup", "pointercancel"]) {
    svg.addEventListener(end, () => {
      start = null;
      svg.classList.remove("tilting");
    });
  }
  const round = (n) => Math.round(n * 100) / 100;
  const turn = () => (svg.style.transform = `rotateX(${(-lean.y / 3).toFixed(1)}deg) rotateY(${(lean.x / 3).toFixed(1)}deg)`);

  return {
    element: svg,
    /** L and R of the keyboard, wherever the focus is. */
    hold: held.hold,
    letGo: held.letGo,
    update(fob) {
      svg.classList.toggle("dead", fob.kind === "keyfob" && !fob.isPowered);
      for (const name of ["left", "right", "alert"]) leds[name].classList.toggle("lit", fob.leds[name]);
      for (const side of SIDES) if (!held.isDown(side)) show(side, fob.keys[side]);
      if (!start) {
        lean = { x: (Math.asin(Math.max(-1, Math.min(1, fob.tilt.x))) / (Math.PI / 2)) * 120, y: (Math.asin(Math.max(-1, Math.min(1, fob.tilt.y))) / (Math.PI / 2)) * 120 };
        turn();
      }
      set(svg, { "data-tilt": `${fob.tilt.x} ${fob.tilt.y} ${fob.tilt.z}` });
    },
  };
}

const stop = (offset, colour, opacity = 1) => s("stop", { offset, "stop-color": colour, "stop-opacity": opacity });
const gradient = (id, x2, stops) => s("linearGradient", { id, x1: "0", y1: "0", x2, y2: "1" }, stops.map((colour, n) => stop(n / (stops.length - 1), colour)));
