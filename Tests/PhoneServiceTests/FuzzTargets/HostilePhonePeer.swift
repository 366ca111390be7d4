import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatPhoneService

/// A phone at one end of a pair of hosts. Its one app is a central or a peripheral; the other end sends advertisements and
/// PDUs of any kind between those that its own host sends.
struct HostilePhonePeer {
    private let role: ConnectionRole
    private let phone: WritableKeyPath<HostPair, HostPair.End>
    private let peer: WritableKeyPath<HostPair, HostPair.End>
    private var pair = HostPair()
    private let service = BluetoothService()
    private let session = SessionID(number: 1)
    // What the app was told of, to order things about.
    private var peers: [PeerID] = []
    private var links: [(peer: PeerID, link: LinkID)] = []
    private var requests: [LocalRequestID] = []
    private var handles: [AttributeHandle] = [.first]
    private var channels: [AppChannelID] = []
    private var published: UInt32 = 0
    private var connection: ConnectionHandle?

    init(_ role: ConnectionRole) {
        self.role = role
        phone = role == .central ? \.central : \.peripheral
        peer = role == .central ? \.peripheral : \.central
        let service = service
        pair.order(phone) { host, now, actions in service.start(host: host, at: now, into: &actions) }
        let session = session
        let description = SessionDescription(role: role == .central ? .central : .peripheral)
        pair.order(phone) { host, now, actions in
            service.open(session, description, host: host, at: now, into: &actions)
        }
        if role == .central {
            let definition = ServiceDefinition(
                0xFFE0,
                characteristics: [
                    CharacteristicDefinition(0xFFE1, properties: [.read, .write, .notify, .indicate], value: [1]),
                    CharacteristicDefinition(0xFFE2, properties: [.read, .writeWithoutResponse], value: [2]),
                ]
            )
            _ = try? pair.order(\.peripheral) { host, now, actions in
                try host.addServices([.genericAttribute, definition], at: now, into: &actions)
            }
        }
        settle()
    }

    mutating func step(_ input: inout FuzzInput) {
        switch input.index(8) {
        case 0: run(.milliseconds(Int64(input.index(4_000))))
        case 1: pair.loseConnection()
        case 2: beConnectable()
        case 3, 4: receive(&input)
        case 5 where role == .central: advertise(&input)
        default:
            submit(role == .central ? .central(centralCommand(&input)) : .peripheral(peripheralCommand(&input)))
        }
        settle()
        hold(service.sessionCount == 1, "\(service.sessionCount) sessions")
        hold(Set(links.map(\.peer)).count == links.count, "the app is told of one connection twice")
    }

    // MARK: The phone

    private mutating func submit(_ command: SessionCommand) {
        let (service, session) = (service, session)
        pair.order(phone) { host, now, actions in
            service.perform(command, from: session, host: host, at: now, into: &actions)
        }
        // Nobody is left to be told that the connection is over.
        if case .central(.forget(let peer)) = command { links.removeAll { $0.peer == peer } }
    }

    /// Carries events to the phone and the service's events to the app, until there are none.
    private mutating func settle() {
        let service = service
        for _ in 0..<200 {
            _ = pair.takeEvents(peer)
            let events = pair.takeEvents(phone)
            for event in events {
                if case .connected(let description) = event { connection = description.id.handle }
                if case .disconnected = event { connection = nil }
                pair.order(phone) { host, now, actions in service.handle(event, host: host, at: now, into: &actions) }
            }
            var delivered: [SessionEvent] = []
            service.deliverEvents { _, new in delivered += new }
            for item in delivered { note(item) }
            if events.isEmpty, delivered.isEmpty { return }
        }
        hold(false, "host and app never rest")
    }

    private mutating func run(_ span: TimeSpan) {
        let service = service
        let end = pair.now + span
        while let deadline = service.nextDeadline, deadline <= end {
            pair.run(for: max(deadline - pair.now, .zero))
            pair.order(phone) { host, now, actions in service.expire(host: host, at: now, into: &actions) }
            settle()
        }
        pair.run(for: max(end - pair.now, .zero))
    }

    private mutating func note(_ event: SessionEvent) {
        switch event {
        case .central(.peerKnown(let summary)): peers = peers.suffix(6) + [summary.id]
        case .central(.discovered(let sighting)): peers = peers.suffix(6) + [sighting.peer]
        case .central(.connected(let peer, let link, _)): links.append((peer, link))
        // The end of an attempt that was cancelled is told like that, too.
        case .central(.disconnected(let peer, _)): links.removeAll { $0.peer == peer }
        case .central(.peer(let peer, let link, let event)):
            hold(links.contains { $0.peer == peer && $0.link == link }, "an event of a connection that is over")
            note(event)
        case .peripheral(.readRequested(let id, let central, _, _)),
            .peripheral(.writesRequested(let id, let central, _)):
            peers = peers.suffix(6) + [central.id]
            requests = requests.suffix(6) + [id]
        case .peripheral(.channelOpened(let channel, _)): channels = channels.suffix(6) + [channel.id]
        case .state(.poweredOff), .state(.resetting): links = []
        default: break
        }
    }

