import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Two victims a metre apart, and room for an attacker: the central at 0 m, the peripheral at 1 m.
///
/// The peripheral has a value that anyone may write (handle 0x0102), and one that is given and taken on an encrypted link
/// only (0x0104). Both pair by Just Works, which asks no person.
final class AttackScene {
    static let openValue: AttributeHandle = 0x0102
    static let protectedValue: AttributeHandle = 0x0104
    /// An attacker so near to the peripheral that its frames are louder there than those of the central.
    static let near = Position.metres(x: 1.25)

    let world: World
    let central = Recorder()
    let peripheral: Recorder
    let centralID: DeviceID
    let peripheralID: DeviceID

    init(
        seed: UInt64 = 1,
        accuracy: SleepClockAccuracy = .upTo50,
        drift: (central: ClockDrift, peripheral: ClockDrift) = (.none, .none),
        usesSecondAlgorithm: Bool = true,
        settings: PairingSettings = PairingSettings()
    ) {
        let world = World(seed: seed)
        self.world = world
        let peripheral = Recorder(services: Self.services)
        self.peripheral = peripheral
        func add(_ name: String, _ application: Recorder, _ place: Double, _ drift: ClockDrift) -> DeviceID {
            let number = world.nextID.rawValue
            var controller = ControllerConfiguration(publicAddress: world.defaultAddress(of: number))
            controller.sleepClockAccuracy = accuracy
            if !usesSecondAlgorithm { controller.features.remove(.channelSelectionAlgorithm2) }
            var host = HostConfiguration(seed: seed, device: UInt64(number))
            host.pairing = settings
            return world.addDevice(
                named: name,
                controller: controller,
                host: host,
                at: .metres(x: place),
                drift: drift,
                application: application
            )
        }
        centralID = add("central", central, 0, drift.central)
        peripheralID = add("peripheral", peripheral, 1, drift.peripheral)
        world.run(for: .milliseconds(100))
    }

    private static let services: [ServiceDefinition] = [
        ServiceDefinition(
            0xFFE0,
            handle: 0x0100,
            characteristics: [
                CharacteristicDefinition(
                    0xFFE1,
                    properties: [.read, .write, .writeWithoutResponse],
                    handle: 0x0101,
                    valueHandle: openValue
                ),
                CharacteristicDefinition(
                    0xFFE2,
                    properties: [.read, .write, .writeWithoutResponse],
                    permissions: AttributePermissions(read: .encrypted, write: .encrypted),
                    value: [42],
                    handle: 0x0103,
                    valueHandle: protectedValue
                ),
            ]
        )
    ]

    // MARK: The victims

    var address: DeviceAddress { world.publicAddress(of: peripheralID)! }
    var isConnected: Bool { isConnected(central) && isConnected(peripheral) }

    func isConnected(_ device: Recorder) -> Bool {
        device.last { event -> Bool? in
            switch event {
            case .connected: true
            case .disconnected: false
            default: nil
            }
        } ?? false
    }

    /// Begins to advertise, or goes on.
    func advertise() {
        world.perform(on: peripheralID) { host, now, actions in
            try? host.startAdvertising(
                AdvertisingParameters(interval: AdvertisingInterval(steps: 32)!),
                at: now,
                into: &actions
            )
        }
    }

