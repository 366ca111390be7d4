import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Commands about encryption. Core 6.0, Vol 4, Part E, 7.3.93, 7.3.94, 7.8.24 to 7.8.26, 7.8.36, 7.8.37.
extension ControllerCore {
    mutating func leLongTermKeyRequestReply(
        _ command: LELongTermKeyRequestReply,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        completeWithConnection(command.connection, .leLongTermKeyRequestReply, at: now, into: &actions) { link, _ in
            guard link.procedures.awaitsKey else { return .commandDisallowed }
            guard let key = Block128(littleEndian: command.longTermKey) else { return .invalidCommandParameters }
            link.provide(longTermKey: key, at: now)
            return .success
        }
    }

    mutating func leLongTermKeyRequestNegativeReply(
        _ command: LELongTermKeyRequestNegativeReply,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let opcode = Opcode.leLongTermKeyRequestNegativeReply
        completeWithConnection(command.connection, opcode, at: now, into: &actions) { link, output in
            guard link.procedures.awaitsKey else { return .commandDisallowed }
            link.refuseKey(at: now, into: &output)
            return .success
        }
    }

    mutating func readAuthenticatedPayloadTimeout(
        _ command: ReadAuthenticatedPayloadTimeout,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard let box = connection(command.connection) else {
            return refuseUnknown(command.connection, .readAuthenticatedPayloadTimeout, into: &actions)
        }
        complete(
            .readAuthenticatedPayloadTimeout,
            returning: ReadAuthenticatedPayloadTimeoutReturn(
                connection: command.connection,
                timeout: box.connection.authenticatedPayload.steps
            ),
            into: &actions
        )
    }

    mutating func writeAuthenticatedPayloadTimeout(
        _ command: WriteAuthenticatedPayloadTimeout,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let opcode = Opcode.writeAuthenticatedPayloadTimeout
        completeWithConnection(command.connection, opcode, at: now, into: &actions) { link, _ in
            // In one of them at least the peer must be able to answer.
            guard command.timeout > 0, .milliseconds(10 * Int64(command.timeout)) >= link.pingRound
            else { return .invalidCommandParameters }
            link.authenticatedPayload.set(steps: command.timeout, at: now)
            link.armAuthenticatedPayload()
            return .success
        }
    }

    mutating func leGenerateDHKey(_ command: LEGenerateDHKey, at now: Instant, into actions: inout ControllerActions) {
        generateSecret(.leGenerateDHKey, with: command.publicKey, by: keyPair, into: &actions)
    }

    mutating func leGenerateDHKeyV2(
        _ command: LEGenerateDHKeyV2,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        generateSecret(
            .leGenerateDHKeyV2,
            with: command.publicKey,
            by: command.usesDebugKey ? .debug : keyPair,
            into: &actions
        )
    }

    mutating func leEnableEncryption(
        _ command: LEEnableEncryption,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        withConnection(command.connection, .leEnableEncryption, at: now, into: &actions) { link, output in
            guard let key = Block128(littleEndian: command.longTermKey) else { return .invalidCommandParameters }
            guard link.role == .central, !link.isTerminating, link.procedures.mayOrderEncryption
            else { return .commandDisallowed }
            guard !link.procedures.features.peerLacks(.encryption) else { return .unsupportedRemoteFeature }
            let order = EncryptionOrder(
                random: command.random,
                diversifier: command.encryptedDiversifier,
                longTermKey: key
            )
            link.begin(.encryptionStart(order), at: now, into: &output)
            return .success
        }
    }

    /// LE Read Local P-256 Public Key: a new pair each time. It is there at once, so that none is ever under way when
    /// the host asks for another.
    mutating func leReadLocalP256PublicKey(
        _ command: LEReadLocalP256PublicKey,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        status(.leReadLocalP256PublicKey, .success, into: &actions)
        let pair = P256KeyPair(using: &random.secret)
        keyPair = pair
        send(
            .leReadLocalP256PublicKeyComplete(
                LEReadLocalP256PublicKeyComplete(publicKey: pair.publicKey.littleEndianBytes)
            ),
            into: &actions
        )
    }

    /// LE Generate DHKey, with a public key that is on the curve, and with a private key that there is.
    private mutating func generateSecret(
        _ opcode: Opcode,
        with publicKey: [UInt8],
        by pair: P256KeyPair?,
        into actions: inout ControllerActions
    ) {
        guard let pair else { return status(opcode, .commandDisallowed, into: &actions) }
        guard let peer = try? P256PublicKey(littleEndian: publicKey)
        else { return status(opcode, .invalidCommandParameters, into: &actions) }
        status(opcode, .success, into: &actions)
        let secret = pair.sharedSecret(with: peer).littleEndianBytes
        send(.leGenerateDHKeyComplete(LEGenerateDHKeyComplete(key: secret)), into: &actions)
    }
}
