public import BluethroatControlPanel
import BluethroatLive
import BluethroatOfficeDay
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkstationLogin

/// A desk's monitor, on the panel.
struct DeskState: Described, Equatable {
    var device: Int
    var name: String
    var identifier: String
    var isAdvertising: Bool
    var code: String?
    var user: String?
    var isLocked: Bool
    var notice: String?

    static let schema = Schema.object(
        named: "LoginDesk",
        [
            "device": .integer("Its number, for paths."), "name": .string(),
            "identifier": .string("The four digits."), "isAdvertising": .boolean(),
            "code": .string("The digits that somebody has to type at the moment."),
            "user": .string("Who is logged in."), "isLocked": .boolean(), "notice": .string(),
        ],
        optional: ["code", "user", "notice"]
    )
}

/// A phone's screen, on the panel.
struct LoginPhoneState: Described, Equatable {
    var device: Int
    var name: String
    var page: String
    var desk: String?
    var user: String?
    var isDeskLocked: Bool
    var asksToEnd: Bool
    var codeDigits: Int?
    var fault: String?
    var notice: String?
    var buttons: [String]
    var registry: [String]
    var isScanning: Bool
    var isBluetoothOn: Bool
    var hasPIN: Bool
    var triesLeft: Int
    var away: String
    var near: Bool

    static let schema = Schema.object(
        named: "LoginPhone",
        [
            "device": .integer("Its number, for paths."), "name": .string(),
            "page": .choice([
                "locked", "start", "searching", "not-found", "credentials", "connecting", "code", "other-key",
                "connected",
            ]),
            "desk": .string("The four digits that the page is about."), "user": .string("Whose session it is."),
            "isDeskLocked": .boolean("Whether the session is locked."),
            "asksToEnd": .boolean("Whether the dialog is there."),
            "codeDigits": .integer("How many digits of the monitor are asked for."),
            "fault": .string("What was wrong with what was typed."),
            "notice": .string(), "buttons": .array(.string(), "Desks that were used, the latest first."),
            "registry": .array(.string(), "Desks that were found."), "isScanning": .boolean(),
            "isBluetoothOn": .boolean(), "hasPIN": .boolean(), "triesLeft": .integer("Wrong PINs that are left."),
            "away": .choice(["nothing", "lock", "end"], "What walking away does."),
            "near": .boolean("Whether coming near logs in."),
        ],
        optional: ["desk", "user", "codeDigits", "fault", "notice"]
    )

    init(_ place: LoginWorld.Place<LoginPhone>) {
        let screen = place.app.screen
        device = Int(place.phone.device.rawValue)
        name = place.phone.name
        page = screen.page.word
        desk = screen.page.desk?.digits
        (isDeskLocked, asksToEnd) = (false, false)
        switch screen.page {
        case .connected(let connected):
            (user, isDeskLocked, asksToEnd) = (connected.user, connected.isLocked, connected.asksToEnd)
        case .credentials(_, let fault): self.fault = fault
        case .code(_, let digits, let fault): (codeDigits, self.fault) = (digits, fault)
        default: break
        }
        notice = screen.notice
        buttons = screen.buttons.map(\.digits)
        registry = screen.registry.map(\.digits)
        isScanning = screen.isScanning
        isBluetoothOn = screen.isBluetoothOn
        hasPIN = screen.hasPIN
        triesLeft = screen.triesLeft
        away = screen.settings.walkingAway.rawValue
        near = screen.settings.loginByNearness
    }
}

struct LoginState: Described, Equatable {
    var desks: [DeskState]
    var phones: [LoginPhoneState]
    /// What the day has brought so far; empty where there is no office.
    var report: [String]

    static let schema = Schema.object(
        named: "LoginState",
        [
            "desks": .array(DeskState.schema), "phones": .array(LoginPhoneState.schema),
            "report": .array(.string(), "What the day in the office has brought so far, in sentences."),
        ]
    )
}

/// A finger on a phone's screen.
struct LoginAction: Described {
    var action: String
    var desk: String?
    var code: String?
    var pin: String?
    var user: String?
    var password: String?
    var way: String?

