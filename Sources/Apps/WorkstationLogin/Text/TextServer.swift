public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// The screen `GATT Server` of the text sample: it advertises, shows what centrals write, and sends to those who
/// subscribed.
///
/// It lives on one queue or thread: that on which its manager and its clock call it and fingers reach it.
public final class TextServer: NSObject, TextScreen {
    /// The navigation bar's title.
    public static let title = "GATT Server"

    public private(set) var pad = TextPad() {
        didSet { changed?() }
    }
    /// The switch beside `Advertising`.
    public private(set) var isSwitchOn = false {
        didSet { if isSwitchOn != oldValue { changed?() } }
    }
    /// Called after something on the screen has changed.
    public var changed: (() -> Void)?
    /// Called with each text that a central has written: a whole one in the framed mode, else what came in one packet.
    public var received: ((String) -> Void)?
    /// Centrals that are sent text: in packets without header, and in the framed mode.
    public var subscriberCounts: (raw: Int, framed: Int) { (rawReaders.count, readers.filter(\.isFramed).count) }
    public private(set) var state = CBManagerState.unknown

    private final class Reader {
        let central: CBCentral
        var pieces = TextPieces()
        /// There is one while the central is subscribed in the framed mode.
        var pipe: FramedPipe?
        var isFramed = false

        init(_ central: CBCentral) { self.central = central }
    }

    private let name: String
    private let clock: AppClock
    private let random: RandomBytes
    private let manager: CBPeripheralManager
    private let transfer: CBMutableCharacteristic
    private let framed: CBMutableCharacteristic?
    private let service: CBMutableService
    private var isPublished = false
    private var readers: [Reader] = []
    private var rawReaders: [CBCentral] = []
    private var outbox = RawOutbox()
    /// Who is sent the text under way: those who were there when it began.
    private var audience: [CBCentral] = []

    /// - Parameters:
    ///   - name: what is advertised beside the service, since the original finds no server without a name.
    ///   - offersFramedMode: without it this behaves on the air as the original.
    ///   - callbacks: where the manager calls; nil is the main queue.
    public init(
        name: String = "Text",
        offersFramedMode: Bool = true,
        queue callbacks: DispatchQueue? = nil,
        clock: AppClock,
        random: RandomBytes = .system
    ) {
        self.name = name
        self.clock = clock
        self.random = random
        manager = CBPeripheralManager(delegate: nil, queue: callbacks)
        let identification = CBMutableCharacteristic(
            type: TextProfile.identification,
            properties: .read,
            value: TextProfile.identificationValue,
            permissions: .readable
        )
        transfer = CBMutableCharacteristic(
            type: TextProfile.transfer,
            properties: [.notify, .writeWithoutResponse],
            value: nil,
            permissions: [.readable, .writeable]
        )
        framed =
            offersFramedMode
            ? CBMutableCharacteristic(
                type: TextProfile.framed,
                properties: [.read, .notify, .writeWithoutResponse],
                value: nil,
                permissions: [.readable, .writeable]
            ) : nil
        service = CBMutableService(type: TextProfile.service, primary: true)
        service.characteristics = [identification, transfer] + (framed.map { [$0] } ?? [])
        super.init()
        manager.delegate = self
    }
}

// What people do with it.
extension TextServer {
    /// The switch is moved. Without Bluetooth it springs back.
    public func switchAdvertising(_ isOn: Bool) {
        guard state == .poweredOn else { return isSwitchOn = false }
        guard isOn != manager.isAdvertising else { return isSwitchOn = isOn }
        isSwitchOn = isOn
        if isOn {
            manager.startAdvertising([
                CBAdvertisementDataServiceUUIDsKey: [TextProfile.service], CBAdvertisementDataLocalNameKey: name,
            ])
        } else {
            manager.stopAdvertising()
        }
    }

    public func change(_ change: (inout TextPad) -> Void) { change(&pad) }

    /// Sends a text to all subscribers, after those that are under way. Without a subscriber nothing is sent.
    public func send(_ text: String) {
        guard state == .poweredOn, !text.isEmpty else { return }
        let bytes = Data(text.utf8)
        for reader in readers where reader.isFramed {
            reader.pipe?.send(bytes) { [weak self] failure in
                if let failure { self?.pad.log(failure.line) }
                self?.showProgress()
            }
        }
        if !rawReaders.isEmpty, !outbox.add(bytes) { pad.log(FramedPipe.Failure.full.line) }
        drain()
    }
}

