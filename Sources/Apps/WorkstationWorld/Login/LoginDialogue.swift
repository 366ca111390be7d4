import BluethroatEvents
import BluethroatLive
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkstationLogin
import Foundation

/// Talks with the phone's person in lines: says what the screen shows and asks, and takes the answers.
final class LoginDialogue {
    private let app: LoginPhone
    private let setup: LoginWorld.PhoneSetup
    private unowned let world: World
    private let events: EventSink<LoginEvent>
    private var shown: (page: LoginScreen.Page, notice: String?)?
    private var user: String?
    private var showTyping: (@Sendable () -> Void)?
    private var hasChanged = false, hasChosen = false, wasConnected = false, hasSubmitted = false, isOver = false
    /// Whether no more answers come.
    private var isDeaf = false

    init(_ app: LoginPhone, _ setup: LoginWorld.PhoneSetup, world: World, _ events: EventSink<LoginEvent>) {
        self.app = app
        self.setup = setup
        self.world = world
        self.events = events
    }

    deinit { showTyping?() }

    /// Something may have changed.
    func look() {
        // Each step may make another possible.
        while drive() { world.runExternalWork() }
        let screen = app.screen
        // The dialog is for touch screens; on a command line there is no second question.
        if case .connected(let connected) = screen.page, connected.asksToEnd { return }
        guard shown == nil || shown! != (screen.page, screen.notice) else { return }
        shown = (screen.page, screen.notice)
        hideTyping()
        events.emit(.phone(screen, asksForPassword: user != nil, at: world.now))
        if setup.isOnce { endIfDone(screen) }
    }

    /// What the command line asks for, as soon as it can be done.
    private func drive() -> Bool {
        let screen = app.screen
        if screen.page != .locked, !hasChanged {
            hasChanged = true
            var settings = screen.settings
            setup.change?(&settings)
            if settings != screen.settings { app.change(settings) }
            return true
        }
        if let desk = setup.desk, screen.page == .start, screen.isBluetoothOn, !screen.isScanning, !hasChosen {
            hasChosen = true
            app.choose(desk)
            return true
        }
        if case .credentials(_, nil) = screen.page, let user = setup.user, let password = setup.password,
            !hasSubmitted
        {
            hasSubmitted = true
            app.submit(Credentials(user: user, password: password))
            return true
        }
        return false
    }

    private func endIfDone(_ screen: LoginScreen) {
        guard !isOver else { return }
        switch screen.page {
        case .connected: wasConnected = true
        case .start where wasConnected: finish(nil)
        case .start where hasChosen && screen.notice != nil: finish(OperationFailure(screen.notice!))
        case .otherKey: finish(OperationFailure(screen.notice ?? "that is another desk"))
        case .notFound(let desk): finish(OperationFailure("desk \(desk) was not found", .nothingFound))
        case .credentials(_, let fault?) where setup.password != nil: finish(OperationFailure(fault))
        case .locked, .credentials, .code:
            if isDeaf { finish(OperationFailure("there is nobody to answer: standard input has ended", .wrongUsage)) }
        default: break
        }
    }

    private func finish(_ failure: OperationFailure?) {
        isOver = true
        events.end(failure)
    }

    private func hideTyping() {
        let isSecret: Bool
        switch app.screen.page {
        case .locked: isSecret = true
        case .credentials: isSecret = user != nil || setup.user != nil
        default: isSecret = false
        }
        guard let hide = setup.hideTyping, isSecret != (showTyping != nil) else { return }
        showTyping?()
        showTyping = isSecret ? hide() : nil
    }

    // MARK: Answers

    /// Standard input has ended. With --once a question would wait for ever.
    func hearNoMore() {
        isDeaf = true
        if setup.isOnce { endIfDone(app.screen) }
    }

    func take(_ line: String) {
        defer {
            world.runExternalWork()
            look()
        }
        let text = line.trimmingCharacters(in: .whitespaces)
        switch app.screen.page {
        case .locked:
            if text == "quit" { return events.end() }
            app.unlock(pin: text)
            if app.screen.page == .locked { shown = nil }
        case .credentials:
            // Whatever is typed there may be a name or a password; an empty line goes back.
            guard let name = user ?? (hasSubmitted ? nil : setup.user) else {
                if text.isEmpty { return app.cancel() }
                user = text
                hideTyping()
                return events.emit(.asked("Password:"))
            }
            user = nil
            hasSubmitted = true
            app.submit(Credentials(user: name, password: line))
            shown = nil
        case .code where text.allSatisfy({ $0.isNumber || $0.isWhitespace }) && !text.isEmpty: app.enterCode(text)
        default: obey(text)
        }
    }

    private func obey(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard let word = words.first else { return }
        if let refusal = Self.obey(word, words.count > 1 ? words[1] : nil, app) {
            if refusal.isEmpty { events.end() } else { events.fail(refusal, at: world.now) }
        }
    }

    /// Does what a word says; what was wrong if it cannot be, and nothing at all if the end is wanted.
    static func obey(_ word: String, _ argument: String?, _ app: LoginPhone) -> String? {
        let isConnected = if case .connected = app.screen.page { true } else { false }
        switch word {
        case "quit", "q": return ""
        case "end":
            guard isConnected else { return "there is no session" }
            app.askToEnd()
            app.confirmEnd()
        case "lock", "unlock":
            guard isConnected else { return "there is no session" }
            app.setDeskLocked(word == "lock")
        case "cancel": app.cancel()
        case "rescan": app.rescan()
        case "trust":
            guard case .otherKey = app.screen.page else { return "there is nothing to trust anew" }
            app.trustAnew()
        case "app-lock":
            guard app.screen.hasPIN else { return "there is no PIN; say pin DIGITS first" }
            app.lock()
        case "pin":
            guard let argument else { return "say pin DIGITS, 4 to 12 of them, or pin none" }
            app.setPIN(argument == "none" ? nil : argument)
        case "forget":
            if argument == "credentials" {
                app.forgetCredentials()
            } else {
                guard let identifier = argument.flatMap(DeskIdentifier.init) else {
                    return "say forget DIGITS or forget credentials"
                }
                app.forget(identifier)
            }
        case "away":
            guard let way = argument.flatMap(LoginSettings.WalkingAway.init) else {
                return "say away nothing, away lock or away end"
            }
            var settings = app.screen.settings
            settings.walkingAway = way
            app.change(settings)
        case "near":
            guard argument == "on" || argument == "off" else { return "say near on or near off" }
            var settings = app.screen.settings
            settings.loginByNearness = argument == "on"
            app.change(settings)
        default:
            guard let identifier = DeskIdentifier(word) else {
                return
                    "\"\(word)\" is neither a desk's four digits nor a word; bluethroat login --help has them all"
            }
            app.choose(identifier)
        }
        return nil
    }
}
