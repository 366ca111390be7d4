import BluethroatMoneyDrop
import BluethroatMoneyTerms

/// Somebody who looks for a person, and pays when the name is on the screen.
final class Payment {
    private let app: MoneyDropApp
    private let payee: String?
    private let task: PhoneTask
    private let later: Later
    private var hasPaid = false

    /// - Parameter payee: nil for nobody who is there.
    init(_ app: MoneyDropApp, to payee: String?, _ task: PhoneTask, _ later: @escaping Later) {
        self.app = app
        self.payee = payee
        self.task = task
        self.later = later
        app.changed = { [weak self] in later { self?.look() } }
    }

    func begin() {
        app.look(true)
        look()
    }

    private func look() {
        if app.screen.outgoing.contains(where: { $0.state == .told }) { task.finish() }
        guard !hasPaid, let payee, let person = app.screen.people(called: payee).first(where: \.canBePaid) else {
            return
        }
        // Details that are about to run out are read anew, and the screen says so.
        hasPaid = (try? app.send(Money(minorUnits: 1, .euro), to: person.id)) != nil
    }
}
