// MoneyDrop: the screens of the phones in a world, and what their owners can do.

const states = { ordered: ["asking the bank", ""], paid: ["paid, telling", "blue"], told: ["paid", "green"], untold: ["paid, not told", "amber"], refused: ["not paid", "red"] };

export function mount(place, panel) {
  const { h, say, set, keyed, toast, bars } = panel.dom;
  panel.style();
  const order = (work) => work.catch((error) => toast(error.message));

  const empty = h("p.empty", "Nobody in this world has MoneyDrop.");
  const cards = h("div.money-cards");
  place.append(h("div.stack", h("h1", panel.title), empty, cards));

  /** A photo, or the first letter of a name while there is none. */
  function face() {
    const picture = h("img", { alt: "", hidden: true, onerror: () => { picture.hidden = true; letter.hidden = false; } });
    const letter = h("span.letter", { "aria-hidden": "true" });
    const ring = h("div.face", picture, letter);
    ring.update = (name, source) => {
      say(letter, (name ?? "?").slice(0, 1).toUpperCase());
      if (ring.dataset.source === (source ?? "")) return;
      ring.dataset.source = source ?? "";
      picture.hidden = !source;
      letter.hidden = !!source;
      if (source) picture.src = source;
      else picture.removeAttribute("src");
    };
    return ring;
  }

  function make(guest) {
    const path = `/guests/${guest.device}`;
    const photo = face(), name = h("h2"), balance = h("span.balance"), phone = h("span.soft.small"), findable = h("span.badge");
    const look = h("input", { type: "checkbox", role: "switch", "aria-label": `${guest.phone} looks around`, onchange: () => order(panel.put(`${path}/looking`, { isLooking: look.checked })) });
    const problem = h("p.problem.small", { role: "status" });
    const people = h("ul.people"), nobody = h("p.soft.small", "Nobody is around, or nobody was looked for.");
    const notices = h("ul.notices.small"), transfers = h("ul.transfers.small"), sending = h("ul.small.sending");
    const transfersTitle = h("h3", "Sent"), noticesTitle = h("h3", "Notices");
    const card = h("section.card.money-phone", { "aria-label": guest.phone, "data-device": guest.device },
      h("header", photo, h("div", name, phone), h("span.push"), balance),
      h("div.row", h("label.switch.small", look, h("span", "Look around")), findable),
      problem, h("h3", "People around"), nobody, people, sending, noticesTitle, notices, transfersTitle, transfers);
    card.update = (one) => {
      photo.update(one.name, one.hasPhoto ? `/api/moneydrop${path}/photo` : null);
      say(name, one.name ?? one.phone);
      say(phone, one.isRunning ? one.phone : `${one.phone}: MoneyDrop does not run`);
      say(balance, one.balance ?? "");
      set(look, { checked: one.isLooking, disabled: !one.isRunning });
      say(findable, !one.isRunning ? "not running" : !one.isBluetoothOn ? "Bluetooth is off" : one.isFindable ? "can be found" : "cannot be found");
      findable.className = `badge ${one.isFindable ? "green" : ""}`;
      problem.hidden = !one.problem;
      say(problem, one.problem ?? "");
      nobody.hidden = one.people.length > 0;
      keyed(people, one.people, (person) => person.id, (person) => makePerson(one, path, person.id), (item, person) => item.update(person, one));
      keyed(sending, one.photosSent, (photo) => photo.peer, () => h("li"), (item, photo) =>
        say(item, `Sending the photo: ${Math.floor((100 * photo.sent) / Math.max(1, photo.length))} %`));
      noticesTitle.hidden = one.notices.length === 0;
      keyed(notices, [...one.notices.entries()].reverse(), ([n]) => n, () => h("li"), (item, [, notice]) => {
        say(item, notice.isMoney ? `${notice.payer} sent ${notice.amount}` : `Refused${notice.amount ? ` ${notice.amount}` : ""}${notice.payer ? ` from ${notice.payer}` : ""}: ${notice.reason}`);
        item.className = notice.isMoney ? "money" : "refused";
      });
      transfersTitle.hidden = one.transfers.length === 0;
      keyed(transfers, [...one.transfers].reverse(), (transfer) => transfer.id, () => {
        const text = h("span"), badge = h("span.badge"), item = h("li.row", text, badge);
        item.update = (transfer) => {
          const [word, colour] = states[transfer.state];
          say(text, `${transfer.amount} to ${transfer.to}${transfer.reason ? `: ${transfer.reason}` : ""}`);
          say(badge, word);
          badge.className = `badge ${colour}`;
        };
        return item;
      }, (item, transfer) => item.update(transfer));
    };
    return card;
  }

  function makePerson(guest, path, id) {
    const photo = face(), name = h("strong"), about = h("span.soft.small"), strength = h("span"), meter = h("progress", { max: 1, "aria-label": "Photo" });
    const amount = h("input", { inputmode: "decimal", required: true, placeholder: "12.50", "aria-label": "Amount" });
    const button = h("button.little.first", { type: "submit" }, "Send");
    let isSending = false;
    const form = h("form.row", { onsubmit: (event) => {
      event.preventDefault();
      // A second click means nothing more.
      if (isSending) return;
      isSending = true;
      const sent = panel.post(`${path}/transfers`, { to: id, amount: amount.value.trim() }).then(() => (amount.value = ""));
      order(sent.finally(() => (isSending = false)));
    } }, amount, button);
    const item = h("li.person", photo, h("div.who", h("div.row", name, strength), about, meter), form);
    item.update = (person, owner) => {
      photo.update(person.name, person.photo === "complete" ? `/api/moneydrop${path}/people/${id}/photo` : null);
      say(name, person.name ?? "Somebody");
      const photoText = { none: "no photo", "older-version": "an older MoneyDrop, without photos", coming: `photo ${Math.floor((100 * (person.received ?? 0)) / Math.max(1, person.length ?? 1))} %`,
        complete: "", failed: `no photo: ${person.photoProblem}` }[person.photo];
      say(about, person.problem ?? [person.name ? "" : "reading who it is", photoText].filter(Boolean).join(", "));
      about.classList.toggle("problem", !!person.problem);
      meter.hidden = person.photo !== "coming";
      set(meter, { value: String((person.received ?? 0) / Math.max(1, person.length ?? 1)) });
      if (strength.dataset.rssi !== String(person.rssi)) {
        strength.dataset.rssi = String(person.rssi);
        strength.replaceChildren(bars(person.rssi));
      }
      set(amount, { disabled: !person.canBePaid, "aria-label": `Amount for ${person.name ?? "somebody"}, from ${owner.name ?? owner.phone}` });
      set(button, { disabled: !person.canBePaid });
    };
    return item;
  }

  panel.onState((state) => {
    empty.hidden = state.guests.length > 0;
    keyed(cards, state.guests, (guest) => guest.device, make, (card, guest) => card.update(guest));
  });
}
