import { stream, get } from "./api.js";
import { h, set } from "./dom.js";
import { timeControls } from "./time.js";
import { deviceView } from "./device.js";
import { centralView } from "./central.js";
import { airView } from "./air.js";
import { partView } from "./parts.js";

// The token is a cookie by now: the address bar, and with it bookmarks and pictures of the screen, need not have it.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);

const views = { device: deviceView, central: centralView, air: airView };
const titles = { device: "Device", central: "Central", air: "Air" };
// The view that is shown if the address names none.
let front = "device";
const place = document.getElementById("view");
let leave = null;

function show() {
  const name = location.hash.slice(1).split("/")[0];
  const chosen = views[name] ? name : front;
  for (const link of document.querySelectorAll("nav [data-view]")) {
    if (link.dataset.view === chosen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${titles[chosen]} – Bluethroat`;
  if (place.dataset.view === chosen) return;
  enter(chosen);
}

function enter(chosen) {
  leave?.();
  place.dataset.view = chosen;
  place.replaceChildren();
  leave = views[chosen](place);
}

// Light, dark, or as the system has it.
const theme = document.getElementById("theme");
const stored = localStorage.getItem("theme");
if (stored) document.documentElement.dataset.theme = stored;
theme.onclick = () => {
  const now = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
  dispatchEvent(new Event("themechange"));
};

const tellTime = timeControls(document.getElementById("clock"), document.getElementById("virtual"));

const offline = document.getElementById("offline");
let offlineTimer;
stream.onconnection = (isThere) => {
  clearTimeout(offlineTimer);
  if (isThere) offline.hidden = true;
  else offlineTimer = setTimeout(() => (offline.hidden = false), 700);
};
addEventListener("hashchange", show);
addEventListener("renewview", () => enter(place.dataset.view));

// The views that this command has brought along. Where there is no key fob to look at, the first of them is in front.
async function begin() {
  const [world, all] = await Promise.all([get("/api/world"), get("/api/devices")]);
  // What is above the view is there before the view is, so that nothing moves under the mouse.
  tellTime(world);
  const parts = world.parts ?? [];
  for (const part of parts) {
    views[part.name] = partView(part);
    titles[part.name] = part.title;
    document.querySelector("nav").append(h("a", { href: `#${part.name}`, "data-view": part.name }, part.title));
  }
  if (parts.length && !all.devices.some((device) => device.kind.startsWith("keyfob"))) {
    front = parts[0].name;
    const brand = document.querySelector(".brand");
    set(brand, { href: `#${front}`, "aria-label": `Bluethroat, ${parts[0].title}` });
  }
}
begin().catch(() => (offline.hidden = false)).then(() => {
  stream.start();
  show();
});
