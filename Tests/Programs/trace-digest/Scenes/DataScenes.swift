import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import SceneRecords

/// Values and channels over links that lose frames while the devices move.
enum DataScenes {
    static let all = [
        RecordedScene("channels", seeds: 8, run: channels),
        RecordedScene("enhanced-channels", seeds: 3, run: enhancedChannels),
        RecordedScene("long-values", seeds: 6, run: longValues),
        RecordedScene("value-streams", seeds: 8, run: streams),
        RecordedScene("discovery", seeds: 4, run: discovery),
    ]

    /// Loss and ATT MTU follow from the seed.
    private static func pair(seed: UInt64, listens: Bool = false) -> (
        SceneWorld, central: SceneApplication, peripheral: SceneApplication
    ) {
        let scene = SceneWorld(seed: seed, loss: [0, 3, 10, 20][Int(seed % 4)])
        let (central, peripheral) = scene.addPair(
            listens: listens,
            controller: { _, controller in
                if seed % 3 == 2 {
                    controller.aclDataLength = 27
                    controller.aclPacketCount = 3
                }
            },
            host: { _, host in
                host.maximumATTMTU = [23, 100, 517][Int(seed % 3)]
                host.asksForLongPackets = seed % 4 != 1
                host.asksForLE2M = seed % 5 == 0
            }
        )
        return (scene, central, peripheral)
    }

    /// Walks the peripheral up and down while something goes on.
    private static func walk(_ scene: SceneWorld, _ device: SceneApplication, milliseconds span: Int64) {
        for _ in 0..<(span / 250) {
            scene.run(milliseconds: 250)
            scene.world.move(device.id, to: .metres(x: Double(1 + scene.random.next(below: 12))))
        }
    }

    private static func channels(seed: UInt64) throws -> SceneRecord {
        let (scene, central, peripheral) = pair(seed: seed, listens: true)
        try scene.connect(central, to: peripheral, intervalSteps: 12)
        let total = 4_000 + 700 * Int(seed)
        central.sendOnChannels(total, sduLength: [23, 100, 500, 2_000][Int(seed % 4)])
        peripheral.sendOnChannels(1_500, sduLength: 64)
        var options = ChannelOptions()
        options.mtu = 2_000
        options.mps = seed % 2 == 0 ? 64 : 247
        options.window = 4
        try scene.onLink(of: central) {
            _ = try $0.openChannel($1, to: SPSM(rawValue: 0x80)!, options, at: $2, into: &$3)
        }
        walk(scene, peripheral, milliseconds: 1_500)
        try scene.expect("all has arrived", within: .seconds(40)) {
            peripheral.channels.received == total && central.channels.received == 1_500
        }
        guard let channel = peripheral.channels.open.first else { throw SceneFailure("no channel") }
        let closer = seed % 2 == 0 ? peripheral : central
        let id = seed % 2 == 0 ? channel.id : central.channels.open[0].id
        try scene.order(closer) { try $0.closeChannel(id, at: $1, into: &$2) }
        try scene.expect("closed") { !central.channels.closings.isEmpty && !peripheral.channels.closings.isEmpty }
        // To a number at which nothing is offered.
        try scene.onLink(of: central) { _ = try $0.openChannel($1, to: SPSM(rawValue: 0x91)!, at: $2, into: &$3) }
        try scene.expect("refused") { !central.channels.failures.isEmpty }
        return scene.record
    }

    private static func enhancedChannels(seed: UInt64) throws -> SceneRecord {
        let (scene, central, peripheral) = pair(seed: seed, listens: true)
        try scene.connect(central, to: peripheral, intervalSteps: 12)
        central.sendOnChannels(6_000, sduLength: 300)
        let ids = try scene.onLink(of: central) {
            try $0.openChannels(3, $1, to: SPSM(rawValue: 0x80)!, at: $2, into: &$3)
        }
        try scene.expect("all has arrived", within: .seconds(40)) { peripheral.channels.received == 6_000 }
        try scene.order(central) { try $0.reconfigure(ids, mtu: 6_000, mps: 2_000, at: $1, into: &$2) }
        try scene.expect("reconfigured") {
            central.channels.reconfigurations > 0 && peripheral.channels.reconfigurations > 0
        }
        try scene.disconnect(peripheral, from: central)
        guard central.channels.closings.count == 3 else { throw SceneFailure("channels outlive their connection") }
        return scene.record
    }

