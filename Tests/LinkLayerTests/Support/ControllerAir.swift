import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

/// Several controllers on one medium, each with a host that is nothing but a list of packets.
final class ControllerAir {
    final class Station {
        let controller: Controller
        let radio: RadioID
        let drift: ClockDrift
        /// What the controller has told its host.
        var packets: [[UInt8]] = []
        fileprivate var transmission: TransmissionID?
        fileprivate var wakeUp = Instant.distantFuture

        init(controller: Controller, radio: RadioID, drift: ClockDrift) {
            self.controller = controller
            self.radio = radio
            self.drift = drift
        }
    }

    private enum Event {
        case wakeUp(Int, Instant)
        case transmissionEnd(TransmissionID)
        case listeningEnd(RadioID, UInt32)
    }

    private(set) var now = Instant.zero
    var medium: Medium
    private(set) var stations: [Station] = []
    private var queue = EventQueue<Event>()
    private let seed: UInt64
    private(set) var frameCount = 0
    /// Called after everything that a controller was told, with its own time, and whether its deadlines were served.
    var onStep: ((Controller, Instant, _ isExpiry: Bool) -> Void)?

    init(seed: UInt64) {
        self.seed = seed
        medium = Medium(seed: seed, propagation: Propagation(shadowing: 0))
    }

    static func address(_ index: Int) -> DeviceAddress {
        DeviceAddress(value: 0xB20E_0000_0000 + UInt64(index), kind: .public)
    }

    @discardableResult
    func add(
        at position: Position = .origin,
        drift: ClockDrift = .none,
        configure: (inout ControllerConfiguration) -> Void = { _ in }
    ) -> Int {
        let index = stations.count
        var configuration = ControllerConfiguration(publicAddress: Self.address(index))
        configure(&configuration)
        let controller = Controller(configuration: configuration, seed: seed, device: UInt64(index))
        stations.append(Station(controller: controller, radio: medium.addRadio(at: position), drift: drift))
        send([1, 0x01, 0x0C, 8] + [UInt8](repeating: 0xFF, count: 8), to: index)
        // All LE events but LE Enhanced Connection Complete.
        send([1, 0x01, 0x20, 8, 0xFF, 0xFD, 0x0F, 0, 0, 0, 0, 0], to: index)
        stations[index].packets.removeAll()
        return index
    }

    // MARK: Hosts

    func send(_ packet: [UInt8], to index: Int) {
        var actions = ControllerActions()
        let station = stations[index]
        station.controller.receive(hci: packet, at: station.drift.local(from: now), into: &actions)
        perform(actions, index)
    }

    func send(_ command: Command, to index: Int) { send(command.packet(), to: index) }

    /// Sends a command that must succeed, and takes its answer.
    func succeed(_ command: Command, at index: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let count = stations[index].packets.count
        send(command, to: index)
        try #require(stations[index].packets.count > count, sourceLocation: sourceLocation)
        let answer = stations[index].packets.remove(at: count)
        let status = answer[1] == EventCode.commandComplete.rawValue ? answer[6] : answer[3]
        try #require(status == 0, "\(command.opcode) at \(index)", sourceLocation: sourceLocation)
    }

    /// All events of a kind that a host was told and nobody has looked at; the others stay.
    func takeEvents<Value>(at index: Int, _ select: (BluethroatHCI.Event) -> Value?) -> [Value] {
        var taken: [Value] = []
        stations[index].packets.removeAll { packet in
            guard packet[0] == PacketIndicator.event.rawValue, let event = try? BluethroatHCI.Event(parsing: packet),
                let value = select(event)
            else { return false }
            taken.append(value)
            return true
        }
        return taken
    }

    func takeData(at index: Int) -> [[UInt8]] {
        let data = stations[index].packets.filter { $0[0] == PacketIndicator.acl.rawValue }
        stations[index].packets.removeAll { $0[0] == PacketIndicator.acl.rawValue }
        return data
    }

