import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Pairings that are broken off after each PDU, of each method: whatever happens, neither side keeps anything of them.
@Suite("Pairings that are broken off")
struct BrokenPairingTests {
    enum Fault: CaseIterable {
        case centralDisconnects, peripheralDisconnects, peripheralVanishes, centralIsSwitchedOff
    }

    struct Method: CustomTestStringConvertible {
        let name: String
        let central: IOCapability
        let peripheral: IOCapability
        let secureConnections: PairingSettings.SecureConnections

        var testDescription: String { name }
    }

    static let methods = [
        Method(
            name: "legacy Just Works",
            central: .noInputNoOutput,
            peripheral: .noInputNoOutput,
            secureConnections: .never
        ),
        Method(name: "legacy passkey", central: .keyboardOnly, peripheral: .displayOnly, secureConnections: .never),
        Method(
            name: "Just Works",
            central: .noInputNoOutput,
            peripheral: .noInputNoOutput,
            secureConnections: .preferred
        ),
        Method(
            name: "numeric comparison",
            central: .displayYesNo,
            peripheral: .displayYesNo,
            secureConnections: .preferred
        ),
        Method(name: "passkey", central: .keyboardOnly, peripheral: .displayOnly, secureConnections: .preferred),
    ]

    @Test("After any PDU, by any fault, nothing is left: no key, no bond, no timer", arguments: methods, Fault.allCases)
    func broken(method: Method, fault: Fault) throws {
        let whole = try play(method, breakingAfter: nil, by: fault)
        let count = whole.counter.count
        #expect(count >= 6)
        #expect(whole.scene.central.result?.isBonded == true && whole.scene.peripheral.result?.isBonded == true)
        // Passkey entry has twenty rounds that are all alike.
        for step in 1...count where count < 30 || step < 10 || step > count - 10 {
            let scene = try play(method, breakingAfter: step, by: fault).scene
            for role in [ConnectionRole.central, .peripheral]
            where !(role == .peripheral && fault == .peripheralVanishes) {
                let device = scene.device(role)
                let label: Comment = "\(method.name), \(fault) after PDU \(step), \(role)"
                #expect(device.link == nil, label)
                #expect(scene.security(role) == nil, label)
                #expect(scene.nextDeadline(role) == nil, label)
                // Whoever had all it needed has a bond, whole; nobody has half of one.
                if device.result == nil {
                    #expect(device.savedBonds.isEmpty, label)
                    #expect(device.store.all.isEmpty, label)
                    // A peripheral that nothing has reached yet does not know that there was a pairing.
                    #expect(device.failure != nil || role == .peripheral, label)
                } else {
                    #expect(device.savedBonds.count == 1 && device.store.all.count == 1, label)
                }
            }
        }
    }

    private func play(
        _ method: Method,
        breakingAfter step: Int?,
        by fault: Fault
    ) throws -> (scene: PairingScene, counter: PairingPDUCounter) {
        var central = PairingSettings(), peripheral = PairingSettings()
        central.inputOutput = method.central
        peripheral.inputOutput = method.peripheral
        central.secureConnections = method.secureConnections
        peripheral.secureConnections = method.secureConnections
        let scene = PairingScene(central: central, peripheral: peripheral, seed: 9)
        let counter = PairingPDUCounter()
        scene.world.tap = counter
        try scene.connect()
        scene.world.run(for: .seconds(1))
        try scene.beginPairing()
        guard let step else {
            try scene.runPairing()
            return (scene, counter)
        }
        let people = People()
        let end = scene.world.now + .seconds(60)
        while counter.count < step, scene.world.now < end {
            scene.world.run(for: .milliseconds(50)) { counter.count >= step }
            guard counter.count < step else { break }
            for role in [ConnectionRole.central, .peripheral] {
                for question in scene.device(role).takeQuestions() {
                    let shown = scene.central.shown ?? scene.peripheral.shown
                    if let answer = people.answer(to: question, of: role, digitsShown: shown) {
                        try scene.answer(answer, role)
                    }
                }
            }
        }
        try strike(fault, scene)
        // Longer than the supervision timeout and the pairing's own.
        scene.world.run(for: .seconds(60))
        return (scene, counter)
    }

    private func strike(_ fault: Fault, _ scene: PairingScene) throws {
        switch fault {
        case .centralDisconnects: try disconnect(.central, scene)
        case .peripheralDisconnects: try disconnect(.peripheral, scene)
        case .peripheralVanishes: scene.world.remove(scene.peripheralID)
        case .centralIsSwitchedOff:
            scene.world.perform(on: scene.centralID) { host, now, actions in host.powerOff(at: now, into: &actions) }
        }
    }

    private func disconnect(_ role: ConnectionRole, _ scene: PairingScene) throws {
        guard let link = scene.device(role).link else { return }
        try scene.world.perform(on: scene.id(role)) { host, now, actions throws(OrderError) in
            try host.disconnect(link, at: now, into: &actions)
        }
    }
}

/// Counts the SMP PDUs that hosts give to their controllers.
final class PairingPDUCounter: WorldTap {
    private(set) var count = 0

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        // ACL data that begin a frame on channel 6.
        guard fromHost, packet.count > 8, packet[0] == 2, packet[2] >> 4 & 0b11 != 1, packet[7] == 6, packet[8] == 0
        else { return }
        count += 1
    }
}
