import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhones
import BluethroatVirtualTime
public import CoreBluetooth

/// The end of an L2CAP channel that a simulated peripheral has: what has come, and what is to go.
public final class SimulatedChannel {
    fileprivate weak var peripheral: SimulatedPeripheral?
    fileprivate var state: State

    fileprivate struct State {
        /// The peripheral's end; it may be used as the peripheral may.
        var end: DeviceChannelEnd
        var onBytes: ((Data) -> Void)?
    }

    init(_ description: ChannelDescription, of peripheral: SimulatedPeripheral) {
        state = State(end: DeviceChannelEnd(description))
        self.peripheral = peripheral
    }

    /// All that has come so far, in the order in which it was sent.
    public var received: Data { enter { Data($0.end.received) } }

    public var isOpen: Bool { enter { $0.end.isOpen } }

    /// Hears what comes, each time that something does.
    public var onBytes: ((Data) -> Void)? {
        get { enter { $0.onBytes } }
        set { enter { $0.onBytes = newValue } }
    }

    /// Sends bytes; what the channel has no room for follows as the central reads. Without effect when it is closed.
    public func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        peripheral?.perform { [self] host, now, actions in
            state.end.send(bytes, host: host, at: now, into: &actions)
        }
    }

    /// Closes the channel when all that waits has been sent.
    public func close() {
        peripheral?.perform { [self] host, now, actions in state.end.close(host: host, at: now, into: &actions) }
    }

    // MARK: From the host

    var id: L2CAPChannelID { state.end.id }

    func receive(_ sdu: [UInt8]) {
        state.end.receive(sdu)
        state.onBytes?(Data(sdu))
    }

    func sendOn(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        state.end.sendOn(host: host, at: now, into: &actions)
    }

    func closed() { state.end.closed() }

    private func enter<Answer>(_ body: @escaping (inout State) -> Answer) -> Answer {
        guard let peripheral else { return body(&state) }
        return peripheral.enter { [self] in body(&state) }
    }
}

extension SimulatedPeripheral {
    /// Accepts L2CAP channels.
    ///
    /// - Parameters:
    ///   - psm: the number, 0x0001 to 0x00FF; nil takes the first of 0x0080 to 0x00FF that is free. Put it into a
    ///     characteristic, so that centrals find it. One that is taken stops the process; so does
    ///     a peripheral that was removed.
    ///   - security: what the link must be like; others are refused.
    ///   - onOpen: hears of each channel that a central has opened, before anything comes on it.
    /// - Returns: the number.
    @discardableResult
    public func listen(
        on psm: CBL2CAPPSM? = nil,
        security: SimulatedSecurity = .none,
        onOpen: @escaping (SimulatedChannel) -> Void = { _ in }
    ) -> CBL2CAPPSM {
        var spsm: SPSM?
        if let psm {
            guard let number = SPSM(rawValue: psm) else {
                preconditionFailure("\(psm) is no number of an L2CAP service")
            }
            spsm = number
        }
        var found: CBL2CAPPSM = 0
        perform { [self] host, _, _ in
            do {
                let options = ChannelListenerOptions(access: security.access)
                found = try host.listen(on: spsm, options).rawValue
                machine.channels.listeners[found] = onOpen
            } catch {
                preconditionFailure("\(name) cannot listen for L2CAP channels: \(error)")
            }
        }
        precondition(found != 0, "\(name) cannot listen for L2CAP channels: it was taken off the air")
        return found
    }

    /// Accepts no more channels under a number; those that are open stay.
    public func stopListening(on psm: CBL2CAPPSM) {
        perform { [machine] host, _, _ in
            guard let spsm = SPSM(rawValue: psm) else { return }
            host.stopListening(on: spsm)
            machine.channels.listeners[psm] = nil
        }
    }

    /// The channels that are open, in the order in which they were opened.
    public var channels: [SimulatedChannel] { enter { self.machine.channels.open } }
}

/// The channels of a simulated peripheral.
struct SimulatedChannels {
    var listeners: [CBL2CAPPSM: (SimulatedChannel) -> Void] = [:]
    private(set) var open: [SimulatedChannel] = []

    mutating func add(_ channel: SimulatedChannel) { open.append(channel) }

    func channel(_ id: L2CAPChannelID) -> SimulatedChannel? { open.first { $0.id == id } }

    mutating func closeAll() {
        for channel in open { channel.closed() }
        open = []
    }

    mutating func remove(_ id: L2CAPChannelID) -> SimulatedChannel? {
        open.firstIndex { $0.id == id }.map { open.remove(at: $0) }
    }
}

extension PeripheralMachine {
    func handle(_ event: ChannelEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .opened(let description):
            guard let peripheral else { return }
            let channel = SimulatedChannel(description, of: peripheral)
            channels.add(channel)
            // What the closure sends goes out in a turn of its own, as if somebody else had said so.
            let listener = channels.listeners[description.spsm.rawValue]
            listener?(channel)
        case .received(let id, let sdu): channels.channel(id)?.receive(sdu)
        case .readyToSend(let id): channels.channel(id)?.sendOn(host: host, at: now, into: &actions)
        case .closed(let id, _): channels.remove(id)?.closed()
        case .requested, .openFailed, .reconfigured, .peerReconfigured: break
        }
    }
}
