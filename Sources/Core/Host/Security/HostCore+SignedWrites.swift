internal import BluethroatBluetoothCrypto
internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatVirtualTime

/// Signed writes, for links that are not encrypted: LE security mode 2. Core 6.0, Vol 3, Part C, 10.2.2 and 10.4.
extension HostCore {
    mutating func writeSigned(
        _ value: [UInt8],
        _ connection: ConnectionID,
        _ handle: AttributeHandle,
        at now: Instant,
        into actions: inout HostActions
    ) throws(OrderError) -> Bool {
        guard let slot = links.slot(of: connection) else { throw .noSuchConnection }
        guard value.count + 3 + DataSignature.byteCount <= links[slot].att.mtu else { throw .valueTooLong }
        if links[slot].security.key != nil {
            return try writeCommand(value, connection, handle, at: now, into: &actions)
        }
        guard var bond = bond(of: slot), let key = bond.localSigningKey, bond.localSignCounter < .max else {
            throw .noSigningKey
        }
        guard !links[slot].att.isClosed else { throw .attTimedOut }
        guard hasRoom(slot: slot) else { return false }
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
        send(packet, on: .attribute, slot: slot, into: &actions)
        return true
    }

    /// A signed write has come. One that is not from the peer of the bond, or has come before, is dropped without a
    /// word; so is one over an encrypted link, where none are sent.
    mutating func handleSignedWrite(_ pdu: [UInt8], _ slot: Int, at now: Instant, into actions: inout HostActions) {
        let length = pdu.count - DataSignature.byteCount
        guard links[slot].security.key == nil,
            var bond = bond(of: slot), let key = bond.peerSigningKey, let strength = bond.strength,
            length >= 3
        else { return }
        let message = Array(pdu[..<length])
        var trailer = pdu.span.bytes.extracting(droppingFirst: length)
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
        att.receiveSigned(message, on: &links[slot], as: security, into: &attActions)
    }
}