    private mutating func note(_ event: PeerEvent) {
        switch event {
        case .servicesDiscovered(.success(let services)): handles += services.map(\.handles.lowerBound)
        case .characteristicsDiscovered(_, .success(let found)): handles += found.map(\.handle)
        case .channelOpened(let channel): channels = channels.suffix(6) + [channel.id]
        default: break
        }
        handles = handles.suffix(12)
    }

    // MARK: The app

    private func centralCommand(_ input: inout FuzzInput) -> CentralCommand {
        let peer = peers.isEmpty ? PeerID(high: 1, low: 1) : input.pick(peers)
        let link = links.isEmpty ? (peer: peer, link: LinkID(number: 1)) : input.pick(links)
        let handle = input.pick(handles)
        let value = input.bytes(input.index(30))
        let commands: [PeerCommand] = [
            .discoverServices(nil), .discoverServices([0xFFE0]), .discoverIncludedServices(nil, of: handle),
            .discoverCharacteristics(nil, of: handle), .discoverDescriptors(of: handle), .read(handle),
            .readDescriptor(handle), .write(handle, value), .writeWithoutResponse(handle, value),
            .writeDescriptor(handle, value), .setNotifying(handle, true), .setNotifying(handle, false), .readRSSI,
            .openChannel(psm: 0x80),
        ]
        switch input.index(12) {
        case 0: return .scan(ScanRequest(services: input.index(2) == 0 ? nil : [0xFFE0], allowsDuplicates: true))
        case 1: return .stopScan
        case 2, 3: return .connect(peer, ConnectRequest(reconnects: input.index(3) == 0))
        case 4: return .cancelConnection(peer)
        case 5: return .forget(peer)
        default: return .peer(link.peer, link.link, input.pick(commands))
        }
    }

    private mutating func peripheralCommand(_ input: inout FuzzInput) -> PeripheralCommand {
        let value = input.bytes(input.index(30))
        let characteristic = LocalCharacteristicID(number: UInt32(1 + input.index(3)))
        switch input.index(10) {
        case 0, 1:
            published += 1
            let characteristics = (0..<input.index(3)).map { index in
                LocalCharacteristic(
                    id: LocalCharacteristicID(number: published * 3 + UInt32(index)),
                    uuid: BluetoothUUID(0xFFE1),
                    properties: UInt(input.byte()),
                    permissions: UInt(input.index(16)),
                    value: input.index(2) == 0 ? nil : value
                )
            }
            let id = LocalServiceID(number: published)
            return .add(LocalService(id: id, uuid: 0xFFE0, isPrimary: true, characteristics: characteristics))
        case 2: return .remove(LocalServiceID(number: UInt32(input.index(4))))
        case 3: return .startAdvertising(AdvertisementRequest(localName: "phone", services: [0xFFE0]))
        case 4: return .stopAdvertising
        case 5, 6: return .update(characteristic, value, to: nil)
        case 7: return .publishChannel(requiresEncryption: false)
        case 8: return .unpublishChannel(psm: UInt16(0x80 + input.index(4)))
        default:
            let request = requests.isEmpty ? LocalRequestID(number: 1) : input.pick(requests)
            return .answer(request, input.index(2) == 0 ? .accepted(value) : .refused(.unlikelyError, nil))
        }
    }

    // MARK: The other end

    /// The other end advertises, or looks for the phone and connects.
    private mutating func beConnectable() {
        if role == .central {
            try? pair.order(\.peripheral) { host, now, actions in
                let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
                let data = AdvertisingData([.completeLocalName("device")])
                try host.startAdvertising(parameters, scanResponse: data, at: now, into: &actions)
            }
        } else {
            try? pair.order(\.central) { host, now, actions in
                try host.connect(to: HostPair.peripheralAddress, at: now, into: &actions)
            }
        }
    }

    private mutating func advertise(_ input: inout FuzzInput) {
        let report = LEAdvertisingReport.Report(
            type: .connectable,
            peer: PeerAddress(
                input.index(2) == 0 ? HostPair.peripheralAddress : DeviceAddress(value: 7, kind: .public)
            ),
            data: input.bytes(input.index(32)),
            rssi: SignalStrength(dBm: -40)
        )
        pair.inject(phone) { _ in .leAdvertisingReport(LEAdvertisingReport(reports: [report])) }
    }

    /// A PDU on one of the fixed channels, or on one of those that may be open.
    private mutating func receive(_ input: inout FuzzInput) {
        guard let handle = connection else { return }
        let channel = input.pick([4, 4, 4, 5, 6, 0x40] as [UInt16])
        let pdu = input.bytes(input.index(40))
        var frame: [UInt8] = []
        frame.appendUInt16(UInt16(pdu.count))
        frame.appendUInt16(channel)
        frame += pdu
        pair.order(phone) { host, now, actions in
            var packet: [UInt8] = []
            ACLHeader(handle: handle, boundary: .firstFlushable, dataLength: frame.count).write(to: &packet)
            host.receive(hci: packet + frame, at: now, into: &actions)
        }
    }

    /// Switched off and on, the phone has a radio and no connections.
    mutating func checkWorks() {
        let service = service
        for isOn in [false, true] {
            pair.order(phone) { host, now, actions in
                service.switchPower(isOn, host: host, at: now, into: &actions)
            }
            settle()
        }
        hold(service.radio == .poweredOn, "the radio is \(service.radio)")
    }
}
