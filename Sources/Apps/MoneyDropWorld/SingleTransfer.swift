import BluethroatEvents
import BluethroatLive
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation

/// What `send` is there for: one transfer, also if it takes more than one run of the command.
final class SingleTransfer {
    typealias Plan = MoneyWorld.Transfer

    private let plan: Plan
    private unowned let world: MoneyWorld
    private var transfer: UUID?
    private var hasLookedBack = false
    /// What is sent shows on the screen before it is known here what it is.
    private var isOrdering = false
    private var choice = Choice.open
    private var hasEnded = false

    /// Whether it is clear who is meant.
    private enum Choice { case open, waiting, made }

    init(_ plan: Plan, _ world: MoneyWorld) {
        self.plan = plan
        self.world = world
    }

    /// Who is paid, as the bank says it; before that is known, as it was asked for.
    private var name: String { recipient ?? plan.to }
    private var recipient: String?

    /// Something has changed on the sender's screen.
    func look(_ app: MoneyDropApp, of sender: String) {
        guard !hasEnded, !isOrdering else { return }
        lookBack(app, of: sender)
        guard let transfer else { return look(for: app) }
        switch app.screen.outgoing.first(where: { $0.id == transfer })?.state {
        case .told: end(nil)
        case .refused(let why):
            let left = why == .dailyLimit ? app.screen.allowance : nil
            let rest = left.map { "; \($0.left) of \($0.limit) are left today" } ?? ""
            end(OperationFailure("no money was sent: \(why.sentence)\(rest)"))
        case .untold(let why):
            end(OperationFailure("the money was sent, and \(name) will hear of it by the bank: \(why)"))
        case .ordered, .paid, nil: break
        }
    }

    /// An earlier run that was ended halfway may have sent this already. The same command again means the same
    /// transfer.
    private func lookBack(_ app: MoneyDropApp, of sender: String) {
        guard !hasLookedBack else { return }
        hasLookedBack = true
        guard !plan.isAgain else { return }
        guard let earlier = app.screen.awaitedTransfer(of: plan.amount, to: plan.to) else { return }
        // One that was refused has sent nothing.
        if case .refused = earlier.state { return }
        transfer = earlier.id
        recipient = earlier.recipient
        world.events.emit(.resumed(by: sender, earlier, at: world.world.now))
    }

    // MARK: Whom

    private func look(for app: MoneyDropApp) {
        let called = app.screen.people(called: plan.to)
        guard !called.isEmpty else { return }
        switch choice {
        case .open:
            // There may be another one of that name.
            choice = .waiting
            world.world.schedule(at: world.world.now + .seconds(2)) { [weak self, weak app] _ in
                guard let self, let app, !hasEnded else { return }
                choice = .made
                look(for: app)
                world.settle()
            }
        case .waiting: break
        case .made: choose(called, app)
        }
    }

    private func choose(_ called: [Person], _ app: MoneyDropApp) {
        let there = called.filter { $0.canBePaid && $0.isConnected }
        let loud = there.sorted { $0.rssi ?? -128 > $1.rssi ?? -128 }
        if loud.count > 1, !plan.isNearest {
            let heard = loud.map { $0.rssi.map { "\($0) dBm" } ?? "unknown" }.joined(separator: ", ")
            return end(
                OperationFailure(
                    "\(loud.count) people called \(name) are around (heard at \(heard)), and nothing was sent; "
                        + "--nearest pays the one that is heard best"
                )
            )
        }
        guard let person = loud.first else {
            if let problem = called.first(where: { !$0.hasJustChanged })?.problem { end(OperationFailure(problem)) }
            return
        }
        recipient = person.name
        isOrdering = true
        defer { isOrdering = false }
        do throws(MoneyDropApp.SendError) {
            transfer = try app.send(plan.amount, to: person.id, isAwaited: true)
        } catch {
            end(OperationFailure("\(error)"))
        }
    }

    // MARK: The end

    /// The time limit has passed, or the session's time is over. Nil if there is no account yet.
    func giveUp(_ app: MoneyDropApp?, after time: TimeSpan) {
        guard !hasEnded else { return }
        let seconds = Seconds(span: time)
        guard let app else {
            return end(OperationFailure("the bank has not answered in \(seconds) s, and nothing was sent"))
        }
        guard let transfer, let state = app.screen.outgoing.first(where: { $0.id == transfer })?.state else {
            let others = Set(app.screen.people.compactMap(\.name)).sorted()
            let hint =
                others.isEmpty
                ? "is MoneyDrop running there, and on the screen?" : "around were \(others.joined(separator: ", "))"
            return end(OperationFailure("nobody called \(name) was found in \(seconds) s; \(hint)", .nothingFound))
        }
        if case .paid = state {
            end(
                OperationFailure(
                    "the money was sent, but \(name)'s phone was not there to be told; the bank tells it"
                )
            )
        } else if let problem = app.screen.problem {
            end(
                OperationFailure(
                    "after \(seconds) s it is not known what has come of the transfer: \(problem); the same command goes on "
                        + "with it, and sends no other one"
                )
            )
        } else {
            end(
                OperationFailure(
                    "the bank has not answered in \(seconds) s, and may have heard; the same command goes on with this "
                        + "transfer, and sends no other one"
                )
            )
        }
    }

    /// What was to follow the payment cannot be done.
    func fail(_ why: String) { end(OperationFailure(why)) }

    private func end(_ failure: OperationFailure?) {
        guard !hasEnded else { return }
        hasEnded = true
        world.end(failure)
    }

    /// Everything was written: what has come to its end need not be reported by the next run.
    func close(_ app: MoneyDropApp?) {
        guard let app else { return }
        for transfer in app.screen.outgoing where transfer.isAwaited && !transfer.isUnderWay {
            app.noteShown(transfer.id)
        }
    }
}
