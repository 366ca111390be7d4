// Which central this tab is.
import { get, post } from "./api.js";

// A tab that is duplicated takes what is stored along: whoever holds the lock is the original.
let held = null;

/** Whether this tab is the one that is this central. Where there are no locks, as over plain HTTP from elsewhere, it is. */
async function claim(id) {
  if (held === id || !navigator.locks) return true;
  const attempt = () => new Promise((done) => {
    navigator.locks.request(`central ${id}`, { ifAvailable: true }, (lock) => {
      done(lock !== null);
      // Held as long as the tab lives.
      return lock ? new Promise(() => {}) : undefined;
    }).catch(() => done(true));
  });
  const pause = () => new Promise((done) => setTimeout(done, 100));
  // After a reload the page before may not have let go yet.
  for (let tries = 0; tries < 6; tries += 1) {
    if (tries > 0) await pause();
    if (!(await attempt())) continue;
    held = id;
    return true;
  }
  return false;
}

/** The number of this tab's central, which is there. A reload finds it again; another tab is another one. */
export async function ownCentral() {
  const known = Number(sessionStorage.getItem("central")) || null;
  if (known && (await claim(known))) {
    try {
      await get(`/api/centrals/${known}`);
      return known;
    } catch (error) {
      if (error.code !== "no-such-central") throw error;
    }
  }
  const id = (await post("/api/centrals")).central;
  sessionStorage.setItem("central", id);
  await claim(id);
  return id;
}
