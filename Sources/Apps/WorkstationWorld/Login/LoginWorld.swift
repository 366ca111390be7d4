import BluethroatAppEnvironment
public import BluethroatBondDatabase
import BluethroatControlPanel
public import BluethroatEvents
import BluethroatKeyFobConsole
public import BluethroatLive
public import BluethroatLiveLoop
public import BluethroatOfficeDay
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
public import BluethroatWorkstationLogin
public import Foundation

/// A live world with a desk in it, a phone with the login app, both, or a whole office of them.
public final class LoginWorld: LiveSystem {
    /// What a desk is like.
    public struct DeskSetup: Sendable {
        /// The four digits on its monitor.
        public var identifier: DeskIdentifier
        /// What phones know the desk by.
        public var key: DeskKey
        /// Says who may log in.
        public var verifier: any CredentialVerifier
        /// When it asks for its code, and when a session ends.
        public var settings: Desk.Settings
        /// Where its failures are kept; nil for nowhere.
        public var tries: (any DeskTries)?
        /// Where logins, refusals and log-outs are noted; nil for nowhere.
        public var log: AuditLog?

        /// Whether its QR code is shown when it begins.
        public var showsCode = false
        /// Hides what is typed from now on, and returns what shows it again; nil where nothing is to be hidden.
        public var hideTyping: (@Sendable () -> (@Sendable () -> Void)?)?

        /// By default with the usual settings.
        public init(
            identifier: DeskIdentifier,
            key: DeskKey,
            verifier: any CredentialVerifier,
            settings: Desk.Settings = Desk.Settings()
        ) {
            self.identifier = identifier
            self.key = key
            self.verifier = verifier
            self.settings = settings
        }
    }

    /// What a phone with the login app is like.
    public struct PhoneSetup: Sendable {
        /// Where credentials are kept, sealed.
        public enum Storage: Sendable {
            /// They are forgotten with the phone.
            case memory
            case files(URL)
        }

        /// Where credentials are kept.
        public var storage: Storage
        /// Where to log in, as soon as it can be done.
        public var desk: DeskIdentifier?
        /// Who logs in; nil asks.
        public var user: String?
        /// With which password; nil asks.
        public var password: String?
        /// Whether the session ends with the first login.
        public var isOnce = false
        /// Hides what is typed from now on, and returns what shows it again; nil where nothing is to be hidden.
        public var hideTyping: (@Sendable () -> (@Sendable () -> Void)?)?
        /// Changes the app's settings when it begins.
        public var change: (@Sendable (inout LoginSettings) -> Void)?

        /// A phone whose person is asked for everything.
        public init(storage: Storage) { self.storage = storage }
    }

    /// What is in the world.
    public struct Setup: Sendable {
        /// A desk, if there is one.
        public var desk: DeskSetup?
        /// A phone with the login app, if there is one.
        public var phone: PhoneSetup?
        /// A day in an office, instead of those.
        public var office: OfficePlan?
        /// Where the bonds of the desk, or else of the phone, are kept; nil for nowhere.
        public var bonds: BondLocation?

        /// A desk, a phone, both, or a whole office.
        public init(desk: DeskSetup? = nil, phone: PhoneSetup? = nil, office: OfficePlan? = nil) {
            self.desk = desk
            self.phone = phone
            self.office = office
        }
    }

    /// A desk or a phone, and its radio.
    struct Place<App> {
        let app: App
        let phone: Phone
    }

    public let session: LiveSession
    let events: EventSink<LoginEvent>
    let setup: Setup
    /// That of the desk, or else of the phone.
    private let identity: PersistentIdentity?
    private(set) var desks: [Place<Desk>] = []
    private(set) var phones: [Place<LoginPhone>] = []
    private(set) var office: OfficeDay?
    /// Does something on the thread of the session, from any other; nil before there is one.
    private var later: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
    private var dialogue: LoginDialogue?
    /// Whose password is the next line, at a desk without a phone beside it.
    private var typist: String?
    private var showTyping: (@Sendable () -> Void)?
    private var isOfficeOver = false, isLookDue = false

    /// Throws if the bonds cannot be opened.
    public init(
        _ session: LiveSession,
        _ events: EventSink<LoginEvent>,
        _ setup: Setup
    ) throws(OperationFailure) {
        self.session = session
        self.events = events
        self.setup = setup
        let name = setup.desk.map { "desk \($0.identifier)" } ?? "login"
        identity = try setup.bonds.map { file throws(OperationFailure) in
            try PersistentIdentity(named: name, in: file, warn: events.warn)
        }
    }

    /// Has what takes long done on other threads, which end on the thread of the loop. To be called when it is live.
    public static func doSlowWorkElsewhere(_ live: LiveLoop<LoginWorld>) {
        live.post { world in
            // The loop has the world, which is not to keep it.
            world.later = { [weak live] body in
                live?.post { world in
                    body()
                    world.settle()
                }
            }
        }
    }

    public func begin() {
        if let plan = setup.office {
            beginOffice(plan)
        } else {
            if let desk = setup.desk { add(desk) }
            if let phone = setup.phone { add(phone) }
        }
        settle()
    }

