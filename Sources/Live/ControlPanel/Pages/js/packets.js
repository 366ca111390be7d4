// The packets that the Air view holds: all that the server still has, without gaps, up to a bound.
import { get } from "./api.js";

/** How many packets the page keeps, the latest; while it is paused, as many again that arrive. The server keeps 50,000. */
export const capacity = 20000;
// How many are asked for at once, and how long to wait before the next request, in milliseconds.
const piece = 1000, pause = 20;
// Behind any packet: the answer says only which packets there are.
const behindAll = 2147483647;

export class PacketStore {
  /** What the view shows, the oldest first. */
  shown = [];
  /** What has arrived since `freeze(true)`, the oldest first. */
  arrived = [];
  /** How many the server no longer had when they were asked for. */
  gone = 0;
  /** The world's time at the latest answer, in seconds. */
  time = 0;
  isFrozen = false;
  #onchange;
  // The number of the latest packet that is known of, and of the latest that is shown while the view is frozen.
  #last = null;
  #frozenLast = null;
  // Ranges of numbers to be loaded, the latest range last; and those whose packets were still on the air.
  #gaps = [];
  #unfinished = [];
  #hasBegun = false;
  // Whether it is known which packets there were before those that the stream brings.
  #hasPast = false;
  #isLoading = false;
  // Counts worlds: answers that belong to an earlier one are dropped.
  #world = 0;
  #isOver = false;

  /** `onchange()` is called whenever packets have come or gone. */
  constructor(onchange) {
    this.#onchange = onchange;
    this.#begin();
  }

  end() {
    this.#isOver = true;
  }

  /** How many packets are still to be loaded. */
  get missing() {
    return this.#gaps.reduce((sum, gap) => sum + gap.to - gap.from + 1, 0);
  }

  /** Frozen, `shown` stays as it is, and what arrives is kept apart. */
  freeze(isFrozen) {
    if (isFrozen === this.isFrozen) return;
    this.isFrozen = isFrozen;
    this.#frozenLast = isFrozen ? this.#last : null;
    if (!isFrozen) {
      this.shown = this.shown.concat(this.arrived);
      this.arrived = [];
      this.#trim();
    }
    this.#onchange();
  }

  /** The event stream begins now: what has come since the store began, or while no stream was there, is loaded. */
  catchUp() {
    this.#begin();
  }

  /** Takes a batch of the event stream. */
  receive(batch) {
    // Another world.
    if (batch.time < this.time) this.#forget();
    this.time = batch.time;
    const packets = batch.packets.filter((packet) => packet.number > (this.#last ?? 0));
    if (!this.#hasBegun) this.#begin();
    if (packets.length) {
      // What was left out of the stream is loaded.
      if (this.#last !== null && packets[0].number > this.#last + 1) this.#gaps.push({ from: this.#last + 1, to: packets[0].number - 1 });
      this.#last = packets.at(-1).number;
      this.#keep(packets);
    }
    this.#gaps.push(...this.#unfinished.splice(0));
    this.#load();
    this.#onchange();
  }

  #forget() {
    this.#world += 1;
    [this.shown, this.arrived, this.#gaps, this.#unfinished] = [[], [], [], []];
    [this.gone, this.#last, this.#frozenLast] = [0, null, null];
    [this.isFrozen, this.#hasBegun, this.#hasPast] = [false, false, false];
  }

  /** Asks which packets there are, and has them loaded, the latest first. */
  async #begin() {
    const world = this.#world;
    this.#hasBegun = true;
    try {
      const answer = await get(`/api/air/packets?after=${behindAll}&limit=1`);
      if (world !== this.#world || this.#isOver) return;
      this.time = Math.max(this.time, answer.time);
      if (!this.#hasPast) {
        this.#hasPast = true;
        const earliest = this.shown[0] ?? this.arrived[0];
        const to = earliest ? earliest.number - 1 : answer.last;
        this.#last ??= answer.last;
        if (this.isFrozen) this.#frozenLast ??= answer.last;
        if (answer.first <= to) this.#gaps.unshift({ from: answer.first, to });
      }
      if (answer.last > this.#last) {
        this.#gaps.push({ from: Math.max(answer.first, this.#last + 1), to: answer.last });
        this.#last = answer.last;
      }
      this.#onchange();
      this.#load();
    } catch {
      // With the next batch again.
      if (world === this.#world) this.#hasBegun = false;
    }
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      while (this.#gaps.length && !document.hidden && !this.#isOver) {
        await this.#loadPiece(this.#gaps.at(-1), this.#world);
        this.#onchange();
        await new Promise((done) => setTimeout(done, pause));
      }
    } catch {
      // With the next batch again.
    } finally {
      this.#isLoading = false;
    }
  }

  /** Loads the end of a gap. */
  async #loadPiece(gap, world) {
    // What the page would not keep is not asked for.
    const last = this.#frozenLast !== null && gap.to <= this.#frozenLast ? this.#frozenLast : this.#last;
    gap.from = Math.max(gap.from, last - capacity + 1);
    const to = gap.to, from = Math.max(gap.from, to - piece + 1);
    if (from > to) return this.#close(gap);
    const answer = await get(`/api/air/packets?after=${from - 1}&limit=${to - from + 1}`);
    if (world !== this.#world) return;
    const packets = answer.packets.filter((packet) => packet.number <= to);
    if (answer.first > from) {
      // The server has dropped the oldest meanwhile, and with them the rest of the gap.
      this.gone += Math.min(answer.first - 1, to) - gap.from + 1;
      this.#close(gap);
    } else if (from > gap.from) {
      gap.to = from - 1;
    } else {
      this.#close(gap);
    }
    // The last ones may still be on the air.
    const reached = packets.at(-1)?.number ?? Math.max(from, answer.first) - 1;
    if (reached < to) this.#unfinished.push({ from: reached + 1, to });
    this.#keep(packets);
  }

  #close(gap) {
    this.#gaps = this.#gaps.filter((one) => one !== gap);
  }

  #keep(packets) {
    const border = this.#frozenLast ?? (this.isFrozen ? 0 : Infinity);
    insert(this.shown, packets.filter((packet) => packet.number <= border));
    insert(this.arrived, packets.filter((packet) => packet.number > border));
    this.#trim();
  }

  #trim() {
    // Now and then, so that each packet is moved once on average.
    if (this.shown.length > capacity + piece) this.shown = this.shown.slice(-capacity);
    if (this.arrived.length > capacity + piece) this.arrived = this.arrived.slice(-capacity);
  }
}

/** Puts packets with numbers that follow each other where they belong; those that are there already are replaced. */
function insert(list, packets) {
  if (!packets.length) return;
  if (!list.length || list.at(-1).number < packets[0].number) {
    for (const packet of packets) list.push(packet);
    return;
  }
  const start = place(list, packets[0].number);
  list.splice(start, place(list, packets.at(-1).number + 1) - start, ...packets);
}

/** The index of the first packet with this number or a later one. */
export function place(list, number, key = (packet) => packet.number) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) < number) low = middle + 1; else high = middle;
  }
  return low;
}
