// What pairing asks of a person, in a dialog.
import { put } from "./api.js";
import { h } from "./dom.js";

const texts = {
  consent: ["The device wants to pair. Pair with it?", "Pairing makes a bond that both devices keep."],
  comparison: ["Do both devices show these digits?", "If they differ, somebody else is in between."],
  "passkey-shown": ["Type these digits into the device", "They are good for this pairing only."],
  "passkey-wanted": ["Which six digits does the device show?", "TI's key fob has 000000."],
};

/** Asks the questions of a central's connections, one at a time. `path(rest)` is the central's, `order` reports failures. */
export class PairingDialog {
  #dialog = null;

  constructor(path, order) {
    this.path = path;
    this.order = order;
  }

  /** Shows the question of this connection; none if there is none. */
  show(link) {
    const question = link?.question;
    const key = question ? JSON.stringify([link.address, question]) : null;
    if ((this.#dialog?.dataset.key ?? null) === key) return;
    this.end();
    if (question) this.#ask(link, question, key);
  }

  end() {
    this.#dialog?.close();
    this.#dialog?.remove();
    this.#dialog = null;
  }

  #ask(link, question, key) {
    // One answer for each question: a second press would be one to what is asked next, which may look the same.
    let isAnswered = false;
    const answer = (body) => {
      if (isAnswered) return;
      isAnswered = true;
      const taken = put(this.path(`/connections/${link.address}/answer`), body).then(() => {
        if (this.#dialog?.dataset.key === key) this.end();
      }, (error) => {
        isAnswered = false;
        throw error;
      });
      this.order(taken);
    };
    const [title, about] = texts[question.kind];
    const isShown = question.kind === "passkey-shown", isWanted = question.kind === "passkey-wanted";
    const digits = question.digits ? h("p.digits", { "aria-label": [...question.digits].join(" ") }, question.digits) : null;
    const input = isWanted ? h("input.passkey", { inputmode: "numeric", maxlength: 6, pattern: "[0-9]{6}", required: true, autocomplete: "off", "aria-label": "Six digits", autofocus: true }) : null;
    const refuse = h("button", { type: "button", onclick: () => answer({ agrees: false }) }, isShown || isWanted ? "Cancel" : "No");
    const agree = isShown ? null : h("button.first", { type: "submit" }, isWanted ? "Pair" : "Yes");
    this.#dialog = h("dialog", { "data-key": key, "data-question": question.kind, "aria-labelledby": "question", "aria-describedby": "question-about",
      // Escape is an answer, too; the dialog goes when the central has heard it.
      oncancel: (event) => { event.preventDefault(); answer({ agrees: false }); } },
      h("form.stack", { onsubmit: (event) => { event.preventDefault(); answer(input ? { passkey: input.value } : { agrees: true }); } },
        h("h2", { id: "question" }, title), digits, h("p.soft", { id: "question-about" }, `${about} (${link.address})`), input,
        h("div.row", h("span.push"), refuse, agree)));
    document.getElementById("dialogs").append(this.#dialog);
    this.#dialog.showModal();
  }
}
