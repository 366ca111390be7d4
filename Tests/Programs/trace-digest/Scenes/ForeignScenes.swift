import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import SceneRecords

/// Hosts behind HCI, controllers behind HCI, and radios that send what they like.
enum ForeignScenes {
    static let all = [
        RecordedScene("hci-hosts", seeds: 6, run: hosts),
        RecordedScene("hci-encryption", seeds: 4, run: encryption),
        RecordedScene("hci-host-elsewhere", seeds: 2, run: elsewhere),
        RecordedScene("hci-nonsense", seeds: 3, run: nonsense),
        RecordedScene("raw-central", seeds: 4, run: rawCentral),
        RecordedScene("injection", seeds: 4, run: injection),
        RecordedScene("jamming", seeds: 3, run: jamming),
    ]

    /// A raw host as central or peripheral of a device of ours.
    private static func hosts(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: 4)
        let ours = scene.add("ours", advertising: seed % 2 == 0 ? .every(milliseconds: 50) : nil)
        let raw = RawHost(in: scene.world, named: "raw", metres: 2)
        scene.run(milliseconds: 200)
        if seed % 2 == 0 {
            raw.scan(isActive: true)
            scene.run(milliseconds: 1_000)
            raw.stopScanning()
            raw.connect(to: ours.address)
        } else {
            raw.advertise()
            try scene.order(ours) { try $0.connect(to: raw.address, at: $1, into: &$2) }
        }
        try scene.expect("connected") { !ours.links.isEmpty && !raw.handles.isEmpty }
        let handle = raw.handles[0]
        // MTU, find information, read, write, and a request that does not exist.
        for request in [[0x02, 100, 0], [0x04, 1, 0, 0xFF, 0xFF], [0x0A, 0x28, 0], [0x12, 0x22, 0, 9], [0x7E, 1]] {
            raw.send(request.map { UInt8($0) }, on: handle)
            scene.run(milliseconds: 200)
        }
        raw.command(0x0405 + 0x18, [UInt8(handle & 0xFF), UInt8(handle >> 8)])
        raw.command(0x2016, [UInt8(handle & 0xFF), UInt8(handle >> 8)])
        raw.command(0x2022, [UInt8(handle & 0xFF), UInt8(handle >> 8), 200, 0, 0x48, 0x08])
        scene.run(milliseconds: 1_000)
        guard raw.frames.count(where: { $0.channel == 4 }) >= 4 else { throw SceneFailure("no ATT answers") }
        raw.disconnect(handle)
        try scene.expect("disconnected") { ours.links.isEmpty && raw.handles.isEmpty }
        return scene.record
    }

    /// Two raw hosts encrypt with a key of their own, refresh it, and encrypt with one the peripheral does not have.
    private static func encryption(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: Int32(3 * seed))
        let drift = ClockDrift(partsPerMillion: 30)!
        let central = RawHost(in: scene.world, named: "central", metres: 0, drift: drift)
        let peripheral = RawHost(in: scene.world, named: "peripheral", metres: 3)
        peripheral.advertise()
        central.connect(to: peripheral.address)
        try scene.expect("connected") { !central.handles.isEmpty && !peripheral.handles.isEmpty }
        let ends = (central.handles[0], peripheral.handles[0])
        for round in 1...2 {
            let key = scene.random.bytes(16)
            peripheral.longTermKey = key
            central.enableEncryption(key, on: ends.0)
            try scene.expect("encrypted") {
                central.encryptionChanges + central.refreshes == round
                    && peripheral.encryptionChanges + peripheral.refreshes == round
            }
            for number in 0..<8 as Range<UInt8> {
                central.send([0x52, 0x22, 0, number, UInt8(round)], on: ends.0)
                peripheral.send([0x1B, 0x22, 0, number], on: ends.1)
                scene.run(milliseconds: 60)
            }
        }
        try scene.expect("data arrived") { peripheral.frames.count == 16 && central.frames.count == 16 }
        if seed % 2 == 0 {
            peripheral.longTermKey = nil
            central.enableEncryption(scene.random.bytes(16), on: ends.0)
        } else {
            central.disconnect(ends.0)
        }
        try scene.expect("the end") { central.disconnections == 1 && peripheral.disconnections == 1 }
        return scene.record
    }

    /// A host of ours whose controller is another device of the world; packets take 100 µs from one to the other.
    private static func elsewhere(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let world = scene.world
        let peripheral = scene.add("peripheral", metres: 1, advertising: .every(milliseconds: 50))
        let hostID = DeviceID(rawValue: world.nextID.rawValue + 1)
        let controllerID = world.addController(named: "controller") { [unowned world] packet in
            world.schedule(at: world.now + .microseconds(100)) { $0.receive(hci: packet, for: hostID) }
        }
        let central = SceneApplication(id: hostID, address: world.publicAddress(of: controllerID)!)
        var configuration = HostConfiguration(seed: seed, device: 77)
        configuration.pairing.secureConnections = seed == 1 ? .preferred : .never
        _ = world.addHost(named: "host", configuration: configuration, application: central) { [unowned world] packet in
            world.schedule(at: world.now + .microseconds(100)) { $0.receive(hci: packet, for: controllerID) }
        }
        try scene.expect("up") { central.isUp }
        try scene.connect(central, to: peripheral)
        try scene.onLink(of: central) { try $0.pair($1, at: $2, into: &$3) }
        try scene.expect("paired") { !central.pairing.results.isEmpty && !peripheral.pairing.results.isEmpty }
        try scene.result(of: central) { try $0.discoverAll($1, at: $2, into: &$3) }
        try scene.disconnect(peripheral, from: central)
        return scene.record
    }

    /// A host that sends damaged and senseless packets beside good ones.
    private static func nonsense(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let ours = scene.add("ours", advertising: .every(milliseconds: 50))
        let raw = RawHost(in: scene.world, named: "raw", metres: 1)
        scene.run(milliseconds: 100)
        raw.connect(to: ours.address)
        try scene.expect("connected") { !ours.links.isEmpty && !raw.handles.isEmpty }
        for _ in 0..<120 {
            var packet = scene.random.bytes(Int(scene.random.next(below: 24)))
            switch scene.random.next(below: 3) {
            case 0 where packet.count > 3:
                packet.replaceSubrange(0..<4, with: [1, packet[1], 0x20, UInt8(packet.count - 4)])
            case 1 where packet.count > 4:
                let length = UInt8(packet.count - 5)
                packet.replaceSubrange(0..<5, with: [2, UInt8(raw.handles.first ?? 0), packet[2] & 0x30, length, 0])
            default: break
            }
            // Not a reset, which would end everything at once.
            raw.say(packet)
            raw.send(
                scene.random.bytes(6),
                channel: UInt16(4 + scene.random.next(below: 3)),
                on: raw.handles.first ?? 0
            )
            scene.run(milliseconds: 30)
        }
        guard raw.statuses.contains(where: { $0 != 0 }), raw.completedPackets > 0 else {
            throw SceneFailure("nothing was refused")
        }
        return scene.record
    }

    private static func indication(to device: SceneApplication, intervalSteps: UInt16) -> ConnectIndication {
        let parameters = ConnectionParameters(intervalSteps: intervalSteps, latencyEvents: 0, timeoutSteps: 100)!
        return ConnectIndication(
            initiator: DeviceAddress(value: 0xBAD0_0000_0001, kind: .public),
            advertiser: device.address,
            accessAddress: AccessAddress(rawValue: 0x5A3C_96E1),
            crcInit: CRCInit(0x12_3456),
            window: TransmitWindow(sizeSteps: 1, offsetSteps: 0, interval: parameters.interval)!,
            parameters: parameters,
            channelMap: .all,
            hopIncrement: HopIncrement(7)!,
            sleepClockAccuracy: .upTo50,
            supportsChannelSelection2: true
        )
    }

    /// A central without a Link Layer asks for values and sends control PDUs, some of them wrong.
    private static func rawCentral(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let ours = scene.add("ours", advertising: .every(milliseconds: 30))
        let raw = RawCentral(in: scene.world, at: .metres(x: 1.5))
        scene.run(milliseconds: 100)
        raw.connect(indication(to: ours, intervalSteps: UInt16(8 + 4 * seed)))
        try scene.expect("connected") { !ours.links.isEmpty }
        scene.world.setLossEverywhere(.percent(Int32(2 * seed)))
        raw.send(RawCentral.PDU(channel: 4, [0x02, 50, 0]))
        raw.send(RawCentral.PDU(channel: 4, [0x0A, 0x28, 0]))
        raw.send(RawCentral.PDU(.control, [0x0C, 0x0D, 0xFF, 0xFF, 0, 0]))
        raw.send(RawCentral.PDU(.control, [0x7F, 1, 2]))
        raw.send(RawCentral.PDU(.start, scene.random.bytes(9)))
        raw.send(RawCentral.PDU(channel: 6, [0x01, 3, 0, 1, 16, 1, 1]))
        raw.send(RawCentral.PDU(.control, [0x16, 3, 3]))
        scene.run(milliseconds: 4_000)
        guard raw.received.count > 4, raw.acknowledgedCount > 6 else {
            throw SceneFailure("\(raw.received.count) PDUs came, \(raw.acknowledgedCount) were acknowledged")
        }
        raw.stop()
        try scene.expect("the connection timed out") { ours.links.isEmpty }
        return scene.record
    }

    /// A radio follows a connection of two others and injects PDUs; then it takes the central's place.
    private static func injection(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let (central, peripheral) = scene.addPair()
        let follower = LinkFollower(in: scene.world, at: .metres(x: 1.2))
        try scene.connect(central, to: peripheral, intervalSteps: 24, timeoutSteps: 200)
        scene.run(milliseconds: 300)
        for number in 0..<6 as Range<UInt8> {
            follower.inject(.start, RawCentral.PDU(channel: 4, [0x52, 0x2E, 0, number]).payload)
            scene.run(milliseconds: 250)
        }
        guard !follower.injections.isEmpty else { throw SceneFailure("nothing was injected") }
        if seed % 2 == 0 {
            let raw = follower.takeOver()
            raw?.send(RawCentral.PDU(channel: 4, [0x0A, 0x22, 0]))
            scene.run(milliseconds: 2_500)
            raw?.stop()
        } else {
            follower.inject(.control, [0x02, 0x13])
            scene.run(milliseconds: 1_500)
        }
        return scene.record
    }

    /// A radio sends over the advertising channels and over a connection's channels while others work.
    private static func jamming(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let (central, peripheral) = scene.addPair()
        let radio = scene.world.addRawRadio(named: "jammer", at: .metres(x: 0.6))
        for number in 0..<3_000 {
            var bytes = scene.random.bytes([6, 40, 80, 100, 110][number % 5])
            bytes.replaceSubrange(0..<4, with: [0xD6, 0xBE, 0x89, 0x8E])
            let channel = ChannelIndex(UInt8(number % 4 == 0 ? scene.random.next(below: 40) : UInt64(37 + number % 3)))!
            let instant = scene.world.now + .microseconds(Int64(number * 1_013))
            radio.transmit(RawFrame(bytes: bytes)!, on: channel, at: instant)
        }
        try scene.connect(central, to: peripheral)
        for _ in 0..<5 {
            try scene.result(of: central) { try $0.read($1, Table.long, at: $2, into: &$3) }
            scene.run(milliseconds: 400)
        }
        guard scene.world.collisions.frames > 0 else { throw SceneFailure("no collisions") }
        return scene.record
    }
}
