import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatLiveLoop
import BluethroatMoneyBank
import BluethroatMoneyTerms
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatLive
@testable import BluethroatMoneyDrop
@testable import BluethroatMoneyDropWorld

/// What a world with MoneyDrop has written, in its order.
private struct MoneyStory {
    var events: [MoneyDropEvent] = []
    var warnings: [String] = []
    /// Nil where it has not ended; the failure of the end, if it is one.
    var end: OperationFailure??

    /// Runs a world with a bank of its own in virtual time, until it ends; for so many seconds at most.
    ///
    /// - Parameter each: called after each tenth of a second.
    init(
        _ plans: [GuestPlan],
        _ plot: MoneyWorld.Plot,
        bank: Ledger? = nil,
        for seconds: Int,
        each: @escaping @Sendable (MoneyWorld) -> Void = { _ in }
    ) async {
        let source = BankSource(seed: 1)
        source.follow(.zero)
        let (items, continuation) = AsyncStream.makeStream(of: EventSink<MoneyDropEvent>.Item.self)
        let live = LiveLoop(
            MoneyWorld(
                LiveSession(seed: 1, isVirtual: true, drawsSecrets: false),
                EventSink(continuation),
                plans: plans,
                plot: plot,
                bank: OpenBank(inWorld: bank ?? Ledger(settings: source.settings), source)
            )
        )
        await live.perform { world in
            world.begin()
            for _ in 0..<seconds * 10 {
                world.advance(by: .milliseconds(100))
                each(world)
            }
        }
        continuation.finish()
        for await item in items {
            guard end == nil else { continue }
            switch item {
            case .event(let event): events.append(event)
            case .warned(let why): warnings.append(why)
            case .ended(let failure): end = .some(failure)
            default: break
            }
        }
    }

    /// Why it has ended, where that is a failure.
    var failure: String? { (end ?? nil)?.message }

    /// Whose receipts were printed.
    var receipts: [String] {
        events.compactMap { if case .receipt(let name, _, _, _) = $0 { name } else { nil } }
    }

    /// Who has been paid, and has been told.
    var paid: [String] {
        events.compactMap { event in
            guard case .sent(_, let transfer, _) = event, transfer.state == .told else { return nil }
            return transfer.recipient
        }
    }
}

@Suite("Worlds with MoneyDrop, from begin to end")
struct MoneyWorldTests {
    private func guests(_ count: Int, _ change: (inout GuestPlan) -> Void = { _ in }) -> [GuestPlan] {
        var plans = GuestPlan.cafe(people: count, photoSize: 1_000, seed: 1)
        for index in plans.indices { change(&plans[index]) }
        return plans
    }

    private let evening = MoneyWorld.Plot.evening(Money(minorUnits: 12_50, .euro))

    @Test("An evening in which all are there ends when all were paid")
    func wholeEvening() async {
        let story = await MoneyStory(guests(3), evening, for: 60)
        #expect(story.paid == ["Ben", "Carol"] && story.end == .some(nil), "\(story)")
    }

    @Test("An evening whose next guest has gone ends in time, and says whom it has not found")
    func guestGone() async {
        let story = await MoneyStory(guests(3), evening, for: 400) { world in
            guard world.seats[2].drop != nil, world.seats[0].drop?.screen.outgoing.isEmpty == false else { return }
            // The first payment is under way.
            world.seats[2].app?.forceQuit()
        }
        #expect(story.paid == ["Ben"])
        #expect(story.failure?.contains("nobody called Carol was found in 300 s") == true, "\(story)")
    }

    // MARK: Receipts

    private let folder = FileManager.default.temporaryDirectory.appending(path: "evening-\(UUID())").path

    private func make(_ isThere: Bool) {
        if isThere {
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } else {
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test("A recipient whose receipt cannot be printed is warned once, the evening goes on, and it is printed later")
    func recipientsReceipt() async throws {
        make(true)
        defer { make(false) }
        let file = try ReceiptFile(folder + "/ben.txt")
        make(false)
        let plans = guests(3) { if $0.name == "Ben" { $0.receipts = file } }
        let story = await MoneyStory(plans, evening, for: 60) { [folder] world in
            // It has been tried by then.
            guard world.seats[1].drop?.screen.notices.isEmpty == false else { return }
            try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        #expect(story.paid == ["Ben", "Carol"] && story.end == .some(nil), "\(story)")
        #expect(story.warnings.count { $0.hasPrefix("a receipt is not printed: ") } == 1, "\(story.warnings)")
        #expect(story.receipts == ["Ben"])
        #expect(try String(contentsOfFile: file.path, encoding: .utf8).contains("12.50 EUR"))
    }

    @Test("A payer whose receipt cannot be printed has that as the end of the evening")
    func payersReceipt() async throws {
        make(true)
        let file = try ReceiptFile(folder + "/anna.txt")
        make(false)
        let plans = guests(3) { if $0.name == "Anna" { $0.receipts = file } }
        let story = await MoneyStory(plans, evening, for: 60)
        #expect(story.paid == ["Ben"] && story.receipts.isEmpty)
        #expect(story.failure?.hasPrefix("the money was sent, but its receipt is not printed: ") == true, "\(story)")
    }

    @Test("A payment of which the wallet has no receipt is no success for who wants one printed")
    func noReceipt() async throws {
        make(true)
        defer { make(false) }
        let source = BankSource(seed: 1)
        source.follow(.zero)
        let ledger = Ledger(settings: source.settings)
        let opened = BankDesk(ledger).answer(BankRequest(OpenAccount(name: "Ben", currency: .euro), as: nil))
        let amount = Money(minorUnits: 5_00, .euro)
        // An earlier run has paid, was told so, and did not come to say it; its wallet is one of before.
        var wallet = Wallet()
        wallet.account = try OpenAccount.answer(in: opened.get()).get()
        wallet.outgoing = [
            OutgoingTransfer(
                order: OrderTransfer(id: UUID(), token: Data([1]), amount: amount),
                recipient: "Anna",
                peripheral: UUID(),
                state: .told,
                isAwaited: true
            )
        ]
        let paths = ["/ben.wallet", "/again.wallet"].map { folder + $0 }
        for path in paths { try WalletFile(path: path).save(wallet) }
        let plot = MoneyWorld.Plot.send(MoneyWorld.Transfer(to: "Anna", amount: amount))
        var plan = GuestPlan(name: "Ben", wallet: .file(paths[0]))
        plan.receipts = try ReceiptFile(folder + "/ben.txt")
        let story = await MoneyStory([plan], plot, bank: ledger, for: 5)
        #expect(story.receipts.isEmpty)
        #expect(story.failure?.contains("there is none here that the bank has signed") == true, "\(story)")
        // Without a receipt to print the same payment is a success.
        let other = await MoneyStory([GuestPlan(name: "Ben", wallet: .file(paths[1]))], plot, bank: ledger, for: 5)
        #expect(other.end == .some(nil), "\(other)")
    }
}