    private static func longValues(seed: UInt64) throws -> SceneRecord {
        let (scene, central, peripheral) = pair(seed: seed)
        try scene.connect(central, to: peripheral, intervalSteps: 12)
        if seed % 2 == 0 { try scene.result(of: central) { try $0.exchangeMTU($1, at: $2, into: &$3) } }
        for round in 0..<2 {
            let value = scene.random.bytes(300 + 100 * round)
            let written = try scene.result(of: central) { try $0.write(value, $1, Table.long, at: $2, into: &$3) }
            guard written == .written else { throw SceneFailure("a long value was not written: \(written)") }
            scene.world.move(peripheral.id, to: .metres(x: Double(3 + 4 * round)))
            let read = try scene.result(of: central) { try $0.read($1, Table.long, at: $2, into: &$3) }
            guard read == .value(value) else { throw SceneFailure("a long value was not read: \(read)") }
        }
        let writes = [
            AttributeWrite(handle: Table.open, value: [1, 2]), AttributeWrite(handle: Table.asked, value: [3]),
        ]
        try scene.result(of: central) { try $0.reliableWrite(writes, $1, at: $2, into: &$3) }
        try scene.result(of: central) { try $0.read($1, Table.asked, at: $2, into: &$3) }
        let refusal = try scene.result(of: central) { try $0.write([0xEE], $1, Table.asked, at: $2, into: &$3) }
        guard case .failed = refusal else { throw SceneFailure("a refused write went well") }
        try scene.result(of: central) {
            try $0.readMultiple($1, [Table.open, Table.asked], withLengths: seed % 2 == 0, at: $2, into: &$3)
        }
        try scene.result(of: central) { try $0.readByUUID($1, 0x2A00, at: $2, into: &$3) }
        return scene.record
    }

    private static func streams(seed: UInt64) throws -> SceneRecord {
        let (scene, central, peripheral) = pair(seed: seed)
        try scene.connect(central, to: peripheral, intervalSteps: UInt16(8 + 4 * (seed % 4)))
        try scene.result(of: central) { try $0.exchangeMTU($1, at: $2, into: &$3) }
        if seed % 2 == 1 {
            try scene.onLink(of: central) { try $0.pair($1, at: $2, into: &$3) }
            try scene.expect("paired") { !central.pairing.results.isEmpty }
        }
        let length = [20, 97, 244][Int(seed % 3)]
        let isIndication = seed % 4 == 2
        peripheral.stream = isIndication ? .indications(length: length) : .notifications(length: length)
        try scene.result(of: central) {
            try $0.write([isIndication ? 2 : 1, 0], $1, Table.openConfiguration, at: $2, into: &$3)
        }
        if seed > 4 {
            central.stream = .writeCommands(length: 20)
            try scene.order(central) { central.push($0, $1, &$2) }
        }
        walk(scene, peripheral, milliseconds: 1_500)
        peripheral.stream = nil
        central.stream = nil
        try scene.result(of: central) { try $0.write([0, 0], $1, Table.openConfiguration, at: $2, into: &$3) }
        let count = isIndication ? central.values.indications : central.values.notifications
        guard count >= 10, !isIndication || peripheral.values.confirmations >= 10 else {
            throw SceneFailure("only \(count) values arrived")
        }
        guard seed <= 4 || peripheral.values.written > 10 else { throw SceneFailure("no commands arrived") }
        return scene.record
    }

    private static func discovery(seed: UInt64) throws -> SceneRecord {
        let (scene, central, peripheral) = pair(seed: seed)
        try scene.connect(central, to: peripheral, intervalSteps: 12)
        let found = try scene.result(of: central) { try $0.discoverAll($1, at: $2, into: &$3) }
        guard case .database(let database) = found, let open = database.characteristic(0xFFE1) else {
            throw SceneFailure("nothing was discovered: \(found)")
        }
        try scene.result(of: central) { try $0.discoverServices($1, uuid: 0xFFE0, at: $2, into: &$3) }
        try scene.result(of: central) { try $0.discoverDescriptors($1, of: open, at: $2, into: &$3) }
        try scene.result(of: central) { try $0.subscribe($1, to: open, [.indications], at: $2, into: &$3) }
        peripheral.stream = .indications(length: 12)
        try scene.order(peripheral) { peripheral.push($0, $1, &$2) }
        try scene.expect("indications") { central.values.indications > 3 }
        peripheral.stream = nil
        // The table changes while a client has subscribed.
        let added = try scene.order(peripheral) {
            try $0.addServices(
                [ServiceDefinition(0xFFF0, characteristics: [CharacteristicDefinition(0xFFF1, properties: [.read])])],
                at: $1,
                into: &$2
            )
        }
        scene.run(milliseconds: 300)
        try scene.order(peripheral) { try $0.removeService(at: added[0].range.lowerBound, at: $1, into: &$2) }
        try scene.result(of: central) { try $0.discoverAll($1, at: $2, into: &$3) }
        try scene.result(of: central) { try $0.unsubscribe($1, from: open, at: $2, into: &$3) }
        return scene.record
    }
}
