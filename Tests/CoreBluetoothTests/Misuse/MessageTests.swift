import BluethroatHost
import BluethroatPhoneService
import CoreBluetooth
import Testing

/// What is logged of misuse. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("What errors say")
struct MessageTests {
    private let peer = PeerID(high: 1, low: 2)

    /// How a connection ends for an app, as an error.
    private func delivered(_ fault: ServiceFault) throws -> any Error {
        let port = ScriptedPort()
        let listener = ErrorListener()
        let manager = CBCentralManager(
            delegate: listener,
            queue: nil,
            environment: BluetoothEnvironment(port: port, delivery: .inline)
        )
        port.tell(.state(.poweredOn), .central(.peerKnown(PeerSummary(id: peer))))
        port.tell(.central(.disconnected(peer, Disconnection(fault: fault, time: 0))))
        withExtendedLifetime(manager) {}
        return try #require(listener.error)
    }

    @Test(
        "Errors of the link and of the phone are CBErrors with the sentences that apps have logged [O]",
        arguments: [
            (0, "Unknown error."), (1, "One or more parameters were invalid."),
            (6, "The connection has timed out unexpectedly."),
            (7, "The specified device has disconnected from us."),
            (8, "The specified UUID is not allowed for this operation."), (9, "Advertising has already started."),
            (14, "Peer removed pairing information"),
            (15, "Failed to encrypt the connection, the connection has timed out unexpectedly."),
        ]
    )
    func local(code: Int, sentence: String) throws {
        let error = try delivered(.local(try #require(LocalFault(rawValue: code))))
        #expect(error.localizedDescription == sentence)
        #expect((error as? CBError)?.code.rawValue == code && CBErrorDomain == "CBErrorDomain")
        let bridged = error as NSError
        #expect(bridged.domain == CBErrorDomain && bridged.code == code)
        #expect(bridged.userInfo[NSLocalizedDescriptionKey] as? String == sentence)
    }

    @Test("Every code has a sentence of its own [product decision]")
    func sentences() throws {
        let sentences = try (0...16).map { code in
            try delivered(.local(try #require(LocalFault(rawValue: code)))).localizedDescription
        }
        #expect(Set(sentences).count == sentences.count && sentences.allSatisfy { !$0.isEmpty })
    }

    @Test(
        "Errors of a peer's server are CBATTErrors with the peer's code, and the sentences that apps have logged [O]",
        arguments: [
            (2, "Reading is not permitted."), (5, "Authentication is insufficient."), (14, "Unlikely error."),
            (15, "Encryption is insufficient."), (0x80, "Unknown ATT error."), (241, "Unknown ATT error."),
        ]
    )
    func remote(code: Int, sentence: String) throws {
        let error = try delivered(.att(ATTError(rawValue: UInt8(code))))
        #expect(error.localizedDescription == sentence)
        #expect((error as? CBATTError)?.code.rawValue == code)
        let bridged = error as NSError
        #expect(bridged.domain == "CBATTErrorDomain" && bridged.domain == CBATTErrorDomain && bridged.code == code)
    }
}

private final class ErrorListener: NSObject, CBCentralManagerDelegate {
    private(set) var error: (any Error)?

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { self.error = error }
}
