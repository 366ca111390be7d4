import BluethroatWorkstationLogin

/// A desk with its monitor, and those who wait before it.
final class DeskReception {
    let identifier: DeskIdentifier
    /// What happens there is told to all of them.
    var visitors: [(DeskEvent) -> Void] = []
    var desk: Desk? {
        didSet {
            desk?.happened = { [weak self] event in
                for visitor in self?.visitors ?? [] { visitor(event) }
            }
        }
    }

    init(_ identifier: DeskIdentifier) { self.identifier = identifier }
}

/// A user who logs in at one desk, with its digits and the code on its monitor.
final class Login {
    private let app: LoginPhone
    private let credentials: Credentials
    private let reception: DeskReception
    private let task: PhoneTask

    init(
        _ app: LoginPhone,
        as credentials: Credentials,
        at reception: DeskReception,
        _ task: PhoneTask,
        _ later: @escaping Later
    ) {
        self.app = app
        self.credentials = credentials
        self.reception = reception
        self.task = task
        app.changed = { [weak self] in later { self?.look() } }
        reception.visitors.append { [weak self] event in later { self?.look(at: event) } }
    }

    private func look(at event: DeskEvent) {
        if event == .loggedIn(user: credentials.user) { task.finish() }
        look()
    }

    private func look() {
        guard !task.isDone else { return }
        switch app.screen.page {
        case .start, .notFound:
            // The registry is filled for the first seconds; whoever sees the desk in it need not wait.
            guard !app.screen.isScanning || app.screen.registry.contains(reception.identifier) else { return }
            app.choose(reception.identifier)
        case .credentials(_, let fault):
            if fault == nil { app.submit(credentials) }
        case .code: if let code = reception.desk?.screen.code { app.enterCode(code) }
        case .connected, .connecting, .searching, .locked, .otherKey: break
        }
    }
}
