import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatTesting
import BluethroatVirtualTime
import Foundation
import FuzzInputs
import Testing

/// Links are cut, apps and requests die at any point, requests and receipts come twice.
@Suite("Every transfer ends once or not at all")
struct FaultTests {
    /// How many seeds a part has; the parts run side by side.
    private static let seeds = Effort.count(125, usually: 20) as UInt64

    @Test("On both screens and in the books, whatever dies: 1000 seeds, or some of them", arguments: 0..<8)
    func manyRuns(part: UInt64) throws {
        var figures = FaultRun.Figures()
        for seed in part * 125 + 1...part * 125 + Self.seeds {
            let run = FaultRun(seed: seed)
            try run.play()
            let faults = try run.faults()
            if !faults.isEmpty { Issue.record("seed \(seed): \(faults)") }
            figures.add(run.figures)
        }
        print("part \(part): \(figures)")
        // They did die.
        let wanted = Int(Self.seeds) * 2 / 5
        #expect(figures.kills > wanted && figures.cuts > wanted / 4)
        #expect(figures.lostRequests > wanted && figures.done > 2 * wanted)
    }
}

/// One evening of two people, with accidents.
private final class FaultRun {
    struct Figures {
        var kills = 0, cuts = 0, lostRequests = 0, doubledRequests = 0, done = 0, refused = 0, replays = 0
        var seconds = 0.0

        mutating func add(_ other: Self) {
            kills += other.kills
            cuts += other.cuts
            lostRequests += other.lostRequests
            doubledRequests += other.doubledRequests
            done += other.done
            refused += other.refused
            replays += other.replays
            seconds += other.seconds
        }
    }

    private(set) var figures = Figures()
    private let scene: MoneyScene
    private let ben: Owner
    private let anna: Owner
    private var random: SeededRandom
    private var transfers: [UUID] = []
    private var isHealed = false

    init(seed: UInt64) {
        random = SeededRandom(seed: seed, purpose: "accidents")
        scene = MoneyScene(seed: seed, logsAir: false)
        func settings(_ settings: inout MoneyDropSettings) {
            settings.incomingInterval = 4
            settings.lastRetry = 2
            settings.patience = 3
        }
        ben = scene.add("Ben", change: settings)
        anna = scene.add("Anna", change: settings)
    }

