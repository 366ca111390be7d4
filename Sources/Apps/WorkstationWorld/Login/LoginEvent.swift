public import BluethroatEvents
import BluethroatKeyFobConsole
public import BluethroatOfficeDay
public import BluethroatVirtualTime
public import BluethroatWorkstationLogin

/// What happens at desks and on phones.
public enum LoginEvent: LiveSessionEvent {
    case desk(DeskIdentifier, DeskEvent, at: Instant)
    /// What a phone shows, and to which desk it goes by itself, if it does.
    case phone(LoginScreen, asksForPassword: Bool, goesTo: DeskIdentifier?, at: Instant)
    /// A further question on the same screen, or a drawing that somebody asked for.
    case asked(String)
    case dayIsOver(OfficeDay.Report, at: Instant)

    public var line: String? {
        switch self {
        case .desk(let desk, let event, _): "Desk \(desk): \(event.sentence)"
        case .phone(let screen, let asksForPassword, let desk, _):
            [
                screen.notice,
                desk != nil && screen.page == .start
                    ? "Desk \(desk!) is looked for"
                    : screen.page.sentence(screen, asksForPassword: asksForPassword),
            ].compactMap(\.self).joined(separator: "\n")
        case .asked(let question): question
        case .dayIsOver(let report, _): report.sentences.joined(separator: "\n")
        }
    }

    public var json: JSONLine? {
        switch self {
        case .desk(let desk, let event, let now):
            var line = JSONLine(event: event.word, time: now)
            line.add("desk", desk.digits)
            event.add(to: &line)
            return line
        case .phone(let screen, _, _, let now):
            var line = JSONLine(event: "screen", time: now)
            line.add("page", screen.page.word)
            if let desk = screen.page.desk { line.add("desk", desk.digits) }
            switch screen.page {
            case .connected(let connected):
                line.add("user", connected.user)
                line.add("locked", connected.isLocked)
            case .credentials(_, let fault?): line.add("fault", fault)
            case .code(_, let digits, let fault):
                line.add("digits", digits)
                if let fault { line.add("fault", fault) }
            default: break
            }
            if let notice = screen.notice { line.add("notice", notice) }
            return line
        case .asked: return nil
        case .dayIsOver(let report, let now):
            var line = JSONLine(event: "day", time: now)
            line.add("over", true)
            line.add(report)
            return line
        }
    }
}

extension DeskEvent {
    fileprivate var sentence: String {
        switch self {
        case .advertising(true): "can be found"
        case .advertising(false): "cannot be found"
        case .codeShown(let code): "type this on your phone: \(code)"
        case .codeHidden: "the code is not needed any more"
        case .loggedIn(let user): "\(user) is logged in"
        case .rejected(let user): "\(user) was not let in: name or password is wrong"
        case .codeRejected: "a phone was not let in: it did not send the digits on the monitor"
        case .unavailable(let why): "passwords cannot be checked: \(why)"
        case .locked(let user): "the session of \(user) is locked"
        case .unlocked(let user): "the session of \(user) is unlocked"
        case .loggedOut(let user, let end): "\(user) is logged out: \(end.word)"
        case .refused(let refusal): "a phone was refused: \(refusal.word)"
        case .intrusion: "a phone sent what makes no sense, and was not listened to"
        case .closed(let seconds): "too many failures; closed for \(seconds) s"
        case .closedFor(let user, let seconds): "too many failures of \(user), who has to wait \(seconds) s"
        }
    }

    fileprivate func add(to line: inout JSONLine) {
        switch self {
        case .advertising(let isOn): line.add("on", isOn)
        case .codeShown(let code): line.add("code", code)
        case .codeHidden, .codeRejected, .intrusion: break
        case .loggedIn(let user), .rejected(let user), .locked(let user), .unlocked(let user):
            line.add("user", user)
        case .unavailable(let why): line.add("message", why)
        case .loggedOut(let user, let end):
            line.add("user", user)
            line.add("reason", end.word)
        case .refused(let refusal): line.add("reason", refusal.word)
        case .closed(let seconds): line.add("seconds", seconds)
        case .closedFor(let user, let seconds):
            line.add("user", user)
            line.add("seconds", seconds)
        }
    }
}

extension LoginScreen.Page {
    var word: String {
        switch self {
        case .locked: "locked"
        case .start: "start"
        case .searching: "searching"
        case .notFound: "not-found"
        case .credentials: "credentials"
        case .connecting: "connecting"
        case .code: "code"
        case .otherKey: "other-key"
        case .connected: "connected"
        }
    }

    var desk: DeskIdentifier? {
        switch self {
        case .locked, .start: nil
        case .searching(let desk), .notFound(let desk), .credentials(let desk, _), .connecting(let desk),
            .code(let desk, _, _), .otherKey(let desk):
            desk
        case .connected(let connected): connected.desk
        }
    }

    fileprivate func sentence(_ screen: LoginScreen, asksForPassword: Bool) -> String {
        switch self {
        case .locked: "PIN (\(screen.triesLeft) \(screen.triesLeft == 1 ? "try" : "tries")):"
        case .start:
            screen.buttons.isEmpty
                ? "Which desk? Its four digits:"
                : "Which desk? Its four digits (\(screen.buttons.map(\.digits).joined(separator: ", "))):"
        case .searching(let desk): "Desk \(desk) is looked for"
        case .notFound(let desk): "Desk \(desk) was not found; its four digits once more, or others:"
        case .credentials(_, let fault):
            (fault.map { $0 + "\n" } ?? "") + (asksForPassword ? "Password:" : "User name:")
        case .connecting(let desk): "Connecting to desk \(desk)"
        case .code(_, let digits, let fault):
            (fault.map { $0 + "\n" } ?? "") + "The \(digits) digits on the desk's monitor:"
        case .otherKey: "Say cancel, or trust if you know why the desk is another"
        case .connected(let connected):
            "\(connected.user) is logged in at desk \(connected.desk)\(connected.isLocked ? ", locked" : "")"
        }
    }
}
