// The world's clock; and, where time is virtual, what makes it pass.
import { stream, post, waiting } from "./api.js";
import { h, say, toast } from "./dom.js";

/**
 * Shows the time in `clock`; where time is virtual, `place` has the buttons to advance it. Returns a function that
 * shows another state of the world.
 */
export function timeControls(clock, place) {
  // What the user wants, and what is so until the last step is done.
  let isRunning = false, isPassing = false;
  // One after the other, however fast the user clicks.
  let steps = Promise.resolve();

  const advance = async (seconds) => {
    try {
      await post("/api/world/advance", { seconds });
    } catch (error) {
      isRunning = false;
      toast(error.message);
    }
  };

  // As fast as in life: each turn makes up for what the last one took.
  async function run() {
    if (isPassing) return;
    isPassing = true;
    let last = performance.now();
    while (isRunning) {
      await new Promise((done) => setTimeout(done, 40));
      if (!isRunning) break;
      const now = performance.now();
      await advance(Math.min(0.5, (now - last) / 1000));
      last = now;
    }
    isPassing = false;
    show();
  }

  const toggle = h("button.little.first", { type: "button", id: "run-time", onclick: () => {
    isRunning = !isRunning;
    if (isRunning) run();
    show();
  } });
  const span = h("input", { type: "number", id: "time-span", min: 0.001, max: 86400, step: "any", value: "1", "aria-label": "Seconds to let pass" });
  const step = h("button.little", { type: "submit", id: "advance-time" }, "Advance");
  const hint = h("span.small", { id: "time-hint", role: "status" });
  const form = h("form.row", { onsubmit: (event) => {
    event.preventDefault();
    const seconds = Number(span.value);
    steps = steps.then(() => advance(seconds));
  } }, h("span", { id: "time-by" }, "by"), span, "seconds", step);
  place.append(h("strong", "Time is virtual"), toggle, form, hint);

  function show() {
    say(toggle, isRunning ? "Stop" : "Run");
    toggle.setAttribute("aria-pressed", String(isRunning));
    say(hint, isPassing ? "It passes as fast as in life." : waiting.count > 0
      ? "Something is waiting for an answer: let time pass." : "It stands still until you let it pass.");
  }
  waiting.onchange = show;
  show();

  const tell = (world) => {
    const thousandths = Math.round(world.time * 1000);
    const seconds = Math.floor(thousandths / 1000);
    const text = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((n) => String(Math.floor(n)).padStart(2, "0")).join(":");
    say(clock, world.isVirtual ? `${text}.${String(thousandths % 1000).padStart(3, "0")}` : text);
    place.hidden = !world.isVirtual;
  };
  stream.on("world", tell);
  return tell;
}
