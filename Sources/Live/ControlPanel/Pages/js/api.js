// The API as the page uses it: orders over HTTP, what happens as server-sent events.

/** Requests whose answers have been waited for a while, as those of peers in a world whose time stands still. */
export const waiting = {
  count: 0,
  onchange: () => {},
  add(one) {
    this.count += one;
    this.onchange();
  },
};

/** Asks the panel for something, be it the last thing the page does. An error is an Error with the server's sentence. */
export async function ask(method, path, body, isLast = false) {
  const options = { method, headers: {}, keepalive: isLast };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let answer, isWaiting = false;
  const patience = setTimeout(() => {
    isWaiting = true;
    waiting.add(1);
  }, 400);
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("The panel does not answer. Is bluethroat still running?");
  } finally {
    clearTimeout(patience);
    if (isWaiting) waiting.add(-1);
  }
  const text = await answer.text();
  const value = text ? JSON.parse(text) : undefined;
  if (!answer.ok) throw Object.assign(new Error(value?.message ?? answer.statusText), { code: value?.error, attError: value?.attError });
  return value;
}

export const get = (path) => ask("GET", path);
export const put = (path, body, isLast) => ask("PUT", path, body, isLast);
export const post = (path, body, isLast) => ask("POST", path, body ?? {}, isLast);
export const patch = (path, body) => ask("PATCH", path, body);
export const remove = (path) => ask("DELETE", path);

/**
 * One event stream for the whole page. A listener of a topic receives the present state, and then each change. The
 * stream is closed while the page is hidden: browsers allow only a few to one server.
 */
export class Stream {
  #source = null;
  #listeners = new Map();
  #reopening = null;
  #isLost = false;
  #whenOpen = new Set();
  onconnection = () => {};

  /** Calls `action` whenever a stream begins: what happened before is not in it. The answer stops that. */
  whenOpen(action) {
    this.#whenOpen.add(action);
    return () => this.#whenOpen.delete(action);
  }

  /** Calls `listener` with each value of a topic; the answer stops that. */
  on(topic, listener) {
    if (!this.#listeners.has(topic)) {
      this.#listeners.set(topic, new Set());
      this.#reopenSoon();
    }
    this.#listeners.get(topic).add(listener);
    return () => {
      const set = this.#listeners.get(topic);
      set?.delete(listener);
      if (set?.size === 0) {
        this.#listeners.delete(topic);
        this.#reopenSoon();
      }
    };
  }

  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.#reopenSoon()));
    this.#reopenSoon();
  }

  #reopenSoon() {
    clearTimeout(this.#reopening);
    this.#reopening = setTimeout(() => this.#open(), 0);
  }

  #close() {
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#close();
    if (document.hidden || this.#listeners.size === 0) return;
    const topics = [...this.#listeners.keys()].sort().join(",");
    const source = new EventSource(`/api/events?topics=${encodeURIComponent(topics)}`);
    this.#source = source;
    source.onopen = () => {
      this.onconnection(true);
      for (const action of this.#whenOpen) action();
      // It may be another world by now.
      if (this.#isLost) dispatchEvent(new Event("panelback"));
      this.#isLost = false;
    };
    source.onerror = () => {
      this.#isLost = true;
      this.onconnection(false);
      // A stream that was refused is not tried again by the browser.
      if (source.readyState === EventSource.CLOSED && this.#source === source) {
        this.#source = null;
        clearTimeout(this.#reopening);
        this.#reopening = setTimeout(() => this.#open(), 1000);
      }
    };
    // What was missed is said again on a new stream.
    source.addEventListener("lost", () => this.#reopenSoon());
    for (const topic of this.#listeners.keys()) {
      source.addEventListener(topic, (event) => {
        const value = JSON.parse(event.data);
        for (const listener of this.#listeners.get(topic) ?? []) listener(value);
      });
    }
  }
}

export const stream = new Stream();
