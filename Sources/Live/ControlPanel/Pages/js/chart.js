// A chart of a few series over time. Points come as { time, values }; the latest is at the right.

export const colours = ["#2f7de1", "#d1602f", "#2a9d57"];

/** A number that has room beside a chart, told from others that are `step` away. */
export function label(value, step) {
  if (value !== 0 && (Math.abs(value) >= 1e5 || step < 0.01)) return value.toPrecision(2).replace("e+", "e");
  return String(Number(value.toFixed(step < 1.5 ? 2 : step < 15 ? 1 : 0)));
}

export class Chart {
  #points = [];
  #frame = 0;

  /** `range` is [least, greatest], or nothing where it follows the values. */
  constructor(canvas, { names = ["value"], range = null, seconds = 20 } = {}) {
    this.canvas = canvas;
    this.names = names;
    this.range = range;
    this.seconds = seconds;
    canvas.setAttribute("role", "img");
    this.#label();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(canvas);
    this.redraw = () => this.draw();
    addEventListener("themechange", this.redraw);
  }

  end() {
    this.observer.disconnect();
    removeEventListener("themechange", this.redraw);
    cancelAnimationFrame(this.#frame);
  }

  get count() {
    return this.#points.length;
  }

  add(time, values) {
    const last = this.#points.at(-1);
    if (last && time < last.time) this.#points = [];
    this.#points.push({ time, values });
    while (this.#points[0].time < time - this.seconds) this.#points.shift();
    this.draw();
  }

  draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #label() {
    const last = this.#points.at(-1);
    const now = last ? this.names.map((name, n) => `${name} ${last.values[n]}`).join(", ") : "no values yet";
    this.canvas.setAttribute("aria-label", `Chart: ${now}`);
    this.canvas.dataset.points = this.#points.length;
  }

  #paint() {
    const { canvas } = this;
    const ratio = devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!width || !height) return;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.#label();
    const style = getComputedStyle(canvas);
    const soft = style.getPropertyValue("color");
    let [low, high] = this.range ?? [Infinity, -Infinity];
    if (!this.range) {
      for (const point of this.#points) for (const value of point.values) [low, high] = [Math.min(low, value), Math.max(high, value)];
      if (!Number.isFinite(low)) [low, high] = [0, 1];
      if (low === high) {
        // Beside a large number, one more is no difference.
        const more = Math.max(1, Math.abs(low) / 8);
        [low, high] = [Math.max(low - more, -Number.MAX_VALUE), Math.min(high + more, Number.MAX_VALUE)];
      }
    }
    const margin = 34;
    // By halves: the whole may be more than the greatest number.
    const [half, middle] = [high / 2 - low / 2, high / 2 + low / 2];
    const y = (value) => 8 + (height - 16) * (1 - (value / 2 - low / 2) / half);
    pen.globalAlpha = 0.35;
    pen.strokeStyle = soft;
    pen.fillStyle = soft;
    pen.font = "11px system-ui, sans-serif";
    for (const value of [low, middle, high]) {
      pen.beginPath();
      pen.moveTo(margin, y(value));
      pen.lineTo(width, y(value));
      pen.stroke();
    }
    pen.globalAlpha = 0.8;
    // Where nothing is known yet there is nothing to say of its size.
    if (this.range || this.#points.length) {
      for (const value of [low, middle, high]) pen.fillText(label(value, half), 4, y(value) + 4);
    }
    pen.globalAlpha = 1;
    if (this.#points.length === 0) return;
    const end = this.#points.at(-1).time;
    // It begins with a few seconds and fills up.
    const span = Math.min(this.seconds, Math.max(5, end - this.#points[0].time));
    const x = (time) => margin + (width - margin - 4) * (1 - (end - time) / span);
    this.names.forEach((_, n) => {
      pen.strokeStyle = colours[n % colours.length];
      pen.lineWidth = 1.8;
      pen.beginPath();
      this.#points.forEach((point, index) => {
        const [px, py] = [x(point.time), y(point.values[n])];
        if (index === 0) pen.moveTo(px, py);
        else pen.lineTo(px, py);
      });
      pen.stroke();
      const last = this.#points.at(-1);
      pen.fillStyle = colours[n % colours.length];
      pen.beginPath();
      pen.arc(x(last.time), y(last.values[n]), 2.6, 0, 7);
      pen.fill();
    });
  }
}
