public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// An app that makes a phone behave as a key fob: the Key Fob Simulator of 2013 as its article describes it, with what its
/// author could not have then.
///
/// It lives on one queue or thread: that on which its managers call it, its clock calls it, and its user's fingers reach
/// it. In a world of virtual time that is the thread that runs the world.
public final class KeyFobSimulator: NSObject {
    /// Why an alert sounds.
    public enum AlertCause: Hashable, Sendable {
        /// A central has written to Immediate Alert.
        case immediate
        /// A central has gone out of reach.
        case linkLoss
    }

    public let limits: IOS6Limits
    /// Where it does what the app's source did, and not what the article says.
    public let source: SimulatorSource
    /// What is seen and heard now.
    public private(set) var screen = Screen() {
        didSet { if screen != oldValue { changed?() } }
    }
    /// Called after something about the app has changed: its screen, its alert, its accelerometer.
    public var changed: (() -> Void)?
    /// Why it sounded last; what sounds now is on the screen.
    public private(set) var alertCause = AlertCause.immediate
    /// Updates that were handed to the system.
    public var sentCount: Int { queue.sentCount }
    /// Updates that had to wait, since the system had no room.
    public var delayedCount: Int { queue.delayedCount }
    /// Whether the accelerometer is sampled.
    public var isAccelerometerActive: Bool { accelerometer.isActive }
    public private(set) var isInBackground = false

    private(set) var services: FobServices
    private let watch: CentralWatch?
    private let manager: CBPeripheralManager
    private let queue = TransmitQueue()
    private let accelerometer: Accelerometer
    private var sounds: AlertSounds!
    /// How many of the services are published: always the first ones.
    private var publishedCount = 0
    private var random: any RandomNumberGenerator
    private var linkLossLevel: UInt8 = 0
    /// Who has asked for the alert.
    private var alerter: UUID?
    /// Who is subscribed to which value, in the order in which they came.
    private var subscribers: [FobServices.Value: [UUID]] = [:]

    /// An app on a phone; its managers call it on `queue`, nil being the main queue, and so does `clock`. From
    /// `random` comes how many services `IOS6Limits.backgroundServices` leaves.
    public init(
        limits: IOS6Limits = [],
        source: SimulatorSource = [],
        random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        queue callbacks: DispatchQueue? = nil,
        clock: AppClock
    ) {
        self.limits = limits
        self.source = source
        self.random = random
        services = FobServices(limits: limits)
        accelerometer = Accelerometer(clock: clock)
        watch = limits.contains(.linkLoss) ? nil : CentralWatch(queue: callbacks)
        manager = CBPeripheralManager(delegate: nil, queue: callbacks)
        super.init()
        let lastsAsInSource = source.contains(.alertLength)
        sounds = AlertSounds(clock: clock, lastsAsInSource: lastsAsInSource) { [weak self] tones, isLit in
            guard let self else { return }
            var next = screen
            next.tones = tones
            next.alertLED = isLit
            screen = next
        }
        watch?.found = { [weak self] in self?.centralCame() }
        watch?.lost = { [weak self] central, isOutOfReach in self?.centralLeft(central, isOutOfReach: isOutOfReach) }
        manager.delegate = self
    }
}

// What people do with it.
extension KeyFobSimulator {
    /// A finger comes down on a button that is up. The left one also ends an alert, and changes the transmit power.
    public func touchDown(_ button: Screen.Buttons) {
        guard screen.buttons.isDisjoint(with: button) else { return }
        if button.contains(.left) {
            sounds.stop(source.contains(.leftKey) ? .low : [.low, .high])
            screen.transmitPower = screen.transmitPower == 0 ? -6 : 0
        }
        screen.buttons.insert(button)
        send([screen.buttons.rawValue], .keyState)
    }

    /// The finger is lifted from a button that is down.
    public func touchUp(_ button: Screen.Buttons) {
        guard screen.buttons.isSuperset(of: button) else { return }
        screen.buttons.subtract(button)
        send([screen.buttons.rawValue], .keyState)
    }

