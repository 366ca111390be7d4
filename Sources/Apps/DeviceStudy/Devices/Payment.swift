import BluethroatMoneyDrop
import BluethroatMoneyTerms

/// The owner of a phone with MoneyDrop: looks for one person, and pays as soon as the app can.
final class Payment {
    private let app: MoneyDropApp
    private let payee: String?
    private let task: PhoneTask
    private var hasPaid = false

    /// - Parameter payee: the recipient's name; nil if the group is empty.
    init(_ app: MoneyDropApp, to payee: String?, _ task: PhoneTask, _ later: @escaping Later) {
        self.app = app
        self.payee = payee
        self.task = task
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
