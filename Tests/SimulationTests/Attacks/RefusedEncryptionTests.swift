import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost
@testable import BluethroatLinkLayer
@testable import BluethroatSimulation

/// A stranger shows the address of a bonded device, has no key, and refuses LL_ENC_REQ with a code of his choice: 0x00
/// says success everywhere else.
@Suite("A device without the key that refuses encryption")
struct RefusedEncryptionTests {
    static let codes: [UInt8] = [0x00, 0x01, 0x06, 0x13, 0x1A, 0x1F, 0x3D, 0x80, 0xFF]

    @Test(
        "The central does not take the link for encrypted, and gives nothing that wants encryption",
        arguments: codes,
        [false, true]
    )
    func impostor(code: UInt8, extended: Bool) throws {
        let scene = try ImpostorScene()
        #expect(try scene.meet(refusingWith: ControllerError(rawValue: code), extended: extended))
        scene.world.world.run(for: .seconds(1))

        let security = try #require(scene.world.security(0))
        #expect(!security.isEncrypted && security.hasKey)
        #expect(scene.central.encryptionFailures == [ControllerError(rawValue: code == 0 ? 0x1F : code)])
        let events = scene.central.security
        #expect(!events.contains { if case .encryptionChanged(_, let link) = $0 { link.isEncrypted } else { false } })
        // The other way round the impostor asks for a value that wants encryption.
        scene.say([0x0A, 0x22, 0x00])
        #expect(scene.heard() == [[0x01, 0x0A, 0x22, 0x00, ATTError.insufficientEncryption.rawValue]])
        // What it had subscribed to, as the bonded device, it does not get.
        scene.world.order(0) { host, now, actions in
            _ = host.notify([0x5E, 0xC7, 0xE7], handle: SecureWorld.value, at: now, into: &actions)
        }
        #expect(scene.heard().isEmpty)
        // An application that insists on encryption is not told that all is well.
        let link = try #require(scene.central.link)
        let isSecure = try? scene.world.order(0) { host, now, actions throws(PairingOrderError) in
            try host.secure(link, atLeast: .encrypted, at: now, into: &actions)
        }
        #expect(isSecure != true)
    }

    @Test("The device itself, with its key, is encrypted with as before")
    func rightful() throws {
        let scene = try ImpostorScene()
        #expect(try scene.world.connect())
        #expect(scene.world.run { scene.world.security(0)?.isEncrypted == true })
    }
}

/// A central that has bonded with a peripheral, both of them servers, and an impostor whose host is this test.
private final class ImpostorScene {
    let world: SecureWorld
    var central: SecureDevice { world.devices[0] }
    private var impostor: DeviceID?
    private var packets: [[UInt8]] = []

    init() throws {
        world = SecureWorld([PairingSettings(), PairingSettings()])
        let services = world.devices[1].services
        world.order(0) { host, now, actions in _ = try? host.addServices(services, at: now, into: &actions) }
        #expect(try world.connect())
        #expect(try world.pair())
        // The peripheral subscribes to the central's value.
        #expect(try world.subscribe(1))
        #expect(try world.disconnect())
        central.forget()
    }

    /// The impostor, at the peripheral's address, is connected to, and refuses encryption; whether it was asked.
    func meet(refusingWith code: ControllerError, extended: Bool) throws -> Bool {
        let address = try #require(world.world.publicAddress(of: world.ids[1]))
        world.world.remove(world.ids[1])
        let id = world.world.addController(
            named: "impostor",
            configuration: ControllerConfiguration(publicAddress: address)
        ) { [unowned self] in packets.append($0) }
        impostor = id
        send(.setEventMask(SetEventMask(mask: EventMask(rawValue: .max))))
        send(.leSetEventMask(LESetEventMask(mask: LEEventMask(rawValue: 0x1F))))
        send(.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)))
        try world.order(0) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        let isAsked = world.run { controllerLink?.connection.procedures.awaitsKey == true }
        // No host of ours could order this: the impostor's controller is the impostor's own.
        let link = try #require(controllerLink)
        link.connection.finishRemoteProcedure()
        link.connection.queue.append(urgent: extended ? .rejectExtInd(.encReq, code) : .rejectInd(code))
        link.connection.queue.release()
        world.world.run(for: .milliseconds(500))
        packets = []
        return isAsked
    }

    private var controllerLink: ConnectionBox? {
        impostor.flatMap { world.world.device($0)?.controller?.core.connections.compactMap { $0 }.first }
    }

    private func send(_ command: Command) {
        guard let impostor else { return }
        world.world.receive(hci: command.packet(), for: impostor)
    }

    /// The impostor sends an ATT PDU.
    func say(_ pdu: [UInt8]) {
        guard let impostor, let link = controllerLink else { return }
        let length = UInt8(pdu.count)
        let packet = [2, UInt8(link.connection.handle.rawValue), 0, length + 4, 0, length, 0, 4, 0] + pdu
        world.world.receive(hci: packet, for: impostor)
    }

    /// The ATT PDUs that have come since the last call, in the clear, half a second later.
    func heard() -> [[UInt8]] {
        world.world.run(for: .milliseconds(500))
        defer { packets = [] }
        return packets.compactMap { packet in
            guard packet.count > 9, packet[0] == 2, packet[7] == 4 else { return nil }
            return Array(packet[9...])
        }
    }
}