    /// The battery's slider is moved, to somewhere from 0 to 100. Each movement is sent.
    public func slide(to value: Double) {
        guard !value.isNaN else { return }
        screen.batterySlider.value = min(max(value, 0), 100)
        send([screen.batteryLevel], .batteryLevel)
    }

    /// The phone is held so that its accelerometer measures this, in g.
    public func tilt(x: Double, y: Double, z: Double) {
        accelerometer.acceleration = Accelerometer.Acceleration(x: x, y: y, z: z)
    }

    /// The Advertise switch is moved. False if it cannot be, since Bluetooth is not on.
    @discardableResult
    public func switchAdvertising(_ isOn: Bool) -> Bool {
        guard screen.advertiseSwitch.isEnabled else { return false }
        guard screen.advertiseSwitch.isOn != isOn else { return true }
        screen.advertiseSwitch.isOn = isOn
        if isOn { advertise() } else { manager.stopAdvertising() }
        return true
    }

    /// The About button is pressed: the fob is not seen any more, and its accelerometer stops.
    public func showAbout() {
        guard screen.about == nil else { return }
        screen.about = Screen.About()
        disappear()
    }

    /// The Back button is pressed.
    public func goBack() { screen.about = nil }

    /// The view with the fob disappears.
    public func disappear() { setAccelerometer(false) }

    /// Another app comes to the front.
    public func enterBackground() {
        guard !isInBackground else { return }
        isInBackground = true
        publish()
        changed?()
    }

    /// The app comes to the front again.
    public func enterForeground() {
        guard isInBackground else { return }
        isInBackground = false
        publish()
        changed?()
    }
}

// What Bluetooth says.
extension KeyFobSimulator: CBPeripheralManagerDelegate {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        let isOn = peripheral.state == .poweredOn
        screen.status = .bluetooth(peripheral.state)
        screen.advertiseSwitch.isEnabled = isOn
        // Below off the system has forgotten everything.
        if peripheral.state.rawValue < CBManagerState.poweredOff.rawValue { publishedCount = 0 }
        guard isOn else { return }
        publish()
        if screen.advertiseSwitch.isOn, !peripheral.isAdvertising { advertise() }
        queue.isReady(peripheral)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        watch?.watch(central)
        guard let value = services.value(of: characteristic) else { return }
        subscribers[value, default: []].removeAll { $0 == central.identifier }
        subscribers[value, default: []].append(central.identifier)
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        guard let value = services.value(of: characteristic) else { return }
        subscribers[value]?.removeAll { $0 == central.identifier }
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        watch?.watch(request.central)
        // Every read is answered: a central waits 30 s for an answer, and may ask nothing else meanwhile.
        guard let value = services.value(of: request.characteristic), let bytes = current(value) else {
            return peripheral.respond(to: request, withResult: .readNotPermitted)
        }
        guard request.offset <= bytes.count else {
            return peripheral.respond(to: request, withResult: .invalidOffset)
        }
        request.value = Data(bytes.dropFirst(request.offset))
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        guard let first = requests.first else { return }
        watch?.watch(first.central)
        var accepted: [(value: FobServices.Value, byte: UInt8)] = []
        for request in requests {
            switch services.value(of: request.characteristic) {
            case .accelerometerEnabled, .immediateAlert, .linkLossAlert: break
            default: return peripheral.respond(to: first, withResult: .requestNotSupported)
            }
            guard request.offset == 0 else { return peripheral.respond(to: first, withResult: .invalidOffset) }
            guard let byte = request.value?.first, let value = services.value(of: request.characteristic) else {
                return peripheral.respond(to: first, withResult: .invalidAttributeValueLength)
            }
            accepted.append((value, byte))
        }
        peripheral.respond(to: first, withResult: .success)
        for (value, byte) in accepted { take(byte, for: value, from: first.central.identifier) }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        queue.isReady(peripheral)
    }
}

// What follows.
extension KeyFobSimulator {
    /// Publishes the services that centrals may find at the moment, and withdraws the others. While Bluetooth is off
    /// nothing can be published; what is to be is looked at again when it is on.
    private func publish() {
        guard manager.state == .poweredOn else { return }
        // Three or four, said the author.
        let count = limits.contains(.backgroundServices) ? 3 + Int(random.next() & 1) : services.all.count
        for service in services.all[min(count, publishedCount)..<publishedCount].reversed() { manager.remove(service) }
        for service in services.all[min(count, publishedCount)..<count] { manager.add(service) }
        publishedCount = count
    }

