// Which central this tab is.
import { get, post } from "./api.js";

// The tab's central, once it has one. The panel keeps it as long as it is asked for now and then, in milliseconds; browsers
// slow the timers of hidden tabs down to one a minute.
let own = null;
const beat = 20000;
setInterval(() => {
  if (own) get(`/api/centrals/${own}`).catch((error) => { if (error.code === "no-such-central") own = null; });
}, beat);
// A page that goes says so: unless it is a reload, which asks for the central again, its connections end.
addEventListener("pagehide", () => { if (own) post(`/api/centrals/${own}/leave`, {}, true).catch(() => {}); });

// A tab that is duplicated takes what is stored along: the tab with the lock is the original.
let held = null;
// After a reload the page before may not have released the lock yet; a lock held so long, in milliseconds, is another
// tab's.
const patience = 3000;

/** Whether this tab is the one that is this central. Where there are no locks, as over plain HTTP from elsewhere, it is. */
function claim(id) {
  if (held === id || !navigator.locks) return true;
  return new Promise((done) => {
    navigator.locks.request(`central ${id}`, { signal: AbortSignal.timeout(patience) }, () => {
      held = id;
      done(true);
      // Held as long as the tab lives.
      return new Promise(() => {});
    }).catch((error) => done(error.name !== "TimeoutError"));
  });
}

/** The number of this tab's central, which is there. A reload finds it again; another tab is another one. */
export async function ownCentral() {
  const known = Number(sessionStorage.getItem("central")) || null;
  if (known && (await claim(known))) {
    try {
      await get(`/api/centrals/${known}`);
      return (own = known);
    } catch (error) {
      if (error.code !== "no-such-central") throw error;
    }
  }
  const id = (await post("/api/centrals")).central;
  sessionStorage.setItem("central", id);
  await claim(id);
  return (own = id);
}
