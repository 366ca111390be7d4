import BluethroatPhoneService
import CoreBluetooth
import Synchronization

/// A command-line program with everything on its main run loop. It prints a line for each event and ends with the
/// channel; a test holds it to that, since a test's own process has no main run loop.
@main
struct MainRunLoop {
    static func main() {
        let port = OneChannel()
        let app = App()
        let manager = CBPeripheralManager(delegate: app, queue: nil, environment: BluetoothEnvironment(port: port))
        let limit = Date(timeIntervalSinceNow: 60)
        while !app.hasEnded, Date() < limit { _ = RunLoop.main.run(mode: .default, before: limit) }
        withExtendedLifetime(manager) {}
    }
}

private final class App: NSObject, CBPeripheralManagerDelegate, StreamDelegate {
    private var channel: CBL2CAPChannel?
    private(set) var hasEnded = false

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        say("state \(peripheral.state.rawValue)")
        peripheral.publishL2CAPChannel(withEncryption: false)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        say("channel")
        guard let channel, let input = channel.inputStream else { return }
        self.channel = channel
        input.delegate = self
        input.schedule(in: .main, forMode: .common)
        input.open()
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .openCompleted: say("open")
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 100)
            guard let count = (stream as? InputStream)?.read(&buffer, maxLength: buffer.count), count > 0 else {
                return
            }
            say("bytes \(buffer[..<count])")
        case .endEncountered:
            say("end")
            hasEnded = true
        default: say("event \(event.rawValue)")
        }
    }

    private func say(_ what: String) { print(what, Thread.isMainThread ? "on the main thread" : "elsewhere") }
}

/// A phone on which a channel is opened, used and closed by another thread.
private final class OneChannel: ServicePort {
    private typealias Listener = @Sendable ([SessionEvent]) -> Void

    private let listener = Mutex<Listener?>(nil)

    var authorization: Authorization { .allowedAlways }

    func open(
        _ session: SessionDescription,
        events: @escaping @Sendable ([SessionEvent]) -> Void
    ) -> SessionID {
        listener.withLock { $0 = events }
        events([.state(.poweredOn)])
        return SessionID(number: 0)
    }

    func submit(_ order: SessionCommand, from session: SessionID) {
        guard let tell = listener.withLock({ $0 }) else { return }
        let id = AppChannelID(number: 1)
        switch order {
        case .peripheral(.publishChannel):
            let channel = OpenChannel(id: id, psm: 0x80, sendBuffer: 100)
            let central = SubscribedCentral(id: PeerID(high: 1, low: 2))
            Thread.detachNewThread {
                tell([.peripheral(.channelOpened(channel, central)), .channel(id, .received([1, 2, 3]))])
            }
        case .channel(_, .consumed):
            // What came has been read: only now does the rest follow, while the run loop sleeps.
            Thread.detachNewThread { tell([.channel(id, .closed(nil))]) }
        default: break
        }
    }

    func close(_ session: SessionID) {}
}
