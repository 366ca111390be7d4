import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import SceneRecords

/// What two Link Layers agree on while they are connected, and how connections end.
enum LinkScenes {
    static let all = [
        RecordedScene("link-updates", seeds: 16, run: updates),
        RecordedScene("older-controllers", seeds: 4, run: olderControllers),
        RecordedScene("peripheral-latency", seeds: 3, run: latency),
        RecordedScene("supervision-timeout", seeds: 4, run: supervisionTimeout),
        RecordedScene("disconnects", seeds: 6, run: disconnects),
        RecordedScene("many-links", seeds: 8, run: manyLinks),
    ]

    /// PHYs, data length, pace, channels, version and features, in an order that follows from the seed.
    private static func updates(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: seed % 3 == 0 ? 10 : 0)
        let (central, peripheral) = scene.addPair(host: { _, host in
            host.asksForLongPackets = false
            if seed % 4 == 3 { host.parameterRequestPolicy = .reject }
        })
        try scene.connect(central, to: peripheral)
        scene.run(milliseconds: 200)
        for step in 0..<12 {
            let device = scene.random.next(below: 2) == 0 ? central : peripheral
            try order(step: (step &* 5 + Int(seed)) % 7, scene, device)
            // Sometimes both ask at once, or a second procedure begins before the first has ended.
            if scene.random.next(below: 3) == 0 {
                try order(step: Int(scene.random.next(below: 7)), scene, device === central ? peripheral : central)
            }
            scene.run(milliseconds: Int64(50 + scene.random.next(below: 500)))
        }
        scene.run(milliseconds: 1_500)
        let results = [central.heard, peripheral.heard].map {
            $0.phys.count + $0.dataLengths + $0.answers + $0.parameterChanges + $0.updates.count
        }
        guard central.links.count == 1, results.allSatisfy({ $0 > 4 }) else {
            throw SceneFailure("the connection was lost, or procedures had no result: \(results)")
        }
        return scene.record
    }

    private static func order(step: Int, _ scene: SceneWorld, _ device: SceneApplication) throws {
        let steps = UInt16(12 + scene.random.next(below: 40))
        let bits = UInt8(1 + scene.random.next(below: 3))
        let octets = [27, 60, 123, 251][Int(scene.random.next(below: 4))]
        let classification = scene.random.bytes(4) + [0x1F]
        do {
            try scene.onLink(of: device) { host, link, now, actions in
                switch step {
                case 0:
                    let phys = PHYSet(rawValue: bits)
                    try host.setPHYs(link, sending: phys, receiving: phys, at: now, into: &actions)
                case 1: try host.setDataLength(link, sentBytes: octets, at: now, into: &actions)
                case 2:
                    let range = ConnectionParameterRange(
                        minimumSteps: steps,
                        maximumSteps: steps + 8,
                        latencyEvents: UInt16(bits - 1),
                        timeoutSteps: 300
                    )!
                    try host.updateParameters(link, range, at: now, into: &actions)
                case 3:
                    // LE Set Host Channel Classification.
                    _ = try host.sendCommand(opcode: 0x2014, parameters: classification, at: now, into: &actions)
                case 4: try host.readRemoteVersion(link, at: now, into: &actions)
                case 5: try host.readRemoteFeatures(link, at: now, into: &actions)
                default:
                    try host.readRSSI(link, at: now, into: &actions)
                    try host.readPHYs(link, at: now, into: &actions)
                }
            }
        } catch let error as OrderError where error == .busy {
            // The same order is still under way.
        }
    }

    /// Controllers that lack what the other one has: procedures are refused or done another way.
    private static func olderControllers(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let (central, peripheral) = scene.addPair(controller: { end, controller in
            if end == Int(seed % 2) {
                controller = .core40(publicAddress: controller.publicAddress, company: .texasInstruments)
            } else if seed > 2 {
                controller.features.remove(.connectionParametersRequest)
                controller.features.remove(.channelSelectionAlgorithm2)
                controller.features.remove(.le2MPHY)
            }
        })
        try scene.connect(central, to: peripheral)
        for step in 0..<7 {
            for device in [central, peripheral] {
                do { try order(step: step, scene, device) } catch let error as OrderError where error == .unsupported {}
                scene.run(milliseconds: 300)
            }
        }
        // The peripheral's wish goes by L2CAP signalling.
        guard !peripheral.heard.updates.isEmpty else { throw SceneFailure("no answer to the peripheral's wish") }
        try scene.onLink(of: central) { try $0.pair($1, at: $2, into: &$3) }
        try scene.expect("paired") { !central.pairing.results.isEmpty && !peripheral.pairing.results.isEmpty }
        try scene.disconnect(peripheral, from: central)
        return scene.record
    }

    /// A peripheral sleeps through events while both clocks drift.
    private static func latency(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: Int32(5 * seed))
        let (central, peripheral) = scene.addPair()
        try scene.connect(central, to: peripheral)
        let range = ConnectionParameterRange(
            minimumSteps: 24,
            maximumSteps: 24,
            latencyEvents: UInt16(4 * seed),
            timeoutSteps: 400
        )!
        try scene.onLink(of: central) { try $0.updateParameters($1, range, at: $2, into: &$3) }
        try scene.expect("sleeps") { peripheral.heard.parameterChanges > 0 }
        for number in 0..<6 as Range<UInt8> {
            scene.run(milliseconds: 700)
            try scene.result(of: central) { try $0.write([number], $1, Table.open, at: $2, into: &$3) }
        }
        return scene.record
    }

    private static func supervisionTimeout(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed)
        let (central, peripheral) = scene.addPair()
        try scene.connect(central, to: peripheral, timeoutSteps: 70)
        scene.run(milliseconds: 500)
        if seed % 2 == 0 {
            scene.world.move(peripheral.id, to: .metres(x: 100_000))
        } else {
            // One direction only: one of them still hears the other for a while.
            scene.world.setLoss(.percent(100), from: central.id, to: peripheral.id)
        }
        try scene.expect("both have noticed") { central.links.isEmpty && peripheral.links.isEmpty }
        guard central.heard.disconnections == [.connectionTimeout],
            peripheral.heard.disconnections == [.connectionTimeout]
        else { throw SceneFailure("another reason: \(central.heard.disconnections)") }
        // While it is out of range a connection cannot be established.
        try scene.order(central) {
            try $0.connect(to: peripheral.address, ConnectParameters(timeout: .seconds(2)), at: $1, into: &$2)
        }
        scene.run(milliseconds: 3_500)
        scene.world.move(peripheral.id, to: .metres(x: 1))
        scene.world.setLoss(.never, from: central.id, to: peripheral.id)
        scene.run(milliseconds: 1_000)
        if central.links.isEmpty {
            try? scene.order(central) { try $0.cancelConnect(at: $1, into: &$2) }
            scene.run(milliseconds: 300)
            if central.links.isEmpty { try scene.connect(central, to: peripheral) }
        }
        try scene.result(of: central) { try $0.read($1, Table.open, at: $2, into: &$3) }
        return scene.record
    }

    /// Either side ends connections, at any moment, with data under way.
    private static func disconnects(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: Int32(4 * seed))
        let (central, peripheral) = scene.addPair()
        for round in 0..<5 {
            try scene.connect(central, to: peripheral, intervalSteps: 16)
            scene.run(milliseconds: Int64(scene.random.next(below: 400)))
            central.stream = .writeCommands(length: 19)
            try scene.order(central) { central.push($0, $1, &$2) }
            let first = (round + Int(seed)) % 2 == 0 ? central : peripheral
            try scene.onLink(of: first) {
                try $0.disconnect($1, reason: .remoteDeviceTerminatedLowResources, at: $2, into: &$3)
            }
            if round == 3, let link = peripheral.link?.id ?? central.link?.id {
                // The other one at the same time.
                let second = first === central ? peripheral : central
                try? scene.order(second) { try $0.disconnect(link, at: $1, into: &$2) }
            }
            try scene.expect("disconnected") { central.links.isEmpty && peripheral.links.isEmpty }
            central.stream = nil
        }
        return scene.record
    }

    /// One controller in both roles with several peers, which scans and advertises beside it.
    private static func manyLinks(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: seed % 2 == 0 ? 4 : 0)
        let hub = scene.add("hub", advertising: .every(milliseconds: 60), listens: true)
        var sensors: [SceneApplication] = []
        for number in 0..<Int(2 + seed % 3) {
            sensors.append(
                scene.add("sensor \(number)", metres: Double(2 + number), advertising: .every(milliseconds: 40))
            )
        }
        let visitor = scene.add("visitor", metres: 4)
        scene.run(milliseconds: 100)
        for (number, sensor) in sensors.enumerated() {
            try scene.connect(hub, to: sensor, intervalSteps: UInt16(16 + 8 * number))
        }
        try scene.connect(visitor, to: hub, intervalSteps: 20)
        try scene.order(hub) { try $0.startScanning(at: $1, into: &$2) }
        try scene.order(hub) { try $0.startAdvertising(.every(milliseconds: 100, .nonConnectable), at: $1, into: &$2) }
        for sensor in sensors {
            sensor.stream = .notifications(length: 15)
            let link = hub.links.first { $0.peer == sensor.address }
            guard let link else { throw SceneFailure("the hub has lost a link") }
            try scene.order(hub) {
                _ = try $0.write([1, 0], link.id, Table.openConfiguration, at: $1, into: &$2)
            }
        }
        try scene.result(of: visitor) { try $0.read($1, Table.long, at: $2, into: &$3) }
        scene.run(milliseconds: 1_500)
        guard hub.values.notifications > 30, hub.links.count == sensors.count + 1 else {
            throw SceneFailure("\(hub.values.notifications) notifications over \(hub.links.count) links")
        }
        try scene.disconnect(visitor, from: visitor)
        sensors[0].stream = nil
        try scene.onLink(of: sensors[0]) { try $0.disconnect($1, at: $2, into: &$3) }
        scene.run(milliseconds: 500)
        return scene.record
    }
}
