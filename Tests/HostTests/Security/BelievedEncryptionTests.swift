import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// A link is encrypted where the controller was given a key, has taken it, and says that it uses it. Events that
/// contradict that change nothing.
@Suite("What a controller says about encryption")
struct BelievedEncryptionTests {
    private static let peer = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random)
    private static let key = LongTermKey(
        value: Block128(high: 1, low: 2),
        identification: .none,
        size: 16,
        isAuthenticated: true,
        isSecureConnections: true
    )

    private static let controller: ScriptedController = {
        var controller = ScriptedController()
        controller.supported = SupportedCommands(ScriptedController.usual + [.leEnableEncryption])
        return controller
    }()

    /// A host with a bond, and a connection to the peer of it; orders to the controller are held back.
    private static func connected(_ role: ConnectionRole) throws -> (bench: HostBench, link: ConnectionID) {
        var bench = HostBench.up(controller)
        let bond = Bond(
            local: ScriptedController().publicAddress,
            peer: peer,
            keyAsCentral: key,
            keyAsPeripheral: key
        )
        try bench.order { host, now, actions in try host.keep(bond, at: now, into: &actions) }
        bench.holdsPackets = true
        bench.connectionComplete(role: role, peer: peer)
        for case .connected(let description) in bench.takeEvents() { return (bench, description.id) }
        throw Missing()
    }

    private struct Missing: Error {}

    private static func encrypted(_ link: ConnectionID, _ status: ControllerError = .success) -> Event {
        .encryptionChange(EncryptionChange(status: status, connection: link.handle, isEncrypted: true))
    }

    private static func refreshed(_ link: ConnectionID) -> Event {
        .encryptionKeyRefreshComplete(EncryptionKeyRefreshComplete(connection: link.handle))
    }

    @Test("As central: not before the controller has taken the key, and then")
    func central() throws {
        var (bench, link) = try Self.connected(.central)
        #expect(bench.held.count == 1, "the order to encrypt")
        bench.report(Self.encrypted(link))
        #expect(bench.host.security(of: link)?.isEncrypted == false)
        bench.release()
        #expect(bench.host.security(of: link)?.isEncrypted == false)
        bench.report(Self.encrypted(link))
        #expect(bench.host.security(of: link)?.isEncrypted == true)
    }

    @Test("As peripheral: not before the controller has taken the key, and then")
    func peripheral() throws {
        var (bench, link) = try Self.connected(.peripheral)
        bench.report(Self.encrypted(link))
        #expect(bench.host.security(of: link)?.isEncrypted == false)
        bench.report(
            .leLongTermKeyRequest(LELongTermKeyRequest(connection: link.handle, random: 0, encryptedDiversifier: 0))
        )
        #expect(!bench.held.isEmpty, "the key")
        bench.report(Self.encrypted(link))
        #expect(bench.host.security(of: link)?.isEncrypted == false)
        bench.release()
        bench.report(Self.encrypted(link))
        #expect(bench.host.security(of: link)?.isEncrypted == true)
    }

    @Test(
        "A controller that has refused the key does not encrypt with it",
        arguments: [ConnectionRole.central, .peripheral]
    )
    func refused(role: ConnectionRole) throws {
        var (bench, link) = try Self.connected(role)
        if role == .peripheral {
            bench.report(
                .leLongTermKeyRequest(LELongTermKeyRequest(connection: link.handle, random: 0, encryptedDiversifier: 0))
            )
        }
        bench.controller.refusals = [
            .leEnableEncryption: .commandDisallowed, .leLongTermKeyRequestReply: .commandDisallowed,
        ]
        bench.release()
        bench.report(Self.encrypted(link))
        #expect(bench.host.security(of: link)?.isEncrypted == false)
        #expect(bench.takeEvents().contains { $0.name == "security" })
    }

    @Test("A link that was never encrypted has no key to change", arguments: [ConnectionRole.central, .peripheral])
    func refreshed(role: ConnectionRole) throws {
        var (bench, link) = try Self.connected(role)
        if role == .peripheral {
            bench.report(
                .leLongTermKeyRequest(LELongTermKeyRequest(connection: link.handle, random: 0, encryptedDiversifier: 0))
            )
        }
        bench.release()
        bench.report(Self.refreshed(link))
        #expect(bench.host.security(of: link)?.isEncrypted == false)
        #expect(bench.host.hasNoKeys)
    }

    @Test("On, with an error: every code but success leaves the link in the clear")
    func errors() throws {
        for code in UInt8(1)...255 {
            var (bench, link) = try Self.connected(.central)
            bench.release()
            bench.report(Self.encrypted(link, ControllerError(rawValue: code)))
            #expect(bench.host.security(of: link)?.isEncrypted == false)
            let told = bench.takeEvents().contains { event in
                if case .security(.encryptionFailed(_, ControllerError(rawValue: code))) = event { true } else { false }
            }
            #expect(told, "\(code)")
        }
    }

    /// What the application hears when the controller says that the connection is gone.
    private func told(of reason: ControllerError, isOrdered: Bool = false) throws -> [ControllerError] {
        var (bench, link) = try Self.connected(.central)
        bench.release()
        _ = bench.takeEvents()
        if isOrdered { try bench.order { host, now, actions in try host.disconnect(link, at: now, into: &actions) } }
        bench.report(.disconnectionComplete(DisconnectionComplete(connection: link.handle, reason: reason)))
        return bench.takeEvents().compactMap { event in
            if case .disconnected(_, let reason) = event { reason } else { nil }
        }
    }

    @Test("Disconnection Complete with the reason 0x00: the application hears of a failure and not of a success")
    func disconnection() throws { #expect(try told(of: .success) == [.unspecifiedError]) }

    @Test("Who sends LL_TERMINATE_IND with our own end as the reason has ended the connection all the same")
    func ourOwnEnd() throws {
        #expect(try told(of: .connectionTerminatedByLocalHost) == [.remoteUserTerminatedConnection])
        #expect(
            try told(of: .connectionTerminatedByLocalHost, isOrdered: true) == [.connectionTerminatedByLocalHost]
        )
    }
}