    /// Connects one controller to another, which advertises; answers both handles.
    func connect(
        _ central: Int,
        to peripheral: Int,
        intervalSteps: UInt16 = 24,
        latency: UInt16 = 0,
        timeoutSteps: UInt16 = 200,
        within span: TimeSpan = .seconds(10),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (central: ConnectionHandle, peripheral: ConnectionHandle) {
        let parameters = LESetAdvertisingParameters(minimumInterval: 0x30, maximumInterval: 0x30)
        try succeed(.leSetAdvertisingParameters(parameters), at: peripheral, sourceLocation: sourceLocation)
        try succeed(
            .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)),
            at: peripheral,
            sourceLocation: sourceLocation
        )
        let peer = stations[peripheral].controller.configuration.publicAddress
        let command = LECreateConnection(
            scanInterval: 0x30,
            scanWindow: 0x30,
            peer: PeerAddress(peer),
            minimumInterval: intervalSteps,
            maximumInterval: intervalSteps,
            maximumLatency: latency,
            supervisionTimeout: timeoutSteps
        )
        try succeed(.leCreateConnection(command), at: central, sourceLocation: sourceLocation)
        let ends = [central, peripheral]
        var handles: [ConnectionHandle?] = [nil, nil]
        run(for: span) {
            for (place, index) in ends.enumerated() where handles[place] == nil {
                let complete = takeEvents(at: index) { event -> LEConnectionComplete? in
                    if case .leConnectionComplete(let complete) = event { complete } else { nil }
                }
                handles[place] = complete.last { $0.status == .success }?.connection
            }
            return handles[0] != nil && handles[1] != nil
        }
        return (
            try #require(handles[0], "central", sourceLocation: sourceLocation),
            try #require(handles[1], "peripheral", sourceLocation: sourceLocation)
        )
    }

    // MARK: Time

    func run(for span: TimeSpan) { run(for: span) { false } }

    @discardableResult
    func run(for span: TimeSpan, until condition: () -> Bool) -> Bool {
        let end = now + span
        if condition() { return true }
        while let (instant, event) = queue.popFirst(notAfter: end) {
            now = instant
            handle(event)
            if condition() { return true }
        }
        now = end
        return false
    }

    private func handle(_ event: Event) {
        switch event {
        case .wakeUp(let index, let instant):
            let station = stations[index]
            guard station.wakeUp == instant else { return }
            station.wakeUp = .distantFuture
            with(index) { controller, local, actions in
                if let deadline = controller.nextDeadline, deadline <= local {
                    controller.expire(at: local, into: &actions)
                    onStep?(controller, local, true)
                }
            }
        case .listeningEnd(let radio, let generation):
            guard medium.endListening(radio, generation: generation) else { return }
            with(Int(radio.rawValue)) { $0.heardNothing(at: $1, into: &$2) }
        case .transmissionEnd(let id):
            var deliveries: [Delivery] = []
            let transmission = medium.end(id, into: &deliveries)
            let sender = Int(transmission.radio.rawValue)
            if stations[sender].transmission == id {
                stations[sender].transmission = nil
                with(sender) { $0.transmitted(at: $1, into: &$2) }
            }
            for delivery in deliveries {
                let index = Int(delivery.receiver.rawValue)
                let reception = delivery.reception.seen(through: stations[index].drift)
                with(index) { $0.received(reception, at: $1, into: &$2) }
            }
        }
    }

    private func with(_ index: Int, _ call: (Controller, Instant, inout ControllerActions) -> Void) {
        var actions = ControllerActions()
        let station = stations[index]
        call(station.controller, station.drift.local(from: now), &actions)
        onStep?(station.controller, station.drift.local(from: now), false)
        perform(actions, index)
    }

    private func perform(_ actions: ControllerActions, _ index: Int) {
        let station = stations[index]
        station.packets += actions.packets
        for order in actions.radio {
            if let transmission = station.transmission {
                medium.breakOff(transmission, at: now)
                station.transmission = nil
            }
            switch order {
            case .stop: medium.stopListening(station.radio)
            case .transmit(let channel, let phy, let power, let frame):
                frameCount += 1
                let transmission = Transmission(
                    radio: station.radio,
                    channel: channel,
                    phy: phy,
                    power: power,
                    syncWord: AirFrame.accessAddress(of: frame).rawValue,
                    start: now,
                    end: now + AirTime.span(ofFrame: frame, phy: phy),
                    frame: frame
                )
                let id = medium.begin(transmission)
                station.transmission = id
                queue.schedule(.transmissionEnd(id), at: transmission.end)
            case .listen(let channel, let phy, let accessAddress, let since, let until):
                let end = station.drift.world(from: until)
                let generation = medium.listen(
                    station.radio,
                    on: channel,
                    phy: phy,
                    syncWord: accessAddress.rawValue,
                    from: station.drift.world(from: since),
                    until: end
                )
                queue.schedule(.listeningEnd(station.radio, generation), at: max(end, now))
            }
        }
        guard let deadline = station.controller.nextDeadline else { return }
        let instant = max(station.drift.world(from: deadline), now)
        guard instant < station.wakeUp else { return }
        station.wakeUp = instant
        queue.schedule(.wakeUp(index, instant), at: instant)
    }
}
