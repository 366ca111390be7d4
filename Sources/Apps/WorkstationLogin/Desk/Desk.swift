public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// A desk that lets people in who carry the right phone: the peripheral of the workstation login.
///
/// It lives on one queue or thread: that on which its manager and its clock call it.
public final class Desk: NSObject {
    public struct Settings: Equatable, Sendable {
        /// When the user has to type the six digits on the screen into the phone.
        public enum CodePolicy: String, CaseIterable, Sendable {
            /// When the phone does not know the desk yet.
            case firstTime = "first-time"
            /// At each login: the desk draws digits, and demands them with the credentials.
            case always
        }

        public var code = CodePolicy.firstTime
        /// How long the user may take to type the code, in seconds.
        public var codeSeconds: TimeInterval = 60
        /// How long a visit may take until there is a session, with all that is typed wrong, in seconds.
        public var visitSeconds: TimeInterval = 180
        /// How long a phone may be out of reach before its session ends, in seconds, where it wants that.
        public var linkLossSeconds: TimeInterval = 0

        public init() {}
    }

    public internal(set) var screen: DeskScreen {
        didSet { if screen != oldValue { changed?() } }
    }
    /// Called after something on the screen has changed.
    public var changed: (() -> Void)?
    /// Called when something has happened.
    public var happened: ((DeskEvent) -> Void)?
    /// The desk's lasting public key.
    public var publicKey: Data { key.publicKey }

    /// How long a phone may take to keep its promise, in seconds.
    static let answerSeconds: TimeInterval = 10
    /// How long a verifier may take, in seconds.
    static let checkSeconds: TimeInterval = 30

    let key: DeskKey
    let verifier: any CredentialVerifier
    let settings: Settings
    let clock: AppClock
    let random: RandomBytes
    let work: SlowWork
    let manager: CBPeripheralManager
    let exchange: CBMutableCharacteristic
    private let service: CBMutableService
    private var isPublished = false
    var visitors: [DeskVisitor] = []
    var refusalPace = RefusalPace()
    /// What is counted is kept at once, before anybody hears of it.
    var watch: DeskGuard {
        didSet { if watch.differs(from: oldValue, keptAs: tries?.failures, at: clock.now) { keepFailures() } }
    }
    let tries: (any DeskTries)?
    /// Why the latest failures are not kept; no password is checked until they are.
    var keepingFault: String?
    let log: AuditLog?
    /// Why something is not in the log; nobody logs in until it is.
    var loggingFault: String?
    /// Checks of credentials that the verifier has not ended.
    var checksUnderWay = 0
    /// Counts passwords typed at the desk; an alarm rings while the latest is checked.
    var keyboardCheck: UInt64 = 0
    var keyboardAlarm: AppTimer?
    /// The phone whose session it is; kept while the link is lost, nil for a session that was opened at the desk.
    var owner: DeskVisitor?
    var lossTimer: AppTimer?

    /// - Parameters:
    ///   - key: what the desk is known by; keep it.
    ///   - tries: where failures are kept beyond the desk's end; nil for nowhere.
    ///   - log: where logins, refusals and log-outs are noted; nil for nowhere.
    ///   - work: where the verifier is asked.
    public init(
        identifier: DeskIdentifier,
        key: DeskKey,
        verifier: any CredentialVerifier,
        settings: Settings = Settings(),
        tries: (any DeskTries)? = nil,
        log: AuditLog? = nil,
        queue callbacks: DispatchQueue? = nil,
        clock: AppClock,
        random: RandomBytes = .system,
        work: SlowWork = .inline
    ) {
        self.key = key
        self.verifier = verifier
        self.settings = settings
        self.tries = tries
        self.log = log
        watch = tries.map { DeskGuard($0.failures, at: clock.now) } ?? DeskGuard()
        self.clock = clock
        self.random = random
        self.work = work
        screen = DeskScreen(identifier: identifier)
        manager = CBPeripheralManager(delegate: nil, queue: callbacks)
        let identity = CBMutableCharacteristic(
            type: LoginProfile.identity,
            properties: .read,
            value: Data([LoginProfile.version]) + Data(identifier.digits.utf8),
            permissions: .readable
        )
        exchange = CBMutableCharacteristic(
            type: LoginProfile.exchange,
            properties: [.notifyEncryptionRequired, .writeWithoutResponse],
            value: nil,
            permissions: .writeEncryptionRequired
        )
        service = CBMutableService(type: LoginProfile.service, primary: true)
        service.characteristics = [identity, exchange]
        super.init()
        manager.delegate = self
    }
}

// What people do at the desk.
extension Desk {
    /// Ends the session at the desk itself.
    public func endSession() { endSession(.atDesk) }

    /// Locks the session's screen; its phone can unlock it.
    public func lock() { setLocked(true) }
}

extension Desk: CBPeripheralManagerDelegate {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else {
            for visitor in visitors { leave(visitor) }
            if peripheral.state.rawValue < CBManagerState.poweredOff.rawValue { isPublished = false }
            screen.isAdvertising = false
            screen.notice = "Bluetooth is not on"
            tell(.advertising(false))
            return
        }
        screen.notice = nil
        if !isPublished {
            isPublished = true
            peripheral.add(service)
        }
        guard !peripheral.isAdvertising else { return }
        peripheral.startAdvertising([
            CBAdvertisementDataServiceUUIDsKey: [LoginProfile.service],
            CBAdvertisementDataLocalNameKey: screen.identifier.advertisedName,
        ])
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        screen.isAdvertising = error == nil
        if let error { screen.notice = "The desk cannot be found: \(error.localizedDescription)" }
        tell(.advertising(error == nil))
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) { _ = visitor(central) }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        if let visitor = visitors.first(where: { $0.central.identifier == central.identifier }) { leave(visitor) }
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
        for request in requests {
            // A peer that cannot be answered is not listened to.
            guard let value = request.value,
                let visitor = visitors.first(where: { $0.central.identifier == request.central.identifier })
            else { continue }
            visitor.pipe.receive(value)
        }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        for visitor in visitors { visitor.pipe.isReady() }
    }
}
