import BluethroatEvents
import BluethroatLive
import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation

/// The first guest pays each of the others the same, one after the other, until all were paid or the bank says that it is
/// enough for the day.
final class MoneyEvening {
    private let amount: Money
    private unowned let world: MoneyWorld
    /// Whom the first guest has to pay yet, in the order of the plans.
    private var waiting: [String] = []
    private var transfer: UUID?
    /// Who is being looked at, and who was looked at for long enough.
    private var regarded: String?
    private var seen: String?
    private var hasEnded = false
    /// What is sent shows on the screen before it is known here what it is.
    private var isOrdering = false

    /// How long somebody is looked for, and how long a payment may take.
    private static let patience = TimeSpan.seconds(300)

    init(_ amount: Money, _ world: MoneyWorld) {
        self.amount = amount
        self.world = world
    }

    private var payer: MoneyDropApp? { world.seats.first?.drop }

    func begin() {
        waiting = world.seats.dropFirst().map(\.plan.name)
        limit()
        look()
    }

    /// Something has changed on a screen.
    func look() {
        guard !hasEnded, !isOrdering, let payer else { return }
        if !payer.screen.isLooking { return payer.look(true) }
        if let transfer {
            switch payer.screen.outgoing.first(where: { $0.id == transfer })?.state {
            case .ordered, .paid, nil: return
            case .refused: return finish()
            case .told, .untold:
                self.transfer = nil
                // The next one is looked for, and may have gone meanwhile.
                limit()
            }
        }
        guard let next = waiting.first else { return finish() }
        guard let person = payer.screen.people.first(where: { $0.name == next && $0.canBePaid && $0.isConnected })
        else {
            return
        }
        guard seen == next else { return lookAt(next) }
        if case .coming = person.photo { return }
        waiting.removeFirst()
        isOrdering = true
        defer { isOrdering = false }
        do throws(MoneyDropApp.SendError) {
            transfer = try payer.send(amount, to: person.id)
            limit()
        } catch {
            fail("\(error)")
        }
    }

    /// A guest looks at who it is before paying: two seconds, and until the photo is there.
    private func lookAt(_ next: String) {
        guard regarded != next else { return }
        regarded = next
        world.world.schedule(at: world.world.now + .seconds(2)) { [weak self] _ in
            guard let self, !hasEnded else { return }
            seen = next
            look()
            world.settle()
        }
    }

    /// Nothing happens for too long.
    private func limit() {
        let remaining = waiting.count, current = transfer
        world.world.schedule(at: world.world.now + Self.patience) { [weak self] _ in
            guard let self, !hasEnded, waiting.count == remaining, transfer == current else { return }
            let next = waiting.first ?? "somebody"
            let seconds = Seconds(span: Self.patience)
            fail(
                current == nil
                    ? "nobody called \(next) was found in \(seconds) s"
                    : "a payment has not come to its end in \(seconds) s"
            )
        }
    }

    /// The session's time is over: nobody else is paid, and what is under way ends, or is left after 40 s.
    func close() {
        waiting = []
        guard transfer != nil else { return finish() }
        world.world.schedule(at: world.world.now + .seconds(40)) { [weak self] _ in self?.finish() }
    }

    private func finish() {
        guard !hasEnded else { return }
        hasEnded = true
        // After the last word of a payment comes its recipient's.
        world.world.schedule(at: world.world.now + .seconds(1)) { [unowned world] _ in
            let sent = world.seats.first?.drop?.screen.outgoing.filter { $0.state == .told }.count ?? 0
            let received = world.seats.dropFirst().flatMap { $0.drop?.screen.notices ?? [] }.filter {
                if case .received = $0 { true } else { false }
            }
            let audit = try? world.ledger?.audit()
            world.events.emit(.closed(sent: sent, received: received.count, audit: audit, at: world.world.now))
            world.end(nil)
        }
    }

    /// It cannot go on.
    func fail(_ why: String) {
        guard !hasEnded else { return }
        hasEnded = true
        world.end(OperationFailure(why))
    }
}
