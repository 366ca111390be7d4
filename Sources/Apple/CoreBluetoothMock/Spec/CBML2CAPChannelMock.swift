import BluethroatHost
import BluethroatPhones
import BluethroatVirtualTime
public import CoreBluetooth

/// The end of an L2CAP channel that a simulated peripheral has. The app has the other one: a `CBML2CAPChannel` with streams.
///
/// It can be used on any thread.
public final class CBML2CAPChannelMock: @unchecked Sendable {
    private struct State {
        var end: DeviceChannelEnd
        var onBytes: ((Data) -> Void)?
    }

    /// Under which PSM it was opened.
    public let psm: CBML2CAPPSM
    let id: L2CAPChannelID
    private let contents: Locked<State>
    private weak var device: MockDevice?

    init(_ description: ChannelDescription, of device: MockDevice) {
        psm = description.spsm.rawValue
        id = description.id
        contents = Locked(State(end: DeviceChannelEnd(description)))
        self.device = device
    }

    /// All that has come so far, in the order in which it was sent.
    public var received: Data { Data(contents.withLock(\.end.received)) }

    /// Whether neither side has closed it, and the connection is there.
    public var isOpen: Bool { contents.withLock(\.end.isOpen) }

    /// Hears what comes, each time that something does. It is called where the device is, as the delegate of a specification.
    public var onBytes: ((Data) -> Void)? {
        get { contents.withLock(\.onBytes) }
        set { contents.withLock { $0.onBytes = newValue } }
    }

    /// Sends bytes; what the channel has no room for follows as the app reads. Without effect when it is closed.
    public func send(_ data: Data) {
        perform { end, host, now, actions in end.send(Array(data), host: host, at: now, into: &actions) }
    }

    /// Closes the channel when all that waits has been sent.
    public func close() { perform { end, host, now, actions in end.close(host: host, at: now, into: &actions) } }

    private func perform(_ body: @escaping (inout DeviceChannelEnd, BluetoothHost, Instant, inout HostActions) -> Void)
    {
        guard let device else { return }
        device.simulation?.perform(on: device) { [self] host, now, actions in
            contents.withLock { body(&$0.end, host, now, &actions) }
        }
    }

    // MARK: From the host

    func receive(_ bytes: [UInt8]) {
        let onBytes = contents.withLock { state in
            state.end.receive(bytes)
            return state.onBytes
        }
        onBytes?(Data(bytes))
    }

    func sendOn(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        contents.withLock { $0.end.sendOn(host: host, at: now, into: &actions) }
    }

    func closed() { contents.withLock { $0.end.closed() } }
}