    /// Lets the peripheral advertise and the central call it; whether they are connected in the end.
    @discardableResult
    func connect(intervalSteps: UInt16 = 24, timeoutSteps: UInt16 = 500) throws -> Bool {
        advertise()
        let range = ConnectionParameterRange(
            minimumSteps: intervalSteps,
            maximumSteps: intervalSteps,
            latencyEvents: 0,
            timeoutSteps: timeoutSteps
        )!
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            let parameters = ConnectParameters(connection: range, untilAnswered: true)
            try host.connect(to: address, parameters, at: now, into: &actions)
        }
        return world.run(for: .seconds(10)) { isConnected }
    }

    /// Whether the link is encrypted at both ends then.
    func pair() throws -> Bool {
        guard let link = central.connection?.id else { return false }
        try world.perform(on: centralID) { host, now, actions throws(PairingOrderError) in
            try host.pair(link, at: now, into: &actions)
        }
        let done = world.run(for: .seconds(10)) {
            isEncrypted(central, centralID) && isEncrypted(peripheral, peripheralID)
        }
        // The keys that follow.
        world.run(for: .seconds(1))
        return done
    }

    func isEncrypted(_ device: Recorder, _ id: DeviceID) -> Bool {
        guard isConnected(device), let link = device.connection?.id else { return false }
        return world.perform(on: id) { host, _, _ in host.security(of: link) }??.isEncrypted == true
    }

    /// What the central's application writes, without a response.
    func write(_ value: [UInt8], to handle: AttributeHandle = openValue) throws {
        guard let link = central.connection?.id else { return }
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            _ = try host.writeCommand(value, link, handle, at: now, into: &actions)
        }
    }

    /// What was written at the peripheral so far, by any device.
    var written: [[UInt8]] {
        peripheral.events.compactMap {
            if case .server(.valueWritten(_, _, let value)) = $0.event { value } else { nil }
        }
    }

    // MARK: For attackers

    /// An L2CAP frame with an ATT Write Command.
    static func writeCommand(_ value: [UInt8], to handle: AttributeHandle = openValue) -> [UInt8] {
        RawCentral.PDU(
            channel: 4,
            [0x52, UInt8(truncatingIfNeeded: handle.rawValue), UInt8(handle.rawValue >> 8)] + value
        ).payload
    }

    /// What a stranger would ask the peripheral for.
    func indication(
        from initiator: DeviceAddress = DeviceAddress(value: 0xBAD0_0000_0001, kind: .public),
        intervalSteps: UInt16 = 6
    ) -> ConnectIndication {
        let parameters = ConnectionParameters(intervalSteps: intervalSteps, latencyEvents: 0, timeoutSteps: 100)!
        return ConnectIndication(
            initiator: initiator,
            advertiser: address,
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

    /// A raw central that the peripheral has let in; nil where it has not.
    func connectRaw(_ indication: ConnectIndication? = nil) throws -> RawCentral? {
        let raw = RawCentral(in: world, at: .metres(x: 1.2))
        advertise()
        raw.connect(indication ?? self.indication())
        guard world.run(for: .seconds(3), until: { isConnected(peripheral) }) else { return nil }
        world.run(for: .milliseconds(100))
        return raw
    }
}

// MARK: Links that are followed

extension AttackScene {
    /// A scene with a connection that an attacker follows.
    static func followed(
        seed: UInt64 = 1,
        at place: Position = AttackScene.near,
        isEncrypted: Bool = false,
        usesSecondAlgorithm: Bool = true
    ) throws -> (AttackScene, LinkFollower) {
        let scene = AttackScene(seed: seed, usesSecondAlgorithm: usesSecondAlgorithm)
        let follower = LinkFollower(in: scene.world, at: place)
        try #require(try scene.connect())
        if isEncrypted { try #require(try scene.pair()) }
        scene.world.run(for: .milliseconds(500))
        return (scene, follower)
    }

    /// Runs until there is an outcome, or for a second; nil then.
    func inject(by follower: LinkFollower, _ order: () -> Void) -> LinkFollower.Injection? {
        let count = follower.injections.count
        order()
        world.run(for: .seconds(1)) { follower.injections.count > count }
        return follower.injections.count > count ? follower.injections.last : nil
    }

    /// A connection update that moves the anchor points by 10 ms, and changes nothing else.
    func update(_ schedule: ConnectionSchedule, at instant: UInt16) -> ConnectionUpdateIndication {
        ConnectionUpdateIndication(
            window: TransmitWindow(sizeSteps: 1, offsetSteps: 8, interval: schedule.parameters.interval)!,
            parameters: schedule.parameters,
            instant: instant
        )
    }
}
