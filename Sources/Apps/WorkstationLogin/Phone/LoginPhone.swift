public import BluethroatAppEnvironment
public import CoreBluetooth
public import Foundation

/// The app that logs its person in at desks: the central of the workstation login.
///
/// It lives on one queue or thread: that on which its manager and its clock call it and fingers reach it.
public final class LoginPhone: NSObject {
    public internal(set) var screen = LoginScreen() {
        didSet { if screen != oldValue { changed?() } }
    }
    /// Called after something on the screen has changed.
    public var changed: (() -> Void)?

    /// How long the registry is filled after the launch, in seconds.
    public static let registrySeconds: TimeInterval = 4
    /// How long a desk is searched that is not in the registry, in seconds.
    public static let searchSeconds: TimeInterval = 10
    /// How long each desk with the right digits may take until it has shown its key, in seconds.
    static let connectSeconds: TimeInterval = 20
    /// How long a desk may take to check credentials, in seconds; longer than a desk gives its verifier.
    static let verdictSeconds: TimeInterval = 40

    let vault: CredentialVault
    let clock: AppClock
    let random: RandomBytes
    let manager: CBCentralManager
    /// Whether the link to a desk is encrypted; nil where the system does not report it to apps.
    let isLinkEncrypted: ((UUID) -> Bool)?
    var registry = DeskRegistry()
    var registryTimer: AppTimer?
    var searchTimer: AppTimer?
    /// What its person has typed and no desk has accepted yet.
    var typed: Credentials?
    var visit: DeskVisit?
    /// Other desks with the right digits.
    var candidates: [CBPeripheral] = []
    var reach = DeskReach()
    var reachTimer: AppTimer?
    /// What was wrong with one of them, if the user should see it.
    enum Suspicion { case otherKey, intrusion, unencrypted }
    var suspicion: Suspicion?
    /// How near the desks are that the phone knows.
    var nearness: [DeskIdentifier: Nearness] = [:]
    /// Whether this login was begun by nearness, not by the user.
    var hasComeNear = false
    /// Desks whose link was lost while a person had the session locked: nearness logs in at none of them, which would open it.
    var lockedByPerson: Set<DeskIdentifier> = []

    /// - Parameters:
    ///   - vault: where credentials are kept.
    ///   - callbacks: where the manager calls; nil is the main queue.
    ///   - isLinkEncrypted: whether the link to the peripheral with an identifier is encrypted. With it the phone says nothing over a link that
    ///     is not. Apple's API has no answer to that: leave it out there, and the desk alone demands encryption.
    public init(
        vault: CredentialVault,
        queue callbacks: DispatchQueue? = nil,
        clock: AppClock,
        random: RandomBytes = .system,
        isLinkEncrypted: ((UUID) -> Bool)? = nil
    ) {
        self.isLinkEncrypted = isLinkEncrypted
        self.vault = vault
        self.clock = clock
        self.random = random
        manager = CBCentralManager(delegate: nil, queue: callbacks)
        super.init()
        manager.delegate = self
        if vault.needsPIN {
            screen.page = .locked
        } else {
            openVault(pin: nil)
        }
        showVault()
    }
}

// What people do with it.
extension LoginPhone {
    /// The PIN is entered.
    public func unlock(pin: String) {
        guard screen.page == .locked else { return }
        screen.notice = nil
        openVault(pin: pin)
        showVault()
    }

    /// The app is closed with its PIN, if it has one. A session goes on.
    public func lock() {
        guard vault.hasPIN, screen.page == .start else { return }
        vault.lock()
        typed = nil
        screen.page = .locked
        screen.notice = nil
        showVault()
    }

    /// Has a PIN asked for from now on, or none.
    public func setPIN(_ pin: String?) {
        guard vault.record != nil else { return }
        screen.notice = nil
        do {
            try vault.setPIN(pin)
        } catch {
            screen.notice = "\(error)"
        }
        showVault()
    }

    public func change(_ settings: LoginSettings) {
        guard var record = vault.record else { return }
        if let fault = settings.fault { return screen.notice = fault }
        screen.notice = nil
        record.settings = settings
        if settings.asksEachTime { (record.credentials, typed) = (nil, nil) }
        save(record)
        nearness = [:]
        lookAround()
    }

    /// Four digits are entered, or the button with them is pressed.
    public func choose(_ identifier: DeskIdentifier) { choose(identifier, byNearness: false) }

    func choose(_ identifier: DeskIdentifier, byNearness: Bool) {
        switch screen.page {
        case .start, .notFound, .otherKey, .credentials: break
        default: return
        }
        hasComeNear = byNearness
        if !byNearness { lockedByPerson.remove(identifier) }
        screen.notice = nil
        leaveDesk()
        guard screen.isBluetoothOn else {
            screen.page = .start
            return screen.notice = "Bluetooth is not on"
        }
        if registry.candidates(identifier).isEmpty { return search(identifier) }
        proceed(to: identifier)
    }

