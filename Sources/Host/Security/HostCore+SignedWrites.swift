internal import BluetoothCrypto
internal import BluetoothValues
internal import ByteCoding
internal import VirtualTime

/// Signed writes, for links that are not encrypted: LE security mode 2. Core 6.0, Vol 3, Part C, 10.2.2 and 10.4.
extension HostCore {
    mutating func writeSigned(
        _ value: [UInt8],
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> Bool {
        guard let index = security.index(of: connection), let mtu = mtu(of: connection) else {
            throw .noSuchConnection
        }
        guard value.count + 3 + DataSignature.byteCount <= mtu else { throw .valueTooLong }
        if security[index].key != nil { return try writeCommand(value, connection, handle, at: now, into: &actions) }
        guard var bond = bond(of: security[index]), let key = bond.localSigningKey, bond.localSignCounter < .max else {
            throw .noSigningKey
        }
        guard let bearer = att.index(of: connection), !att.bearers[bearer].isClosed else { throw .attTimedOut }
        guard hasRoom(on: connection) else { return false }
        let counter = bond.localSignCounter
        // A counter that was used twice would give the same peer two messages of which it takes only one.
        bond.localSignCounter += 1
        guard save(bond, at: now, into: &actions) else { throw .bondStoreFailed }

        var message: [UInt8] = [ATTOpcode.signedWriteCommand.rawValue]
        message.appendUInt16(handle.rawValue)
        message.append(contentsOf: value)
        let signature = DataSignature(signing: message.span.bytes, key: key, counter: counter)
        var packet = OutgoingPDU.buffer(capacity: message.count + DataSignature.byteCount)
        packet.append(contentsOf: message)
        signature.write(to: &packet)
        sendATT(packet, on: connection, at: now, into: &actions)
        return true
    }

    /// A signed write has come. One that is not from the peer of the bond, or has come before, is dropped without a
    /// word; so is one over an encrypted link, where none are sent.
    mutating func receive(signed write: SignedWrite, into actions: inout HostActions, at now: Instant) {
        let length = write.pdu.count - DataSignature.byteCount
        guard let index = security.index(of: write.connection), security[index].key == nil,
            var bond = bond(of: security[index]), let key = bond.peerSigningKey, let strength = bond.strength,
            length >= 3
        else { return }
        let message = Array(write.pdu[..<length])
        var trailer = write.pdu.span.bytes.extracting(droppingFirst: length)
        guard let signature = try? DataSignature(parsing: &trailer),
            signature.authenticates(message.span.bytes, key: key),
            signature.counter >= bond.peerSignCounter, signature.counter < .max
        else { return }
        bond.peerSignCounter = signature.counter + 1
        // What cannot be remembered to have come might come again.
        guard save(bond, at: now, into: &actions) else { return }
        var security = LinkSecurity()
        security.isEncrypted = true
        security.isAuthenticated = strength.isAuthenticated
        security.isSecureConnections = strength.isSecureConnections
        security.keySize = 16
        security.hasKey = true
        att.receiveSigned(message, on: write.connection, as: security, into: &attActions)
    }
}
