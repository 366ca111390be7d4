public import AppTime
public import CoreBluetooth
import Foundation

/// A desk that lets people in who carry the right phone: the peripheral of the workstation login.
///
/// It lives on one queue or thread: that on which its manager and its clock call it.
public final class Desk: NSObject {
    public struct Settings: Equatable, Sendable {
        /// When a phone has to be told the six digits on the screen.
        public enum CodePolicy: String, CaseIterable, Sendable {
            /// When the phone does not know the desk yet.
            case firstTime = "first-time"
            /// Whenever somebody logs in: nobody gets in who does not stand in front of the desk.
            case always
        }

        public var code = CodePolicy.firstTime
        /// How long somebody may take to type the code, in seconds.
        public var codeSeconds: TimeInterval = 60
        /// How long a phone may be out of reach before its session ends, in seconds, where it wants that.
        public var linkLossSeconds: TimeInterval = 0

        public init() {}
    }

    public private(set) var screen: DeskScreen {
        didSet { if screen != oldValue { changed?() } }
    }
    /// Called after something on the screen has changed.
    public var changed: (() -> Void)?
    /// Called when something has happened.
    public var happened: ((DeskEvent) -> Void)?
    /// The desk's lasting public key.
    public var publicKey: Data { key.publicKey }

    /// How long a phone may take to keep its promise, in seconds.
    private static let answerSeconds: TimeInterval = 10

    private let key: DeskKey
    private let verifier: any CredentialVerifier
    private let settings: Settings
    private let clock: AppClock
    private let random: RandomBytes
    private let work: SlowWork
    private let manager: CBPeripheralManager
    private let exchange: CBMutableCharacteristic
    private let service: CBMutableService
    private var isPublished = false
    private var visitors: [Visitor] = []
    private var watch = DeskGuard()
    /// Whose session it is; kept while the link is lost.
    private var owner: Visitor?
    private var lossTimer: AppTimer?

    /// A central that talks to the desk, and how far they are.
    private final class Visitor {
        enum Step {
            case nothing
            case offered(DeskHandshake)
            case agreed
            /// Somebody finds out whether the credentials are right.
            case checking
            case inside
        }

        let central: CBCentral
        var pipe: FramedPipe!
        var step = Step.nothing
        var channel: SealedChannel?
        var endsWithLink = true
        var showsCode = false
        var alarm: AppTimer?
        var isGone = false

        init(_ central: CBCentral) { self.central = central }
    }