    /// Fills the registry anew.
    public func rescan() {
        guard screen.page == .start else { return }
        registry.clear()
        screen.registry = []
        fillRegistry()
    }

    /// User name and password are entered.
    public func submit(_ credentials: Credentials) {
        guard case .credentials(let identifier, _) = screen.page else { return }
        screen.notice = nil
        hasComeNear = false
        if let fault = credentials.fault { return screen.page = .credentials(identifier, fault: fault) }
        typed = credentials
        if let visit, visit.identifier == identifier, visit.isTrusted {
            sendCredentials(visit)
        } else {
            connect(identifier)
        }
    }

    /// The digits on the desk's monitor are entered.
    public func enterCode(_ digits: String) {
        guard case .code(let identifier, let count, _) = screen.page, let visit else { return }
        switch visit.conversation.enter(code: digits.filter { !$0.isWhitespace }) {
        case .notAsked: return
        case .wrongLength(let length):
            let word = length == DeskCode.length ? "six" : "twelve"
            let fault = "The desk shows \(word) digits; look at its monitor again"
            screen.page = .code(identifier, digits: length, fault: fault)
        case .wrong: screen.page = .code(identifier, digits: count, fault: Self.wrongCode)
        case .exhausted:
            giveUp("The digits were others three times. Somebody may stand between you and the desk. Nothing was sent.")
        case .trusted(let newKey):
            if let newKey { trust(identifier, newKey) }
            hasComeNear = false
            sendCredentials(visit)
        }
    }

    /// Its person wants to go back to the start.
    public func cancel() {
        if case .connected(var connected) = screen.page {
            connected.asksToEnd = false
            screen.page = .connected(connected)
            return
        }
        guard screen.page != .locked else { return }
        screen.notice = nil
        typed = nil
        leaveDesk()
        toStart()
    }

    /// The desk has another key than before, and its person knows why: the digits on its monitor decide again.
    public func trustAnew() {
        guard case .otherKey(let identifier) = screen.page else { return }
        forget(identifier)
        screen.page = .start
        choose(identifier)
    }

    /// A desk's button is taken away, and what was known of the desk.
    public func forget(_ identifier: DeskIdentifier) {
        guard var record = vault.record else { return }
        record.desks.removeAll { $0.identifier == identifier }
        save(record)
    }

    /// User name and password are forgotten.
    public func forgetCredentials() {
        guard var record = vault.record else { return }
        (record.credentials, typed) = (nil, nil)
        save(record)
    }

    /// The session's end is asked for; a dialog comes.
    public func askToEnd() {
        guard case .connected(var connected) = screen.page else { return }
        connected.asksToEnd = true
        screen.page = .connected(connected)
    }

    /// The dialog is answered with yes.
    public func confirmEnd() {
        guard case .connected(let connected) = screen.page, connected.asksToEnd else { return }
        end(walkedAway: false)
    }

    /// The session's screen is locked at once, or unlocked.
    public func setDeskLocked(_ isLocked: Bool) {
        guard case .connected = screen.page else { return }
        visit?.isLockedByAbsence = false
        visit?.send(visit?.conversation.lock(isLocked))
    }
}

// What is kept.
extension LoginPhone {
    private func openVault(pin: String?) {
        do {
            try vault.open(pin: pin)
            screen.page = .start
        } catch .wiped {
            typed = nil
            screen.page = .start
            screen.notice = "The tenth wrong PIN: everything was erased"
            _ = try? vault.open()
        } catch {
            screen.notice = "\(error)"
        }
        lookAround()
    }

    func save(_ record: CredentialVault.Record) {
        do { try vault.save(record) } catch { screen.notice = "\(error)" }
        showVault()
    }

    func showVault() {
        screen.hasPIN = vault.hasPIN
        screen.triesLeft = vault.triesLeft
        screen.buttons = vault.record?.desks.map(\.identifier) ?? []
        screen.settings = vault.record?.settings ?? LoginSettings()
    }

    func knownKey(_ identifier: DeskIdentifier) -> Data? {
        vault.record?.desks.first { $0.identifier == identifier }?.key
    }

    /// The digits on both screens were the same: this is the desk.
    private func trust(_ identifier: DeskIdentifier, _ key: Data) {
        guard var record = vault.record else { return }
        record.desks.removeAll { $0.identifier == identifier }
        record.desks.insert(CredentialVault.KnownDesk(identifier: identifier, key: key), at: 0)
        save(record)
    }
}