    func play() throws {
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        for _ in 0..<Int.random(in: 1...3, using: &random) { plan() }
        for owner in [ben, anna] { loseRequests(of: owner) }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            if ben.sees(anna)?.canBePaid == true {
                // Now and then more than there is.
                let amount = Int64.random(in: 1...4_500, using: &random)
                if let transfer = try? ben.send(amount, to: anna) { transfers.append(transfer) }
            }
            scene.air.run(for: .milliseconds(Int.random(in: 0...150, using: &random)))
        }
        scene.air.run(for: .milliseconds(500))
        heal()
        try? scene.air.run(within: .seconds(90)) { isSettled }
        figures.seconds = Double(scene.air.world.now.nanoseconds) / 1e9
    }

    // MARK: Accidents

    private func plan() {
        let delay = Duration.milliseconds(Int.random(in: 0...400, using: &random))
        let owner = Bool.random(using: &random) ? ben : anna
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            let length = Duration.milliseconds(Int.random(in: 20...2_000, using: &random))
            scene.air.after(delay) { [self] air in
                guard !isHealed else { return }
                figures.cuts += 1
                air.cut(ben.phone, from: anna.phone)
                air.after(length) { [self] air in air.mend(ben.phone, with: anna.phone) }
            }
        case 1: scene.air.after(delay) { [self] _ in kill(owner) }
        default:
            // In the middle of what it does, before or after it has noted something.
            var count = Int.random(in: 0...4, using: &random)
            let isBefore = Bool.random(using: &random)
            owner.wallet.fate = { [self] in
                count -= 1
                guard count == -1, !isHealed else { return .saved }
                return isBefore ? .endsBefore : .endsAfter
            }
            owner.wallet.endApp = { [self] in kill(owner) }
        }
    }

    private func kill(_ owner: Owner) {
        guard owner.app.state.isRunning else { return }
        figures.kills += 1
        if Bool.random(using: &random) { owner.app.terminate() } else { owner.app.forceQuit() }
        guard Bool.random(using: &random) else { return }
        scene.air.after(.milliseconds(Int.random(in: 0...1_000, using: &random))) { _ in owner.app.launch() }
    }

    /// The bank, or the way to it, is killed: requests are lost, or their answers, or come twice.
    private func loseRequests(of owner: Owner) {
        let share = Int.random(in: 0...5, using: &random)
        owner.bank.fault = { [self] _ in
            guard !isHealed, Int.random(in: 0..<10, using: &random) < share else { return .none }
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                figures.lostRequests += 1
                return .lostBefore
            case 1:
                figures.lostRequests += 1
                return .lostAfter
            default:
                figures.doubledRequests += 1
                return .twice
            }
        }
    }

    private func heal() {
        isHealed = true
        scene.air.mend(ben.phone, with: anna.phone)
        for owner in [ben, anna] { owner.app.launch() }
    }

    // MARK: The end

    private var isSettled: Bool {
        let outgoing = ben.wallet.wallet.outgoing
        guard anna.wallet.wallet.unconfirmed.isEmpty else { return false }
        return outgoing.allSatisfy { transfer in
            switch transfer.state {
            case .told: anna.wallet.wallet.received(transfer.id) != nil
            case .refused: true
            case .ordered, .paid, .untold: false
            }
        }
    }

    func faults() throws -> [String] {
        var faults: [String] = []
        let audit = try scene.ledger.audit()
        faults += audit.faults
        if audit.sums != [Money(minorUnits: 1_000_000_000_000_000, .euro)] { faults.append("the sum is \(audit.sums)") }
        if !isSettled { faults.append("not settled: \(ben.wallet.wallet.outgoing.map(\.state))") }
        var paid: Int64 = 0, made = 0
        let incoming = try scene.ask(AskIncoming(after: 0), as: anna.credentials)
        for outgoing in ben.wallet.wallet.outgoing {
            let inBooks = incoming.filter { $0.id == outgoing.id }.count
            let shown = anna.wallet.wallet.notices.filter {
                if case .received(outgoing.id, outgoing.order.amount, "Ben") = $0 { true } else { false }
            }.count
            switch outgoing.state {
            case .told:
                paid += outgoing.order.amount.minorUnits
                made += 1
                figures.done += 1
                if (inBooks, shown) != (1, 1) {
                    faults.append("\(outgoing.id): \(inBooks) in the books, \(shown) shown")
                }
            case .refused:
                figures.refused += 1
                if (inBooks, shown) != (0, 0) { faults.append("\(outgoing.id) refused: \(inBooks), \(shown)") }
            default: break
            }
        }
        if audit.transfers != made { faults.append("\(audit.transfers) transfers in the books, \(made) on the screen") }
        if try scene.balance(ben) != 10_000 - paid { faults.append("Ben has \(try scene.balance(ben))") }
        if try scene.balance(anna) != 10_000 + paid { faults.append("Anna has \(try scene.balance(anna))") }
        faults += backwards
        for case .refused(let refusal, _, _) in anna.wallet.wallet.notices {
            if refusal == .replayed { figures.replays += 1 } else { faults.append("a receipt is \(refusal)") }
        }
        for misuse in scene.air.misuse { faults.append(misuse) }
        return faults
    }

    /// Nothing that was ever on a screen as done is taken back; what was sent stays in the wallet.
    private var backwards: [String] {
        var faults: [String] = []
        let last = ben.wallet.wallet
        for id in transfers where !last.outgoing.contains(where: { $0.id == id }) {
            faults.append("\(id) is forgotten")
        }
        for wallet in ben.wallet.history {
            for outgoing in wallet.outgoing {
                let now = last.outgoing.first { $0.id == outgoing.id }?.state
                switch (outgoing.state, now) {
                case (.paid, .told), (.paid, .untold), (.untold, .told), (.ordered, _): break
                case (let before, let now): if before != now { faults.append("\(before) became \(now as Any)") }
                }
            }
        }
        for wallet in anna.wallet.history {
            for notice in wallet.notices where !anna.wallet.wallet.notices.contains(notice) {
                faults.append("\(notice) is gone")
            }
        }
        return faults
    }
}
