import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// A host whose controller says anything about keys, whose peers say anything about pairing, and whose application
/// orders anything.
struct HostileLinks {
    private var bench: HostBench
    private var rounds = 0

    init() {
        var controller = ScriptedController()
        controller.supported = SupportedCommands(ScriptedController.usual + [.leEnableEncryption])
        bench = HostBench.up(controller) { $0.pairing.inputOutput = .keyboardDisplay }
    }

    /// One connection: no key is given away, and nothing is left when it ends.
    mutating func connect(_ random: inout FuzzInput) {
        let role: ConnectionRole = rounds % 2 == 0 ? .peripheral : .central
        let handle = 0x40 + UInt16(rounds % 4)
        let link = bench.connected(handle: handle, role: role)
        rounds += 1
        for _ in 0..<100 where !random.isEmpty { Self.step(&bench, link, handle, &random) }
        let released = bench.controller.commands.contains {
            switch $0.opcode {
            case .leLongTermKeyRequestReply, .leEnableEncryption: true
            default: false
            }
        }
        hold(!released, "a key was given away")
        hold(bench.host.security(of: link)?.isEncrypted != true, "a link is taken as encrypted")
        bench.disconnectionComplete(link, reason: .remoteUserTerminatedConnection)
        hold(bench.host.openSlots.isEmpty, "a link is left")
        hold(bench.host.nextDeadline == nil && bench.host.bonds.isEmpty, "a timer or a bond is left")
        bench.controller.forget()
        _ = bench.takeEvents()
    }

    private static func step(
        _ bench: inout HostBench,
        _ link: ConnectionID,
        _ handle: UInt16,
        _ random: inout FuzzInput
    ) {
        let connection = ConnectionHandle(rawValue: random.next(below: 8) == 0 ? 0x50 : handle)!
        let status: ControllerError = random.next(below: 2) == 0 ? .success : .pinOrKeyMissing
        switch random.next(below: 10) {
        case 0:
            let isZero = random.next(below: 2) == 0
            let request = LELongTermKeyRequest(
                connection: connection,
                random: isZero ? 0 : random.next(),
                encryptedDiversifier: isZero ? 0 : UInt16(truncatingIfNeeded: random.next())
            )
            bench.report(.leLongTermKeyRequest(request))
        case 1:
            let change = EncryptionChange(
                status: status,
                connection: connection,
                isEncrypted: random.next(below: 2) == 0
            )
            bench.report(.encryptionChange(change))
        case 2:
            bench.report(
                .encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete(status: status, connection: connection))
            )
        case 3: bench.run(for: .milliseconds(Int64(random.next(below: 4_000))))
        case 4:
            let choice = random.next(below: 6)
            try? bench.order { host, now, actions in
                switch choice {
                case 0: try host.pair(link, at: now, into: &actions)
                case 1: try host.requestSecurity(link, at: now, into: &actions)
                case 2: try host.secure(link, atLeast: .authenticated, at: now, into: &actions)
                case 3: try host.answer(.agree, on: link, at: now, into: &actions)
                case 4: try host.answer(.refuse, on: link, at: now, into: &actions)
                default: try host.answer(.passkey(Passkey(0)!), on: link, at: now, into: &actions)
                }
            }
        case 5:
            var pdu: [UInt8] = [0xD2, 3, 0]
            for _ in 0..<random.next(below: 20) { pdu.append(UInt8(truncatingIfNeeded: random.next())) }
            bench.receiveFrame(pdu, channel: 4, on: link)
        case 6, 7:
            let features = PairingFeatures(
                inputOutput: IOCapability.allCases[Int(random.next(below: 5))],
                requirements: AuthenticationRequirements(rawValue: UInt8(random.next(below: 32))),
                initiatorKeys: KeyDistribution(rawValue: UInt8(random.next(below: 16))),
                responderKeys: []
            )
            let pdu: SMPPDU = random.next(below: 2) == 0 ? .pairingRequest(features) : .pairingResponse(features)
            bench.receiveFrame(pdu.bytes, channel: 6, on: link)
        default:
            var pdu = [UInt8(random.next(below: 16))]
            for _ in 0..<[0, 1, 6, 16, 64, 70][Int(random.next(below: 6))] {
                pdu.append(UInt8(truncatingIfNeeded: random.next()))
            }
            bench.receiveFrame(pdu, channel: 6, on: link)
        }
    }
}