    static let schema = Schema.object(
        named: "LoginAction",
        [
            "action": .choice([
                "unlock", "lock", "set-pin", "choose", "rescan", "submit", "code", "trust-anew", "cancel",
                "ask-to-end", "confirm-end", "lock-desk", "unlock-desk", "forget", "forget-credentials", "away",
                "near",
            ]),
            "desk": .string("Four digits, of choose and forget."),
            "code": .string("The digits on the monitor."),
            "pin": .string("Of unlock and set-pin, which takes it away if it is empty."),
            "user": .string("Of submit."), "password": .string("Of submit."),
            "way": .string("Of away: nothing, lock or end; of near: on or off."),
        ],
        optional: ["desk", "code", "pin", "user", "password", "way"]
    )
}

/// What a person does at a desk.
struct DeskAction: Described {
    var action: String

    static let schema = Schema.object(named: "DeskAction", ["action": .choice(["end-session", "lock"])])
}

extension LoginWorld {
    /// What the panel shows of desks and phones.
    public static var part: PanelPart<LoginWorld> {
        PanelPart(
            "login",
            title: "Login",
            "Desks and phones of the workstation login, with what their screens show.",
            every: .milliseconds(100)
        ) {
            state($0)
        } endpoints: { api in
            [
                .ordering(.post, "/api/login/desks/{desk}/actions", tag: "Login", "Does something at a desk.") {
                    (call, body: DeskAction) throws(PanelError) in
                    let number = try call.number("desk", "desk")
                    return try await api.perform { owner throws(PanelError) in
                        guard let desk = owner.desks.firstIndex(where: { Int($0.phone.device.rawValue) == number })
                        else { throw PanelError(.notFound, "no-such-desk", "device \(number) is no desk") }
                        let word = body.action == "end-session" ? "end" : body.action
                        if let refusal = owner.obey(word, desk: desk) {
                            throw PanelError(.conflict, "refused", refusal)
                        }
                        owner.settle()
                        return state(owner)
                    }
                },
                .ordering(.post, "/api/login/phones/{phone}/actions", tag: "Login", "Touches a phone's screen.") {
                    (call, body: LoginAction) throws(PanelError) in
                    let number = try call.number("phone", "phone")
                    return try await api.perform { owner throws(PanelError) in
                        guard let place = owner.phones.first(where: { Int($0.phone.device.rawValue) == number })
                        else { throw PanelError(.notFound, "no-such-phone", "device \(number) has no login app") }
                        if let refusal = obey(body, place.app) { throw PanelError(.conflict, "refused", refusal) }
                        owner.settle()
                        return state(owner)
                    }
                },
            ]
        }
    }

    private static func obey(_ body: LoginAction, _ app: LoginPhone) -> String? {
        switch body.action {
        case "unlock": app.unlock(pin: body.pin ?? "")
        case "lock": return LoginDialogue.obey("app-lock", nil, app)
        case "set-pin": app.setPIN(body.pin.flatMap { $0.isEmpty ? nil : $0 })
        case "choose":
            guard let identifier = body.desk.flatMap(DeskIdentifier.init) else { return "a desk has four digits" }
            app.choose(identifier)
        case "submit":
            guard case .credentials = app.screen.page else { return "the phone does not ask for that now" }
            app.submit(Credentials(user: body.user ?? "", password: body.password ?? ""))
        case "code":
            guard case .code = app.screen.page else { return "the phone does not ask for a code now" }
            app.enterCode(body.code ?? "")
        case "ask-to-end": app.askToEnd()
        case "confirm-end": app.confirmEnd()
        case "forget-credentials": app.forgetCredentials()
        case "forget": return LoginDialogue.obey("forget", body.desk, app)
        case "trust-anew": return LoginDialogue.obey("trust", nil, app)
        case "lock-desk": return LoginDialogue.obey("lock", nil, app)
        case "unlock-desk": return LoginDialogue.obey("unlock", nil, app)
        case "cancel", "rescan": return LoginDialogue.obey(body.action, nil, app)
        case "away", "near": return LoginDialogue.obey(body.action, body.way, app)
        default: return "\"\(body.action)\" is nothing that can be done with a phone"
        }
        return nil
    }

    private static func state(_ owner: LoginWorld) -> LoginState {
        LoginState(
            desks: owner.desks.map { place in
                let screen = place.app.screen
                return DeskState(
                    device: Int(place.phone.device.rawValue),
                    name: place.phone.name,
                    identifier: screen.identifier.digits,
                    isAdvertising: screen.isAdvertising,
                    code: screen.code,
                    user: screen.session?.user,
                    isLocked: screen.session?.isLocked ?? false,
                    notice: screen.notice
                )
            },
            phones: owner.phones.map(LoginPhoneState.init),
            report: owner.office?.report.sentences ?? []
        )
    }
}
