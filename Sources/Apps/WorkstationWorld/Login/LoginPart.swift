public import BluethroatControlPanel
import BluethroatLive
import BluethroatOfficeDay
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkstationLogin

extension LoginSettings.WalkingAway: SchemaValue {}

/// A desk's monitor, on the panel.
struct DeskState: Described, Equatable {
    static let schemaName = "LoginDesk"

    @Property("Its number, for paths.") var device = 0
    @Property var name = ""
    @Property("The four digits.") var identifier = ""
    @Property var isAdvertising = false
    @Property("The digits that somebody has to type at the moment.") var code: String? = nil
    @Property("Who is logged in.") var user: String? = nil
    @Property var isLocked = false
    @Property var notice: String? = nil
    @Property("The QR code with its digits, an SVG image; not in an office.") var qrCode: String? = nil
}

/// A phone's screen, on the panel.
struct LoginPhoneState: Described, Equatable {
    static let schemaName = "LoginPhone"

    @Property("Its number, for paths.") var device = 0
    @Property var name = ""
    @Property(
        as: .choice([
            "locked", "start", "searching", "not-found", "credentials", "connecting", "code", "other-key",
            "connected",
        ])
    )
    var page = ""
    @Property("The four digits that the page is about.") var desk: String? = nil
    @Property("Whose session it is.") var user: String? = nil
    @Property("Whether the session is locked.") var isDeskLocked = false
    @Property("Whether the dialog is there.") var asksToEnd = false
    @Property("How many digits of the monitor are asked for.") var codeDigits: Int? = nil
    @Property("What was wrong with what was typed.") var fault: String? = nil
    @Property var notice: String? = nil
    @Property("Desks that were used, the latest first.") var buttons: [String] = []
    @Property("Desks that were found.") var registry: [String] = []
    @Property var isScanning = false
    @Property var isBluetoothOn = false
    @Property var hasPIN = false
    @Property("Wrong PINs that are left.") var triesLeft = 0
    @Property("What walking away does.") var away = LoginSettings.WalkingAway.nothing
    @Property("Whether coming near logs in.") var near = false
}

extension LoginPhoneState {
    init(_ place: LoginWorld.Place<LoginPhone>) {
        let screen = place.app.screen
        device = Int(place.phone.device.rawValue)
        name = place.phone.name
        page = screen.page.word
        desk = screen.page.desk?.digits
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
        away = screen.settings.walkingAway
        near = screen.settings.loginByNearness
    }
}

/// Who is at a desk, for programs elsewhere.
struct DeskSession: Described, Equatable {
    static let schemaName = "DeskSession"

    @Property("The desk's four digits.") var desk = ""
    @Property("Who is logged in.") var user: String? = nil
    @Property var isLocked = false
}

struct LoginState: Described, Equatable {
    static let schemaName = "LoginState"

    @Property var desks: [DeskState] = []
    @Property var phones: [LoginPhoneState] = []
    /// Empty where there is no office.
    @Property("What the day in the office has brought so far, in sentences.") var report: [String] = []
}

/// A finger on a phone's screen.
struct LoginAction: Described {
    static let schemaName = "LoginAction"

    @Property(
        as: .choice([
            "unlock", "lock", "set-pin", "choose", "rescan", "submit", "code", "trust-anew", "cancel",
            "ask-to-end", "confirm-end", "lock-desk", "unlock-desk", "forget", "forget-credentials", "away",
            "near",
        ])
    )
    var action = ""
    @Property("Four digits, of choose and forget.") var desk: String? = nil
    @Property("The digits on the monitor.") var code: String? = nil
    @Property("Of unlock and set-pin, which takes it away if it is empty.") var pin: String? = nil
    @Property("Of submit.") var user: String? = nil
    @Property("Of submit.") var password: String? = nil
    @Property("Of away: nothing, lock or end; of near: on or off.") var way: String? = nil
}

/// What a person does at a desk.
struct DeskAction: Described {
    static let schemaName = "DeskAction"

    @Property(as: .choice(["end-session", "lock", "log-in"])) var action = ""
    @Property("Of log-in.") var user: String? = nil
    @Property("Of log-in: what was typed at the desk itself.") var password: String? = nil

    var credentials: Credentials { Credentials(user: user ?? "", password: password ?? "") }
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
                .asking("/api/login/sessions/{desk}", tag: "Login", "Who is logged in at the desk with four digits.") {
                    call throws(PanelError) in
                    try await api.perform { owner throws(PanelError) in
                        let screen = owner.desks[try desk(call["desk"], of: owner)].app.screen
                        let session = screen.session
                        return DeskSession(
                            desk: screen.identifier.digits,
                            user: session?.user,
                            isLocked: session?.isLocked ?? false
                        )
                    }
                },
                .doing(.delete, "/api/login/sessions/{desk}", tag: "Login", "Logs out who is at that desk.") {
                    call throws(PanelError) in
                    try await api.perform { owner throws(PanelError) in
                        if let refusal = owner.obey("end", desk: try desk(call["desk"], of: owner)) {
                            throw PanelError(.conflict, "refused", refusal)
                        }
                        owner.settle()
                    }
                },
                .ordering(.post, "/api/login/desks/{desk}/actions", tag: "Login", "Does something at a desk.") {
                    (call, body: DeskAction) throws(PanelError) in
                    let number = try call.number("desk", "desk")
                    return try await api.perform { owner throws(PanelError) in
                        guard let desk = owner.desks.firstIndex(where: { Int($0.phone.device.rawValue) == number })
                        else { throw PanelError(.notFound, "no-such-desk", "device \(number) is no desk") }
                        let refusal =
                            switch body.action {
                            case "log-in":
                                owner.logIn(body.credentials, desk: desk)
                            case "end-session": owner.obey("end", desk: desk)
                            default: owner.obey(body.action, desk: desk)
                            }
                        if let refusal {
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

    private static func desk(_ digits: String, of owner: LoginWorld) throws(PanelError) -> Int {
        guard let number = owner.desks.firstIndex(where: { $0.app.screen.identifier.digits == digits }) else {
            throw PanelError(.notFound, "no-such-desk", "there is no desk \"\(digits)\" here")
        }
        return number
    }

    private static func obey(_ body: LoginAction, _ app: LoginPhone) -> String? {
        switch body.action {
        case "unlock": app.unlock(pin: body.pin ?? "")
        case "lock": return LoginDialogue.obey("app-lock", nil, app)
        case "set-pin": app.setPIN(body.pin.flatMap { $0.isEmpty ? nil : $0 })
        case "choose":
            guard let identifier = body.desk.flatMap(DeskIdentifier.init(typed:)) else {
                return "a desk has four digits"
            }
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
                    notice: screen.notice,
                    // Fifty of them, ten times a second, are too many.
                    qrCode: owner.office == nil ? screen.identifier.qrCode.svg : nil
                )
            },
            phones: owner.phones.map(LoginPhoneState.init),
            report: owner.office?.report.sentences ?? []
        )
    }
}