extension TextServer: CBPeripheralManagerDelegate {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        state = peripheral.state
        guard state == .poweredOn else {
            pad.log("CBManager is not powered on")
            if state.rawValue < CBManagerState.poweredOff.rawValue { isPublished = false }
            // All centrals are gone, and so is what was meant for them.
            isSwitchOn = false
            for reader in readers { reader.pipe?.close() }
            readers = []
            rawReaders = []
            _ = outbox.clear()
            return showProgress()
        }
        pad.log("CBManager is powered on")
        // The system goes on with its earlier orders; on the screen the switch is off.
        if peripheral.isAdvertising { peripheral.stopAdvertising() }
        guard !isPublished else { return }
        isPublished = true
        peripheral.add(service)
        pad.log("Primary service: \(service.uuid.uuidString)")
        for characteristic in service.characteristics ?? [] {
            pad.log("Characteristic: \(characteristic.uuid.uuidString)")
        }
        pad.log("GATT prepared ...")
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        if let error {
            isSwitchOn = false
            pad.log("Advertising failed: \(error.localizedDescription)")
        } else {
            pad.log("Advertising started")
        }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        pad.log("Subscribed: \(central.identifier.uuidString)")
        if characteristic.uuid == TextProfile.framed {
            let reader = reader(central)
            reader.isFramed = true
            _ = pipe(of: reader)
        } else if !rawReaders.contains(where: { $0.identifier == central.identifier }) {
            rawReaders.append(central)
        }
        changed?()
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        if let index = readers.firstIndex(where: { $0.central.identifier == central.identifier }) {
            if characteristic.uuid == TextProfile.framed {
                readers[index].pipe?.close()
                readers[index].isFramed = false
                readers[index].pipe = nil
            }
            if let rest = readers[index].pieces.end() { take(rest) }
        }
        if characteristic.uuid != TextProfile.framed {
            rawReaders.removeAll { $0.identifier == central.identifier }
            audience.removeAll { $0.identifier == central.identifier }
            if rawReaders.isEmpty { _ = outbox.clear() }
        }
        showProgress()
        changed?()
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        guard request.characteristic.uuid == TextProfile.framed, request.offset <= 1 else {
            return peripheral.respond(to: request, withResult: .readNotPermitted)
        }
        request.value = Data([TextProfile.framedVersion].dropFirst(request.offset))
        peripheral.respond(to: request, withResult: .success)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        // No answer is needed, but the original sends one, too.
        if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
        for request in requests {
            guard let value = request.value else { continue }
            let reader = reader(request.central)
            if request.characteristic.uuid == TextProfile.framed {
                // Who has not subscribed hears no confirmation, and does not say when it goes.
                reader.pipe?.receive(value)
            } else {
                take(reader.pieces.take(value))
            }
        }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { drain() }
}

extension TextServer {
    private func reader(_ central: CBCentral) -> Reader {
        if let reader = readers.first(where: { $0.central.identifier == central.identifier }) { return reader }
        let strangers = readers.filter { !isSubscribed($0) }
        if strangers.count >= Self.mostStrangers { readers.removeAll { $0 === strangers[0] } }
        let reader = Reader(central)
        readers.append(reader)
        return reader
    }

    /// How many centrals are kept that have written and not subscribed: an app is not notified when one of these disconnects.
    private static let mostStrangers = 64

    private func isSubscribed(_ reader: Reader) -> Bool {
        reader.isFramed || rawReaders.contains { $0.identifier == reader.central.identifier }
    }

    private func take(_ text: String) {
        pad.log("WRITE request: \(text)")
        received?(text)
    }

    private func pipe(of reader: Reader) -> FramedPipe? {
        if let pipe = reader.pipe { return pipe }
        guard let framed else { return nil }
        let outlet = FramedPipe.Outlet(notifying: reader.central, of: framed, by: manager)
        let pipe = FramedPipe(outlet, maximumLength: TextProfile.maximumTextLength, clock: clock, random: random)
        pipe.received = { [weak self] text in self?.take(String(decoding: text, as: UTF8.self)) }
        reader.pipe = pipe
        return pipe
    }

    private func drain() {
        for reader in readers { reader.pipe?.isReady() }
        outbox.drain {
            audience = rawReaders
            return audience.map(\.maximumUpdateValueLength).min() ?? 20
        } send: { packet in
            audience.isEmpty || manager.updateValue(packet, for: transfer, onSubscribedCentrals: audience)
        }
        showProgress()
    }

    private func showProgress() {
        let pipes = readers.compactMap(\.pipe)
        let waiting = outbox.waitingCount + (pipes.map { max($0.waitingCount - 1, 0) }.max() ?? 0)
        let sending = outbox.progress ?? pipes.compactMap(\.progress).map(TextPad.Progress.init).first
        // Only changes are reported.
        if pad.waitingCount != waiting { pad.waitingCount = waiting }
        if pad.sending != sending { pad.sending = sending }
    }
}
