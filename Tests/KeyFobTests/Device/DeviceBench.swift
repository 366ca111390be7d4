import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

/// A key fob on a host, on a controller without a radio, with a central that speaks bare ATT.
struct DeviceBench {
    static let peer = DeviceAddress("C0:FF:EE:00:00:01", kind: .random)!

    let device: KeyFobDevice
    let host: Host
    var controller = FobController()
    private(set) var now = Instant.zero
    private var handle: UInt16 = 0x3F

    init(_ options: KeyFobOptions = KeyFobOptions(), refusing refusals: [Opcode: ControllerError] = [:]) {
        device = KeyFobDevice(options: options)
        host = Host(configuration: KeyFobDevice.hostConfiguration(seed: 7))
        controller.refusals = refusals
    }

    /// A fob that is up and quiet.
    static func up(_ options: KeyFobOptions = KeyFobOptions()) -> Self {
        var bench = Self(options)
        bench.start()
        bench.run(for: .seconds(2))
        bench.forget()
        return bench
    }

    /// A fob that advertises.
    static func advertising(_ options: KeyFobOptions = KeyFobOptions()) -> Self {
        var bench = up(options)
        bench.order { $0.toggleAdvertising(host: $1, at: $2, into: &$3) }
        bench.forget()
        return bench
    }

    /// A fob with a central.
    static func connected(_ options: KeyFobOptions = KeyFobOptions()) -> Self {
        var bench = advertising(options)
        bench.connect()
        bench.forget()
        return bench
    }

    mutating func start() { order { $0.start(host: $1, at: $2, into: &$3) } }

    /// What has changed since the last call.
    func changes() -> [KeyFobNotice.Change] { device.takeNotices().map(\.change) }

    mutating func forget() {
        _ = device.takeNotices()
        controller.forget()
    }

    mutating func order(_ body: (KeyFobDevice, Host, Instant, inout HostActions) -> Void) {
        var actions = HostActions()
        body(device, host, now, &actions)
        settle(&actions)
    }

    mutating func run(for span: TimeSpan) {
        let end = now + span
        while let next = [device.nextDeadline, host.nextDeadline].compactMap(\.self).min(), next <= end {
            now = max(now, next)
            order { device, host, now, actions in
                host.expire(at: now, into: &actions)
                device.expire(host: host, at: now, into: &actions)
            }
        }
        now = end
    }

    mutating func report(_ event: Event) { receive([event.packet()]) }

    private mutating func receive(_ packets: [[UInt8]]) {
        var actions = HostActions()
        for packet in packets { host.receive(hci: packet, at: now, into: &actions) }
        settle(&actions)
    }

    /// Lets controller, host and fob talk until all are silent.
    private mutating func settle(_ actions: inout HostActions) {
        while !actions.events.isEmpty || !actions.packets.isEmpty {
            let (events, packets) = (actions.events, actions.packets)
            actions.removeAll()
            for event in events { device.handle(event, host: host, at: now, into: &actions) }
            for packet in packets {
                for answer in controller.receive(packet) { host.receive(hci: answer, at: now, into: &actions) }
            }
        }
    }

    // MARK: The central

    /// A central connects; 30 ms and 720 ms, as a telephone was once heard to.
    mutating func connect(interval: UInt16 = 24, latency: UInt16 = 0, timeout: UInt16 = 72) {
        handle += 1
        let complete = LEConnectionComplete(
            connection: ConnectionHandle(rawValue: handle)!,
            role: .peripheral,
            peer: PeerAddress(Self.peer),
            interval: interval,
            latency: latency,
            supervisionTimeout: timeout
        )
        report(.leConnectionComplete(complete))
    }

    mutating func disconnect(reason: ControllerError) {
        let connection = ConnectionHandle(rawValue: handle)!
        report(.disconnectionComplete(DisconnectionComplete(connection: connection, reason: reason)))
    }

    mutating func updateParameters(interval: UInt16, latency: UInt16, timeout: UInt16) {
        let complete = LEConnectionUpdateComplete(
            connection: ConnectionHandle(rawValue: handle)!,
            interval: interval,
            latency: latency,
            supervisionTimeout: timeout
        )
        report(.leConnectionUpdateComplete(complete))
    }

    mutating func send(_ payload: [UInt8], channel: UInt16 = 4) {
        let length = UInt16(payload.count)
        var packet: [UInt8] = []
        ACLHeader(
            handle: ConnectionHandle(rawValue: handle)!,
            boundary: .firstFlushable,
            dataLength: payload.count + 4
        ).write(to: &packet)
        packet += [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(channel), 0] + payload
        receive([packet])
    }

    /// What has come back over ATT since the last call to `forget`, or to `att`.
    var pdus: [[UInt8]] { controller.frames.filter { $0.channel == 4 }.map(\.payload) }
    var signals: [[UInt8]] { controller.frames.filter { $0.channel == 5 }.map(\.payload) }

    /// Sends a request and returns all that comes back.
    mutating func att(_ request: [UInt8]) -> [[UInt8]] {
        controller.forget()
        send(request)
        return pdus
    }

    mutating func read(_ handle: UInt8) -> [[UInt8]] { att([0x0A, handle, 0]) }

    mutating func write(_ handle: UInt8, _ value: [UInt8]) -> [[UInt8]] { att([0x12, handle, 0] + value) }

    mutating func writeCommand(_ handle: UInt8, _ value: [UInt8]) -> [[UInt8]] { att([0x52, handle, 0] + value) }

    /// The Error Response to a request.
    static func error(_ request: UInt8, _ handle: UInt8, _ code: UInt8) -> [[UInt8]] {
        [[0x01, request, handle, 0, code]]
    }
}
