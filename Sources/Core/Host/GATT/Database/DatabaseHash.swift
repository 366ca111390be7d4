import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding

extension GATTDatabase {
    /// The Database Hash as a client reads it: 16 bytes that differ when services, characteristics or descriptors
    /// do. Core 6.0, Vol 3, Part G, 7.3.
    public var hash: [UInt8] { AESCMAC.authenticate(hashedBytes, key: .zero).littleEndianBytes }

    /// Handle, type and, of declarations, value of each attribute that gives the database its shape. 7.3.1.
    var hashedBytes: [UInt8] {
        var bytes: [UInt8] = []
        for attribute in attributes {
            switch attribute.type {
            case .primaryService, .secondaryService, .include, .characteristic, .characteristicExtendedProperties:
                bytes.appendUInt16(attribute.handle.rawValue)
                attribute.type.writeForATT(to: &bytes)
                bytes.append(contentsOf: attribute.value)
            case .characteristicUserDescription, .clientCharacteristicConfiguration,
                .serverCharacteristicConfiguration, .characteristicPresentationFormat, .characteristicAggregateFormat:
                bytes.appendUInt16(attribute.handle.rawValue)
                attribute.type.writeForATT(to: &bytes)
            default: break
            }
        }
        return bytes
    }

    /// Computes the hash anew, and stores it where clients read it, if they can. To be called whenever the shape has
    /// changed.
    mutating func refreshHash() {
        knownHash = hash
        guard let index = attributes.firstIndex(where: { $0.role == .databaseHash }) else { return }
        attributes[index].value = knownHash
    }

    /// The hash of an empty database.
    static let hashOfNothing = AESCMAC.authenticate([], key: .zero).littleEndianBytes
}