    /// - Parameters:
    ///   - key: what the desk is known by; keep it.
    ///   - work: where the verifier is asked.
    public init(
        identifier: DeskIdentifier,
        key: DeskKey,
        verifier: any CredentialVerifier,
        settings: Settings = Settings(),
        queue callbacks: DispatchQueue? = nil,
        clock: AppClock,
        random: RandomBytes = .system,
        work: SlowWork = .inline
    ) {
        self.key = key
        self.verifier = verifier
        self.settings = settings
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
            happened?(.advertising(false))
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
        happened?(.advertising(error == nil))
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
            // Who cannot be answered is not listened to.
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

// Talking to a phone.
extension Desk {
    private func visitor(_ central: CBCentral) -> Visitor {
        if let visitor = visitors.first(where: { $0.central.identifier == central.identifier }) { return visitor }
        let visitor = Visitor(central)
        let outlet = FramedPipe.Outlet {
            central.maximumUpdateValueLength
        } send: { [weak self] packet in
            guard let self else { return false }
            return manager.updateValue(packet, for: exchange, onSubscribedCentrals: [central])
        }
        visitor.pipe = FramedPipe(
            outlet,
            maximumLength: LoginProfile.maximumMessageLength,
            clock: clock,
            random: random
        )
        visitor.pipe.received = { [weak self, weak visitor] message in
            if let self, let visitor { receive(message, from: visitor) }
        }
        visitors.append(visitor)
        return visitor
    }

    private func leave(_ visitor: Visitor) {
        visitors.removeAll { $0 === visitor }
        visitor.isGone = true
        visitor.pipe.close()
        visitor.alarm?.cancel()
        hideCode(of: visitor)
        guard owner === visitor, visitor.endsWithLink else { return }
        lossTimer?.cancel()
        guard settings.linkLossSeconds > 0 else { return endSession(.linkLost) }
        setLocked(true)
        lossTimer = clock.once(after: settings.linkLossSeconds) { [weak self] in self?.endSession(.linkLost) }
    }

    private func receive(_ bytes: Data, from visitor: Visitor) {
        switch (LoginMessage(bytes), visitor.step) {
        case (.hello(let hello), .nothing): greet(hello, visitor)
        case (.reveal(let key, let nonce), .offered(let handshake)): agree(handshake, key, nonce, visitor)
        case (.sealed(let box), .agreed), (.sealed(let box), .inside):
            guard let message = try? visitor.channel?.open(box) else { return intrude(visitor) }
            obey(message, visitor)
        // What is being checked is answered first; and the phone may not have heard yet that it is over.
        case (.sealed, .checking), (.sealed, .nothing): return
        default: intrude(visitor)
        }
    }

    private func greet(_ hello: LoginMessage.Hello, _ visitor: Visitor) {
        if let seconds = watch.wait(at: clock.now) { return refuse(visitor, .wait(seconds: seconds)) }
        guard hello.identifier == screen.identifier else {
            refuse(visitor, .otherDesk)
            noteFailure()
            return
        }
        let isSomebodyAtIt = visitors.contains { if case .nothing = $0.step { false } else { $0 !== visitor } }
        guard owner == nil || owner!.isGone, !isSomebodyAtIt else { return refuse(visitor, .busy) }
        let handshake = DeskHandshake(hello, deskKey: key, demandsCode: settings.code == .always, random: random)
        visitor.step = .offered(handshake)
        visitor.pipe.send(handshake.offer)
        hurry(visitor, Self.answerSeconds)
    }

    /// Nobody keeps others waiting by being slow.
    private func hurry(_ visitor: Visitor, _ seconds: TimeInterval) {
        visitor.alarm?.cancel()
        visitor.alarm = clock.once(after: seconds) { [weak self, weak visitor] in
            guard let self, let visitor else { return }
            hideCode(of: visitor)
            visitor.step = .nothing
            refuse(visitor, .tooSlow)
        }
    }

    private func agree(_ handshake: DeskHandshake, _ key: Data, _ nonce: Data, _ visitor: Visitor) {
        guard let (channel, code, proof) = try? handshake.conclude(ephemeralKey: key, nonce: nonce) else {
            return intrude(visitor)
        }
        visitor.channel = channel
        visitor.step = .agreed
        visitor.pipe.send(LoginMessage.proof(proof).bytes)
        hurry(visitor, settings.codeSeconds)
        guard handshake.hello.wantsCode || settings.code == .always else { return }
        visitor.showsCode = true
        screen.code = code
        happened?(.codeShown(code))
    }

    private func obey(_ message: SealedMessage, _ visitor: Visitor) {
        switch (message, visitor.step) {
        case (.credentials(let credentials, let endsWithLink), .agreed):
            visitor.alarm?.cancel()
            hideCode(of: visitor)
            visitor.step = .checking
            visitor.endsWithLink = endsWithLink
            let verifier = verifier
            work {
                verifier.verify(credentials)
            } then: { [weak self, weak visitor] verdict in
                if let self, let visitor { conclude(verdict, credentials.user, visitor) }
            }
        case (.end(let walkedAway), .inside): endSession(walkedAway ? .walkedAway : .requested)
        case (.lock, .inside): setLocked(true)
        case (.unlock, .inside): setLocked(false)
        default: intrude(visitor)
        }
    }

    private func conclude(_ verdict: CredentialVerdict, _ user: String, _ visitor: Visitor) {
        guard !visitor.isGone, case .checking = visitor.step else { return }
        switch verdict {
        case .accepted:
            watch.succeeded()
            // The one whose phone was lost for a while makes room.
            if owner != nil { endSession(.linkLost) }
            owner = visitor
            visitor.step = .inside
            screen.session = DeskScreen.Session(user: user)
            screen.notice = nil
            send(.accepted, to: visitor)
            happened?(.loggedIn(user: user))
            manager.setDesiredConnectionLatency(.high, for: visitor.central)
        case .rejected:
            // Others may be tried over the same keys.
            visitor.step = .agreed
            hurry(visitor, settings.codeSeconds)
            happened?(.rejected(user: user))
            let seconds = noteFailure()
            send(.rejected(seconds.map { .wait(seconds: UInt16($0)) } ?? .wrong), to: visitor)
            if seconds != nil {
                visitor.alarm?.cancel()
                visitor.step = .nothing
            }
        case .unavailable(let why):
            visitor.step = .agreed
            hurry(visitor, settings.codeSeconds)
            screen.notice = "Passwords cannot be checked at the moment"
            happened?(.unavailable(why))
            send(.rejected(.unavailable), to: visitor)
        }
    }

    private func send(_ message: SealedMessage, to visitor: Visitor) {
        guard !visitor.isGone, let sealed = visitor.channel?.seal(message) else { return }
        visitor.pipe.send(sealed)
    }

    private func refuse(_ visitor: Visitor, _ refusal: DeskRefusal) {
        visitor.pipe.send(LoginMessage.refusal(refusal).bytes)
        happened?(.refused(refusal))
    }

    /// Somebody is not who they were, or never was anybody: nothing of what was agreed counts any more.
    private func intrude(_ visitor: Visitor) {
        visitor.alarm?.cancel()
        hideCode(of: visitor)
        visitor.channel = nil
        visitor.step = .nothing
        happened?(.intrusion)
        refuse(visitor, .noSense)
        noteFailure()
        if owner === visitor { endSession(.linkLost) }
    }

    /// Something failed; for how many seconds the desk is closed, if it is.
    @discardableResult
    private func noteFailure() -> Int? {
        guard let seconds = watch.failed(at: clock.now) else { return nil }
        screen.notice = "Too many failures: closed for \(seconds) s"
        happened?(.closed(seconds: seconds))
        _ = clock.once(after: Double(seconds)) { [weak self] in
            guard let self, watch.wait(at: clock.now) == nil, screen.notice?.hasPrefix("Too many") == true else {
                return
            }
            screen.notice = nil
        }
        return seconds
    }

    private func hideCode(of visitor: Visitor) {
        guard visitor.showsCode else { return }
        visitor.showsCode = false
        screen.code = nil
        happened?(.codeHidden)
    }

    private func setLocked(_ isLocked: Bool) {
        guard let session = screen.session, session.isLocked != isLocked, let owner else { return }
        screen.session?.isLocked = isLocked
        send(isLocked ? .locked : .unlocked, to: owner)
        happened?(isLocked ? .locked(user: session.user) : .unlocked(user: session.user))
    }

    private func endSession(_ end: SessionEnd) {
        guard let session = screen.session else { return }
        lossTimer?.cancel()
        screen.session = nil
        if let owner, !owner.isGone {
            send(.ended(end), to: owner)
            // What comes now begins anew.
            owner.step = .nothing
        }
        owner = nil
        happened?(.loggedOut(user: session.user, end))
    }
}
