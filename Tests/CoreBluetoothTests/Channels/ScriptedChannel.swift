import BluethroatPhoneService
import CoreBluetooth
import Synchronization
import Testing

/// A channel in real time, on a phone that is a script.
///
/// `@unchecked Sendable`: the channel is set before anybody else sees the object.
final class ScriptedChannel: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
    let port = ScriptedPort()
    let queue = DispatchQueue(label: "app")
    private let id = AppChannelID(number: 1)
    private let opened = DispatchSemaphore(value: 0)
    private var manager: CBPeripheralManager!
    private(set) var channel: CBL2CAPChannel?

    init(sendBuffer: Int = 1_000) throws {
        super.init()
        manager = CBPeripheralManager(delegate: self, queue: queue, environment: BluetoothEnvironment(port: port))
        let central = SubscribedCentral(id: PeerID(high: 1, low: 2))
        let channel = OpenChannel(id: id, psm: 0x80, sendBuffer: sendBuffer)
        port.tell(.state(.poweredOn), .peripheral(.channelOpened(channel, central)))
        try opened.meet("the channel")
        // The callback has returned, and nobody but this has the channel.
        queue.sync {}
    }

    var input: InputStream { channel!.inputStream }
    var output: OutputStream { channel!.outputStream }

    func receive(_ bytes: [UInt8]) { port.tell(.channel(id, .received(bytes))) }
    func sent(_ count: Int) { port.tell(.channel(id, .sent(count))) }
    /// The app keeps the channel no longer.
    func letGo() { channel = nil }

    /// The app drops its manager.
    func quit() { manager = nil }

    func close(_ fault: ServiceFault? = nil) { port.tell(.channel(id, .closed(fault))) }

    /// What was ordered for the channel since this was asked last.
    func takeOrders() -> [AppChannelCommand] {
        port.takeOrders().compactMap { if case .channel(id, let order) = $0 { order } else { nil } }
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        didOpen channel: CBL2CAPChannel?,
        error: (any Error)?
    ) {
        self.channel = channel
        opened.signal()
    }
}

/// Keeps the events of a stream, and reads what comes.
final class EventLog: NSObject, StreamDelegate, Sendable {
    private struct State {
        var events: [String] = []
        var bytes: [UInt8] = []
        var threads: [Thread] = []
        var onEnd: @Sendable () -> Void = {}
    }

    private let state = Mutex(State())
    private let reads: Bool

    private let queue: DispatchQueue?

    /// Expects to be called on a queue, if one is given.
    init(reads: Bool = true, expects queue: DispatchQueue? = nil) {
        self.reads = reads
        self.queue = queue
    }

    /// What is done when the stream has ended or failed.
    func onEnd(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

    var events: [String] { state.withLock(\.events) }
    var bytes: [UInt8] { state.withLock(\.bytes) }
    var threads: [Thread] { state.withLock(\.threads) }
    var hasEnded: Bool { ["end", "error"].contains(events.last) }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
        var bytes: [UInt8] = []
        if reads, event == .hasBytesAvailable, let input = stream as? InputStream {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = input.read(&buffer, maxLength: buffer.count)
            bytes = Array(buffer.prefix(count))
        }
        let onEnd = state.withLock { [bytes] state in
            state.events.append(event.name)
            state.bytes += bytes
            state.threads.append(.current)
            return state.onEnd
        }
        if event == .endEncountered || event == .errorOccurred { onEnd() }
    }
}

extension DispatchSemaphore {
    /// Waits, but not for ever.
    func meet(_ what: String) throws {
        try #require(wait(timeout: .now() + 30) == .success, "\(what) did not come")
    }
}
