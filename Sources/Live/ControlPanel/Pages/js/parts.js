// What a command has brought along: a view for each part of the panel, in a module of its own.
import * as api from "./api.js";
import * as dom from "./dom.js";

/** A view as main.js wants it, for a part of the panel. */
export function partView({ name, title }) {
  return (place) => {
    let isOver = false, unmount = null;
    const ends = [];
    const path = (rest = "") => `/api/${name}${rest}`;
    place.append(dom.h("p.empty", `Waiting for ${title} …`));
    // What a module is given: orders to its own paths, its state as it changes, and elements.
    const own = {
      name, title, dom,
      get: (rest) => api.get(path(rest)),
      put: (rest, body) => api.put(path(rest), body),
      post: (rest, body) => api.post(path(rest), body),
      patch: (rest, body) => api.patch(path(rest), body),
      remove: (rest) => api.remove(path(rest)),
      /** The same for any path of the API. */
      ask: api.ask,
      /** Calls `listener` with the state, now and whenever it has changed; ends with the view. */
      onState: (listener) => own.on(name, listener),
      /** The same for any topic of events. */
      on: (topic, listener) => {
        const end = api.stream.on(topic, listener);
        ends.push(end);
        return end;
      },
      /** Has a style sheet beside the module, css/parts/NAME.css, loaded. */
      style: () => {
        const href = `css/parts/${name}.css`;
        if (!document.querySelector(`link[href="${href}"]`)) document.head.append(dom.h("link", { rel: "stylesheet", href }));
      },
    };
    import(`./parts/${name}.js`).then((module) => {
      if (isOver) return;
      place.replaceChildren();
      unmount = module.mount(place, own) ?? module.unmount ?? null;
    }).catch((error) => {
      if (!isOver) dom.replace(place, dom.h("p.empty", `${title} cannot be shown: ${error.message}`));
    });
    return () => {
      isOver = true;
      ends.forEach((end) => end());
      unmount?.();
    };
  };
}
