import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import SceneRecords

/// Devices behind private addresses that change every few seconds, resolved by the host or by the controller.
enum PrivacyScenes {
    static let all = [
        RecordedScene("private-addresses", seeds: 8, run: rotation),
        RecordedScene("private-reconnection", seeds: 8, run: reconnection),
        RecordedScene("directed-advertising", seeds: 4, run: directed),
        RecordedScene("accept-list", seeds: 4, run: acceptList),
        RecordedScene("privacy-modes", seeds: 2, run: modes),
        RecordedScene("kinds-of-advertising", seeds: 6, run: kinds),
    ]

    /// Who resolves follows from the seed: controller or host, at either end.
    private static func bondedPair(seed: UInt64) throws -> (
        SceneWorld, phone: SceneApplication, sensor: SceneApplication
    ) {
        let scene = SceneWorld(seed: seed, loss: 3)
        let (phone, sensor) = scene.addPair(host: { end, host in
            host.privacy.usesResolvingList = (seed >> UInt64(end)) & 1 == 0
            host.privacy.rotation = .seconds(4)
            host.privacy.ownAddress = end == 1 && seed % 5 == 4 ? .identity : .resolvablePrivate
        })
        try scene.order(phone) { try $0.startScanning(ScanParameters(active: false), at: $1, into: &$2) }
        try scene.expect("heard") { phone.heard.reports > 0 }
        guard let address = phone.heard.addresses.last else { throw SceneFailure("no address") }
        try scene.order(phone) { try $0.stopScanning(at: $1, into: &$2) }
        scene.run(milliseconds: 50)
        try scene.connect(phone, to: sensor, at: address)
        try scene.onLink(of: phone) { try $0.pair($1, at: $2, into: &$3) }
        try scene.expect("paired") { !phone.pairing.results.isEmpty && !sensor.pairing.results.isEmpty }
        try scene.disconnect(phone, from: sensor)
        scene.run(milliseconds: 300)
        return (scene, phone, sensor)
    }

    /// A bonded phone and a stranger listen while addresses change.
    private static func rotation(seed: UInt64) throws -> SceneRecord {
        let (scene, phone, sensor) = try bondedPair(seed: seed)
        let stranger = scene.add("stranger", metres: 2)
        scene.run(milliseconds: 100)
        for listener in [phone, stranger] {
            try scene.order(listener) { try $0.startScanning(ScanParameters(active: true), at: $1, into: &$2) }
        }
        scene.run(milliseconds: 10_000)
        guard phone.heard.identified > 20, stranger.heard.identified == 0 else {
            throw SceneFailure("resolved by the phone: \(phone.heard.identified)")
        }
        guard stranger.heard.addresses.count > (seed % 5 == 4 ? 0 : 1) else { throw SceneFailure("no address changed") }
        try scene.order(sensor) { try $0.stopAdvertising(at: $1, into: &$2) }
        scene.run(milliseconds: 500)
        return scene.record
    }

    private static func reconnection(seed: UInt64) throws -> SceneRecord {
        let (scene, phone, sensor) = try bondedPair(seed: seed)
        for _ in 0..<2 {
            scene.run(milliseconds: 4_500)
            let before = phone.pairing.encryptions
            try scene.connect(phone, to: sensor)
            try scene.expect("encrypted") { phone.pairing.encryptions > before }
            guard phone.link?.peerIdentity != nil || seed % 5 == 4 else { throw SceneFailure("not recognized") }
            _ = try scene.result(of: phone) { try $0.read($1, Table.protected, at: $2, into: &$3) }
            try scene.disconnect(sensor, from: phone)
        }
        return scene.record
    }

    private static func directed(seed: UInt64) throws -> SceneRecord {
        // Both controllers resolve: the advertiser's has to make the address of its target.
        let (scene, phone, sensor) = try bondedPair(seed: 4 + 4 * seed)
        sensor.advertising = nil
        try scene.order(sensor) { try $0.stopAdvertising(at: $1, into: &$2) }
        let stranger = scene.add("stranger", metres: 2)
        scene.run(milliseconds: 200)
        try scene.order(stranger) { try $0.startScanning(at: $1, into: &$2) }
        for isHighDuty in [seed % 2 == 0, seed % 2 != 0] {
            let kind: AdvertisingParameters.Kind =
                isHighDuty ? .directedHighDuty(to: phone.address) : .directedLowDuty(to: phone.address)
            try scene.order(sensor) {
                try $0.startAdvertising(.every(milliseconds: 60, kind), at: $1, into: &$2)
            }
            // No device answers at first; high duty ends by itself after 1.28 s.
            scene.run(milliseconds: 1_600)
            if isHighDuty {
                guard sensor.heard.advertisingEnds.contains(.directedTimeout) else {
                    throw SceneFailure("high duty advertising did not end")
                }
                try scene.order(sensor) {
                    try $0.startAdvertising(.every(milliseconds: 60, kind), at: $1, into: &$2)
                }
            }
            try scene.connect(phone, to: sensor)
            scene.run(milliseconds: 300)
            try scene.disconnect(phone, from: sensor)
        }
        return scene.record
    }