    private func add(_ setup: DeskSetup) {
        let phone = session.addPhone(
            named: "Desk \(setup.identifier)",
            identity: identity,
            adjust: { $0.pairForLogin() }
        )
        let desk = phone.addApp(named: "Desk", backgroundModes: .bluetoothPeripheral).run {
            Desk(
                identifier: setup.identifier,
                key: setup.key,
                verifier: setup.verifier,
                settings: setup.settings,
                tries: setup.tries,
                log: setup.log,
                clock: .of(world),
                work: work
            )
        }
        desks.append(Place(app: desk, phone: phone))
        desk.happened = { [unowned self] event in
            events.emit(.desk(desk.screen.identifier, event, at: world.now))
        }
        if setup.showsCode { showCode(of: desk) }
    }

    private func showCode(of desk: Desk) { events.emit(.asked(desk.screen.identifier.qrCode.halfBlocks)) }

    private func add(_ setup: PhoneSetup) {
        let phone = session.addPhone(named: "Phone", identity: setup.desk == nil ? identity : nil) { $0.pairForLogin() }
        let storage: any VaultStorage =
            switch setup.storage {
            case .memory: MemoryVaultStorage()
            case .files(let folder): FileVaultStorage(folder: folder)
            }
        let app = phone.addApp(named: "Login", backgroundModes: .bluetoothCentral).run {
            LoginPhone(
                vault: CredentialVault(storage),
                clock: .of(world),
                isLinkEncrypted: { [unowned phone] in phone.isLinkEncrypted(to: $0) }
            )
        }
        phones.append(Place(app: app, phone: phone))
        dialogue = LoginDialogue(app, setup, world: world, events)
        app.changed = { [unowned self] in lookSoon() }
    }

    private func beginOffice(_ plan: OfficePlan) {
        let day = OfficeRun.makeDay(plan, seed: world.seed, in: session)
        office = day
        for (desk, phone) in zip(day.desks, day.deskPhones) { desks.append(Place(app: desk, phone: phone)) }
        for (app, phone) in zip(day.apps, day.appPhones) { phones.append(Place(app: app, phone: phone)) }
        day.happened = { [unowned self] desk, event in
            events.emit(.desk(desk.screen.identifier, event, at: world.now))
        }
    }

    /// At the instant at which something has changed, and not only after a long run of the world.
    private func lookSoon() {
        guard !isLookDue else { return }
        isLookDue = true
        world.schedule(at: world.now) { [weak self] _ in
            self?.isLookDue = false
            self?.dialogue?.look()
        }
    }

    /// Sessions end with their desks, in the log too.
    public func end() {
        for desk in desks { desk.app.endSession() }
        settle()
    }

    public func ran() {
        dialogue?.look()
        if let office, office.isOver, !isOfficeOver {
            isOfficeOver = true
            events.emit(.dayIsOver(office.report, at: world.now))
        }
    }

    /// What takes long is done elsewhere where time is real, and takes no time where it is not.
    private var work: SlowWork {
        SlowWork { [unowned self] work, then in
            guard !isVirtual, let later else {
                work()
                return then()
            }
            nonisolated(unsafe) let then = then
            DispatchQueue.global(qos: .userInitiated).async {
                work()
                later { then() }
            }
        }
    }

    // MARK: Words

    /// Takes a line of the person at the desk or with the phone; nil when there are no more.
    public func take(_ line: String?) {
        guard let line else { dialogue?.hearNoMore(); return }
        defer { settle() }
        if let dialogue { return dialogue.take(line) }
        if let user = typist {
            typist = nil
            showTyping?()
            showTyping = nil
            if let refusal = logIn(Credentials(user: user, password: line), desk: 0) {
                events.fail(refusal, at: world.now)
            }
            return
        }
        let word = line.trimmingCharacters(in: .whitespaces)
        guard !word.isEmpty else { return }
        if word.hasPrefix("login ") {
            typist = word.dropFirst("login ".count).trimmingCharacters(in: .whitespaces)
            showTyping = setup.desk?.hideTyping?()
            return events.emit(.asked("Password:"))
        }
        if word == "quit" || word == "q" { return events.end() }
        if let refusal = obey(word, desk: 0) { events.fail(refusal, at: world.now) }
    }

    /// A password is typed at a desk; why it is not checked, if it is not.
    func logIn(_ credentials: Credentials, desk number: Int) -> String? {
        defer { world.runExternalWork() }
        return desks[number].app.logIn(credentials)
    }

    /// Does something at a desk; what was wrong if it cannot be.
    func obey(_ word: String, desk number: Int) -> String? {
        guard desks.indices.contains(number) else { return "there is no such desk" }
        let desk = desks[number].app
        switch word {
        case "end", "lock":
            guard desk.screen.session != nil else { return "nobody is logged in" }
            if word == "end" { desk.endSession() } else { desk.lock() }
        case "qr": showCode(of: desk)
        // It may be a password that came when none was asked for, and what is printed may be kept for all to read.
        default: return "that is no word of a desk; it knows end, lock, login NAME, qr and quit"
        }
        world.runExternalWork()
        return nil
    }
}
