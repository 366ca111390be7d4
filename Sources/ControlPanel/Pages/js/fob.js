// The key fob, drawn; one presses its keys and tilts it.
import { s, set } from "./dom.js";

/**
 * `press({ left, right })` is called with each change of the keys, `tilt({ x, y, z })` with what the accelerometer would
 * measure while somebody drags the fob, in g.
 */
export function fobPicture({ press, tilt }) {
  const down = { left: false, right: false };
  const holds = { left: new Set(), right: new Set() };

  const key = (side, x) => {
    const element = s("g.fob-key", {
      role: "button", tabindex: "0", "aria-pressed": "false", "aria-label": `${side} key`, "data-side": side,
    },
      s("rect.key-cap", { x, y: 150, width: 84, height: 92, rx: 22 }),
      s("text", { x: x + 42, y: 202, "text-anchor": "middle" }, side === "left" ? "L" : "R"));
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.stopPropagation();
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
    return element;
  };

  /** A key is down as long as anything holds it: a finger, the mouse, a key of the keyboard. */
  function hold(side, by, isDown) {
    if (isDown) holds[side].add(by);
    else holds[side].delete(by);
    const now = holds[side].size > 0;
    if (now === down[side]) return;
    down[side] = now;
    show(side, now);
    press({ ...down });
  }

  const keys = { left: key("left", 62), right: key("right", 174) };
  const leds = {
    left: s("circle.led", { cx: 104, cy: 132, r: 8, "data-led": "left" }),
    right: s("circle.led", { cx: 216, cy: 132, r: 8, "data-led": "right" }),
    alert: s("circle.led.alert", { cx: 160, cy: 62, r: 10, "data-led": "alert" }),
  };
  const show = (side, isDown) => {
    keys[side].classList.toggle("down", isDown);
    keys[side].setAttribute("aria-pressed", String(isDown));
  };

  const svg = s("svg", { viewBox: "0 0 320 400", role: "group", "aria-label": "Key fob. Drag it to tilt it." },
    s("defs",
      s("linearGradient", { id: "shell", x1: "0", y1: "0", x2: "0.4", y2: "1" },
        s("stop", { offset: "0", "stop-color": "#56616f" }), s("stop", { offset: "1", "stop-color": "#2c343f" }))),
    s("path", { d: "M160 4a22 22 0 0 1 22 22v12h-14V26a8 8 0 0 0-16 0v12h-14V26a22 22 0 0 1 22-22z", fill: "#9aa5b4" }),
    s("path", { d: "M160 30c62 0 118 34 118 96v140c0 66-50 118-118 118S42 332 42 266V126c0-62 56-96 118-96z", fill: "url(#shell)", stroke: "#1b212b", "stroke-width": 3 }),
    s("path", { d: "M160 44c54 0 102 29 102 82", fill: "none", stroke: "#ffffff", "stroke-opacity": ".18", "stroke-width": 5, "stroke-linecap": "round" }),
    s("text", { x: 160, y: 300, "text-anchor": "middle", fill: "#c3ccd8", "font-size": 15, "font-weight": 600, "font-family": "system-ui, sans-serif" }, "Keyfob"),
    s("g", { transform: "translate(146 318) scale(.44)", fill: "#6aa8ff" },
      s("path", { d: "M8 40c4-16 16-26 30-26 7 0 12 4 13 9l8 3-8 3c-1 12-10 21-22 21-5 0-9-1-12-3L6 54z" })),
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
    hold,
    letGo() { for (const side of ["left", "right"]) for (const by of [...holds[side]]) hold(side, by, false); },
    update(fob) {
      for (const name of ["left", "right", "alert"]) leds[name].classList.toggle("lit", fob.leds[name]);
      for (const side of ["left", "right"]) if (holds[side].size === 0) show(side, fob.keys[side]);
      if (!start) {
        lean = { x: (Math.asin(Math.max(-1, Math.min(1, fob.tilt.x))) / (Math.PI / 2)) * 120, y: (Math.asin(Math.max(-1, Math.min(1, fob.tilt.y))) / (Math.PI / 2)) * 120 };
        turn();
      }
      set(svg, { "data-tilt": `${fob.tilt.x} ${fob.tilt.y} ${fob.tilt.z}` });
    },
  };
}
