// Elements in one expression: h("p.soft", { id: "x", onclick: f }, "text", child)

export function h(selector, ...rest) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag || "div");
  return fill(element, classes, rest);
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for SVG. */
export function s(selector, ...rest) {
  const [tag, ...classes] = selector.split(".");
  return fill(document.createElementNS(SVG, tag), classes, rest);
}

function fill(element, classes, rest) {
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const item of rest.flat(Infinity)) {
    if (item === null || item === undefined || item === false) continue;
    if (item instanceof Node) element.append(item);
    else if (typeof item === "object") set(element, item);
    else element.append(String(item));
  }
  return element;
}

/** Attributes, properties and listeners; `false` and `null` take an attribute away. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") {
      if (element[name] !== value) element[name] = value;
    } else if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
  return element;
}

/** Changes the text only if it is another, so that screen readers and selections are left alone. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}

/** Whether an element shows something else than this; from now on it does not. */
export function renew(element, value) {
  const text = JSON.stringify(value);
  if (element.shows === text) return false;
  element.shows = text;
  return true;
}

/**
 * Keeps the children of a list as they are where their keys are still there: no flicker, no lost focus.
 * `make(item)` makes a child, `update(child, item)` brings it up to date.
 */
export function keyed(list, items, key, make, update) {
  const before = new Map([...list.children].map((child) => [child.dataset.key, child]));
  let place = list.firstElementChild;
  for (const item of items) {
    const name = String(key(item));
    let child = before.get(name);
    if (child) before.delete(name);
    else {
      child = make(item);
      child.dataset.key = name;
    }
    update?.(child, item);
    if (child === place) place = place.nextElementSibling;
    else list.insertBefore(child, place);
  }
  for (const child of before.values()) child.remove();
}

/** A line that goes away by itself. */
export function toast(text) {
  const line = h("div.toast", text);
  document.getElementById("toasts").append(line);
  setTimeout(() => line.remove(), 6000);
}

export function bars(dBm) {
  const lit = dBm === null || dBm === undefined ? 0 : dBm > -55 ? 4 : dBm > -70 ? 3 : dBm > -82 ? 2 : 1;
  return h("span.bars", { role: "img", "aria-label": dBm === null || dBm === undefined ? "strength unknown" : `${dBm} dBm` },
    [1, 2, 3, 4].map((n) => h(n <= lit ? "i.lit" : "i")));
}

/** A handle as the command line prints it: 0x0025. */
export const handleText = (handle) => `0x${handle.toString(16).toUpperCase().padStart(4, "0")}`;

export const hex = (bytes) => bytes.replace(/(..)(?!$)/g, "$1 ").toUpperCase();
