import BluethroatEvents
import BluethroatLive
import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatVirtualTime

/// Guests pay each other, now and then.
final class MoneyCafe {
    private unowned let world: MoneyWorld
    private var isClosing = false

    init(_ world: MoneyWorld) { self.world = world }

    private var now: Instant { world.world.now }

    /// - Parameter seconds: when the café closes; nil for never.
    func open(seed: UInt64, seconds: Double?) {
        var random = SeededRandom(seed: seed, purpose: "café")
        for seat in world.seats { visit(seat, &random) }
        guard let seconds else { return }
        world.world.schedule(at: now + TimeSpan(money: seconds)) { [unowned self] _ in close() }
    }

    /// A guest looks around for a while, and pays another.
    private func visit(_ seat: MoneySeat, _ random: inout SeededRandom) {
        let first = Double.random(in: 0.5...8, using: &random)
        let seed = random.next()
        world.world.schedule(at: now + TimeSpan(money: first)) { [unowned self] _ in
            var random = SeededRandom(seed: seed, purpose: "guest")
            lookAround(seat, &random)
        }
    }

    private func lookAround(_ seat: MoneySeat, _ random: inout SeededRandom) {
        guard !isClosing else { return }
        seat.drop?.look(true)
        settleSoon()
        let seed = random.next()
        world.world.schedule(at: now + .seconds(6)) { [unowned self] _ in
            var random = SeededRandom(seed: seed, purpose: "guest")
            let people = seat.drop?.screen.people.filter { $0.canBePaid && $0.isConnected } ?? []
            if !isClosing, let person = people.randomElement(using: &random), let currency = person.currency {
                let amount = Money(minorUnits: Int64.random(in: 50...1_500, using: &random), currency)
                _ = try? seat.drop?.send(amount, to: person.id)
            }
            let pause = Double.random(in: 2...12, using: &random)
            world.world.schedule(at: now + .seconds(4)) { [unowned self] _ in
                seat.drop?.look(false)
                settleSoon()
            }
            let next = random.next()
            world.world.schedule(at: now + TimeSpan(money: 4 + pause)) { [unowned self] _ in
                var random = SeededRandom(seed: next, purpose: "guest")
                lookAround(seat, &random)
            }
            settleSoon()
        }
    }

    private func settleSoon() { world.world.runExternalWork() }

    /// No more is sent; what is under way ends, or is left after 40 s.
    func close() {
        guard !isClosing else { return }
        isClosing = true
        end(by: now + .seconds(40))
    }

    private func end(by last: Instant) {
        let outgoing = world.seats.flatMap { $0.drop?.screen.outgoing ?? [] }
        let isQuiet = !outgoing.contains(where: \.isUnderWay)
        // After the last word of a payment comes its recipient's.
        world.world.schedule(at: now + .seconds(1)) { [unowned self] _ in
            guard isQuiet || now >= last else { return end(by: last) }
            let outgoing = world.seats.flatMap { $0.drop?.screen.outgoing ?? [] }
            let received = world.seats.flatMap { $0.drop?.screen.notices ?? [] }.filter {
                if case .received = $0 { true } else { false }
            }
            let told = outgoing.filter { $0.state == .told }.count
            let audit = try? world.ledger?.audit()
            world.events.emit(.closed(sent: told, received: received.count, audit: audit, at: now))
            let faults = audit?.faults ?? []
            world.end(
                faults.isEmpty
                    ? nil : OperationFailure("the bank's books are wrong: \(faults.joined(separator: "; "))")
            )
        }
    }
}

extension TimeSpan {
    /// Seconds with a fraction, to the millisecond.
    init(money seconds: Double) { self = .milliseconds(Int64((seconds * 1_000).rounded())) }
}