    private static func acceptList(seed: UInt64) throws -> SceneRecord {
        let (scene, phone, sensor) = try bondedPair(seed: seed)
        let stranger = scene.add("stranger", metres: 2, advertising: .every(milliseconds: 40))
        var filtered = AdvertisingParameters.every(milliseconds: 50)
        filtered.filter = .listedOnly
        sensor.advertising = nil
        try scene.order(sensor) { try $0.stopAdvertising(at: $1, into: &$2) }
        scene.run(milliseconds: 100)
        try scene.order(sensor) { try $0.setFilterAcceptList([phone.address], at: $1, into: &$2) }
        try scene.order(phone) { try $0.setFilterAcceptList([sensor.address], at: $1, into: &$2) }
        try scene.expect("both lists are set") { sensor.heard.listIsSet && phone.heard.listIsSet }
        try scene.order(sensor) { try $0.startAdvertising(filtered, at: $1, into: &$2) }
        var listed = ScanParameters(active: true)
        listed.filter = .listedOnly
        let before = (phone.heard.reports, phone.heard.identified)
        try scene.order(phone) { try $0.startScanning(listed, at: $1, into: &$2) }
        try scene.order(stranger) { try $0.startScanning(at: $1, into: &$2) }
        scene.run(milliseconds: 5_000)
        guard phone.heard.reports - before.0 > 10 else { throw SceneFailure("the listed device was not heard") }
        try scene.order(phone) { try $0.stopScanning(at: $1, into: &$2) }
        if let shown = stranger.heard.addresses.last {
            try scene.order(stranger) { try $0.stopScanning(at: $1, into: &$2) }
            scene.run(milliseconds: 50)
            try scene.order(stranger) {
                try $0.connect(to: shown, ConnectParameters(timeout: .seconds(2)), at: $1, into: &$2)
            }
            // The controller does not answer; one that cannot resolve lets it in, and the host turns it away.
            try scene.expect("a stranger is not let in") {
                !stranger.heard.connectFailures.isEmpty || !stranger.heard.disconnections.isEmpty
            }
        }
        try scene.connect(phone, to: sensor)
        scene.run(milliseconds: 500)
        return scene.record
    }

    /// A device that promised to hide shows its identity all the same.
    private static func modes(seed: UInt64) throws -> SceneRecord {
        let (scene, phone, sensor) = try bondedPair(seed: seed == 1 ? 4 : 7)
        sensor.advertising = nil
        try scene.order(sensor) { try $0.stopAdvertising(at: $1, into: &$2) }
        scene.run(milliseconds: 100)
        try scene.order(sensor) {
            try $0.startAdvertising(.every(milliseconds: 50, as: .identity), at: $1, into: &$2)
        }
        try scene.order(phone) { try $0.startScanning(at: $1, into: &$2) }
        scene.run(milliseconds: 1_000)
        let before = phone.heard.reports
        _ = try scene.order(phone) {
            try $0.setPrivacyMode(.device, ofBondWith: sensor.address, at: $1, into: &$2)
        }
        scene.run(milliseconds: 2_000)
        guard phone.heard.reports > before + 10 else { throw SceneFailure("the identity is still not heard") }
        return scene.record
    }

    /// Every kind of own address and of advertising event, with active and passive scanners beside it.
    private static func kinds(seed: UInt64) throws -> SceneRecord {
        let scene = SceneWorld(seed: seed, loss: 5)
        let advertiser = scene.add("advertiser")
        let active = scene.add("active", metres: 3)
        let passive = scene.add("passive", metres: 5)
        scene.run(milliseconds: 100)
        try scene.order(active) { try $0.startScanning(ScanParameters(active: true), at: $1, into: &$2) }
        let half = ScanParameters(
            active: false,
            timing: ScanTiming(intervalSteps: 96, windowSteps: 48)!,
            filtersDuplicates: seed % 2 == 0
        )
        try scene.order(passive) { try $0.startScanning(half, at: $1, into: &$2) }
        let kinds: [AdvertisingParameters.Kind] = [.connectable, .scannable, .nonConnectable]
        let addresses: [OwnAddress] = [.identity, .resolvablePrivate, .nonResolvablePrivate]
        for (number, kind) in kinds.enumerated() {
            var parameters = AdvertisingParameters.every(milliseconds: 60 + 20 * UInt16(seed), kind)
            parameters.ownAddress = addresses[(number + Int(seed)) % 3]
            if number == 2 { parameters.channels = [.channel37, .channel39] }
            parameters.duration = number == 1 ? .milliseconds(1_500) : nil
            let data = AdvertisingData([.init(.flags, [6]), .init(.completeLocalName, Array("kind \(number)".utf8))])
            let answer = AdvertisingData([.init(.txPowerLevel, [0])])
            try scene.order(advertiser) {
                try $0.startAdvertising(parameters, data: data, scanResponse: answer, at: $1, into: &$2)
            }
            scene.run(milliseconds: 2_000)
            if number != 1 { try scene.order(advertiser) { try $0.stopAdvertising(at: $1, into: &$2) } }
            scene.run(milliseconds: 50)
        }
        guard active.heard.reports > 20, active.heard.addresses.count == 3, passive.heard.reports > 0 else {
            throw SceneFailure("too little was heard: \(active.heard.reports) reports")
        }
        return scene.record
    }
}