    private func advertise() {
        manager.startAdvertising([
            CBAdvertisementDataLocalNameKey: "Keyfobdemo",
            CBAdvertisementDataServiceUUIDsKey: advertisedServices.map { CBUUID(string: $0) },
        ])
    }

    private var advertisedServices: [String] {
        source.contains(.advertisedServices) ? ["FFE0", "FFA0", "1802", "180F"] : ["FFA0", "FFE0"]
    }

    /// What a central reads; nil where it may not.
    private func current(_ value: FobServices.Value) -> [UInt8]? {
        switch value {
        case .batteryLevel: return [screen.batteryLevel]
        case .accelerometerEnabled: return [isAccelerometerActive ? 1 : 0]
        case .transmitPower: return [UInt8(bitPattern: screen.transmitPower)]
        case .linkLossAlert: return [linkLossLevel]
        case .keyState, .acceleration, .x, .y, .z, .immediateAlert:
            return source.contains(.readableValues) ? nil : notified(value)
        }
    }

    /// What the values are that the app's source only sends. The acceleration is that of the latest sample.
    private func notified(_ value: FobServices.Value) -> [UInt8] {
        let sampled = accelerometer.sampled
        switch value {
        case .keyState: return [screen.buttons.rawValue]
        case .x: return [sampled.x]
        case .y: return [sampled.y]
        case .z: return [sampled.z]
        case .acceleration: return [sampled.x, sampled.y, sampled.z]
        default: return [screen.tones.contains(.high) ? 2 : screen.tones.contains(.low) ? 1 : 0]
        }
    }

    private func take(_ byte: UInt8, for value: FobServices.Value, from central: UUID) {
        switch value {
        case .accelerometerEnabled: setAccelerometer(byte != 0)
        case .immediateAlert:
            if byte <= 2 { alerter = central }
            alert(byte, because: .immediate)
        case .linkLossAlert: if byte <= 2 { linkLossLevel = byte }
        default: break
        }
    }

    /// Levels above 2 have no effect.
    private func alert(_ level: UInt8, because cause: AlertCause) {
        if level <= 2 { alertCause = cause }
        switch level {
        case 0: sounds.stop([.low, .high])
        case 1: sounds.play(.low)
        case 2: sounds.play(.high)
        default: break
        }
    }

    private func setAccelerometer(_ isActive: Bool) {
        guard isActive != accelerometer.isActive else { return }
        if isActive {
            accelerometer.start { [weak self] x, y, z in
                guard let self else { return }
                send([x, y, z], .acceleration)
                send([x], .x)
                send([y], .y)
                send([z], .z)
            }
        } else {
            accelerometer.stop()
        }
        changed?()
    }

    private func send(_ bytes: [UInt8], _ value: FobServices.Value) {
        guard subscribers[value]?.isEmpty == false, let characteristic = services.characteristic(of: value) else {
            return
        }
        queue.send(bytes, characteristic, by: manager)
    }

    /// A central is there, perhaps the one that was out of reach.
    private func centralCame() {
        if alertCause == .linkLoss { sounds.stop([.low, .high]) }
    }

    private func centralLeft(_ central: UUID, isOutOfReach: Bool) {
        if alerter == central {
            alerter = nil
            sounds.stop([.low, .high])
        }
        if isOutOfReach, linkLossLevel != 0 { alert(linkLossLevel, because: .linkLoss) }
    }
}

extension Screen.Label {
    /// How the app says whether Bluetooth can be used.
    fileprivate static func bluetooth(_ state: CBManagerState) -> Self {
        switch state {
        case .poweredOn: Self("Bluetooth Powered On - Ready", .green)
        case .poweredOff: Self("Bluetooth Powered Off", .red)
        case .unauthorized: Self("Unauthorized", .red)
        case .unsupported: Self("Unsupported", .red)
        case .resetting: Self("Resetting")
        case .unknown: Self("Unknown")
        @unknown default: Self("Unknown")
        }
    }
}
