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
    /// Lines that came before they were asked for, the oldest first.
    private var early: [String] = []
    private static let mostEarly = 100

    init(_ app: LoginPhone, _ setup: LoginWorld.PhoneSetup, world: World, _ events: EventSink<LoginEvent>) {
        self.app = app
        self.setup = setup
        self.world = world
        self.events = events
    }

    deinit { showTyping?() }

    /// Something may have changed.
    func look() {
        show()
        // What was typed early answers what is asked now.
        while !early.isEmpty, !isBusy, !isOver {
            answer(early.removeFirst())
            world.runExternalWork()
            show()
        }
        if setup.isOnce { endIfDone(app.screen) }
    }

    /// Whether nothing is asked at the moment, since the phone works on the way to a desk.
    private var isBusy: Bool {
        switch app.screen.page {
        case .searching, .connecting: true
        case .start: !app.screen.isBluetoothOn && app.screen.notice == nil || goesTo != nil
        default: false
        }
    }

    /// The desk that the command line names, until it was chosen.
    private var goesTo: DeskIdentifier? { hasChosen ? nil : setup.desk }

    private func show() {
        // Each step may make another possible.
        while drive() { world.runExternalWork() }
        let screen = app.screen
        // The dialog is for touch screens; on a command line there is no second question.
        if case .connected(let connected) = screen.page, connected.asksToEnd { return }
        guard shown == nil || shown! != (screen.page, screen.notice) else { return }
        let wasBusy =
            switch shown?.page {
            case .searching, .connecting: true
            default: false
            }
        shown = (screen.page, screen.notice)
        switch screen.page {
        case .credentials: break
        // What waits for an attempt that has failed answers nothing any more.
        case .notFound, .otherKey: early = []
        case .start where wasBusy: early = []
        default: user = nil
        }
        hideTyping()
        events.emit(.phone(screen, asksForPassword: user != nil, goesTo: goesTo, at: world.now))
        if case .connected = screen.page { wasConnected = true }
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
        case .start where wasConnected: finish(nil)
        case .start where hasChosen && screen.notice != nil: finish(OperationFailure(screen.notice!))
        case .otherKey: finish(OperationFailure(screen.notice ?? "that is another desk"))
        case .notFound(let desk): finish(OperationFailure("desk \(desk) was not found", .nothingFound))
        // The reason is the desk's refusal, not the end of standard input.
        case .credentials(_, let fault?) where setup.password != nil || isDeaf && early.isEmpty:
            finish(OperationFailure(fault))
        case .locked, .credentials, .code:
            if isDeaf, early.isEmpty {
                finish(OperationFailure("there is nobody to answer: standard input has ended", .wrongUsage))
            }
        default: break
        }
    }

    private func finish(_ failure: OperationFailure?) {
        isOver = true
        events.end(failure)
    }

    private func quit() {
        isOver = true
        events.end()
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

    /// A line of the phone's person. What comes before it is asked for waits, and so does what comes after it; a word for
    /// which nothing has to be asked counts at once.
    func take(_ line: String) {
        defer {
            world.runExternalWork()
            look()
        }
        let text = line.trimmingCharacters(in: .whitespaces)
        if text == "cancel" { early = [] }
        guard !early.isEmpty || isBusy && !Self.words.contains(String(text.prefix { $0 != " " })) else {
            return answer(line)
        }
        if early.count < Self.mostEarly { early.append(line) }
    }

    private func answer(_ line: String) {
        let text = line.trimmingCharacters(in: .whitespaces)
        switch app.screen.page {
        case .locked:
            if text == "quit" { return quit() }
            app.unlock(pin: text)
            if app.screen.page == .locked { shown = nil }
        case .credentials:
            // Whatever else is typed there may be a name or a password; an empty line goes back.
            guard let name = user ?? (hasSubmitted ? nil : setup.user) else {
                if text == "quit" { return quit() }
                if text.isEmpty { return app.cancel() }
                user = text
                hideTyping()
                return events.emit(.asked("Password:"))
            }
            user = nil
            hasSubmitted = true
            app.submit(Credentials(user: name, password: line))
            shown = nil
        case .code where !text.isEmpty && !Self.words.contains(String(text.prefix { $0 != " " })): app.enterCode(text)
        default: obey(text)
        }
    }

    private static let words: Set = [
        "quit", "q", "end", "lock", "unlock", "cancel", "rescan", "trust", "app-lock", "pin", "forget", "away", "near",
        "ask",
    ]

    private func obey(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard let word = words.first else { return }
        if let refusal = Self.obey(word, words.count > 1 ? words[1] : nil, app) {
            if refusal.isEmpty { quit() } else { events.fail(refusal, at: world.now) }
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
                guard let identifier = argument.flatMap(DeskIdentifier.init(typed:)) else {
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
        case "near", "ask":
            guard argument == "on" || argument == "off" else { return "say \(word) on or \(word) off" }
            var settings = app.screen.settings
            if word == "near" {
                settings.loginByNearness = argument == "on"
            } else {
                settings.asksEachTime = argument == "on"
            }
            app.change(settings)
        default:
            guard let identifier = DeskIdentifier(typed: word) else {
                // It may be a password that came when none was asked for.
                return "that is neither a desk's four digits nor a word; bluethroat login --help has them all"
            }
            app.choose(identifier)
        }
        return nil
    }
}
