public import BluethroatBluetoothCrypto
public import BluethroatBluetoothValues
import BluethroatByteCoding
public import BluethroatEvents
public import BluethroatHost
import BluethroatPrivateFiles
import Foundation

/// The out-of-band data of two devices, as a file.
///
/// Either AD structures in hexadecimal digits, as the Core Specification defines them for this purpose (Supplement,
/// Part A, 1.8, 1.16 to 1.18) and Bumble prints them, or a JSON object with the same bytes under names.
public struct OutOfBandFile: Hashable, Sendable {
    /// Whose data this is, if it says so.
    public var address: DeviceAddress?
    /// The temporary key of legacy pairing.
    public var temporaryKey: Block128?
    /// Confirmation and random value of LE Secure Connections.
    public var secureConnections: OutOfBandData?

    /// Data of one device.
    public init(address: DeviceAddress? = nil, temporaryKey: Block128? = nil, secureConnections: OutOfBandData? = nil) {
        self.address = address
        self.temporaryKey = temporaryKey
        self.secureConnections = secureConnections
    }

    /// Reads a file of either form, which has to hold something that the kind of pairing can use: one that it cannot
    /// would be passed over in silence, and the pairing be less than was meant.
    public init(contentsOf path: String, forLegacyPairing isLegacy: Bool) throws(OperationFailure) {
        let text: String
        do throws(PrivateFiles.Failure) {
            // A program that reads it can pass for the other device.
            guard let found = try PrivateFiles.readText(URL(fileURLWithPath: path), limit: 1 << 16) else {
                throw .failed(path, "cannot be read: there is no such file")
            }
            text = found
        } catch {
            throw OperationFailure("\(error)", .wrongUsage)
        }
        do throws(OutOfBandError) {
            try self.init(parsing: text)
            try checkUse(inLegacyPairing: isLegacy)
        } catch {
            throw OperationFailure("\(path): \(error.reason)", .wrongUsage)
        }
    }

    /// Why a text holds no such data.
    public struct OutOfBandError: Error {
        /// One line, without the name of the file.
        public let reason: String
    }

    /// Reads the text of a file of either form.
    public init(parsing text: String) throws(OutOfBandError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("{") { try self.init(json: text) } else { try self.init(hex: text) }
        guard temporaryKey != nil || secureConnections != nil else {
            throw OutOfBandError(reason: "holds neither confirm and random values nor a temporary key")
        }
    }

    /// Throws if it holds nothing that the kind of pairing can use.
    public func checkUse(inLegacyPairing isLegacy: Bool) throws(OutOfBandError) {
        if isLegacy, temporaryKey == nil {
            throw OutOfBandError(reason: "has no temporary key, which --legacy needs; leave --legacy out")
        }
        if !isLegacy, secureConnections == nil {
            throw OutOfBandError(reason: "has a temporary key only, which is for legacy pairing; add --legacy")
        }
    }

    // MARK: AD structures

    /// The types of AD structures. Assigned Numbers, 2.3.
    private enum Kind {
        static let temporaryKey: UInt8 = 0x10
        static let address: UInt8 = 0x1B
        static let role: UInt8 = 0x1C
        static let confirm: UInt8 = 0x22
        static let random: UInt8 = 0x23
    }

    private init(hex text: String) throws(OutOfBandError) {
        guard let bytes = [UInt8](hex: text.filter { !$0.isWhitespace }), !bytes.isEmpty else {
            throw OutOfBandError(reason: "is neither JSON nor AD structures in hexadecimal digits")
        }
        var found: [UInt8: [UInt8]] = [:]
        var rest = bytes[...]
        while let length = rest.popFirst(), length > 0 {
            guard rest.count >= Int(length) else { throw OutOfBandError(reason: "ends within an AD structure") }
            let structure = rest.prefix(Int(length))
            found[structure.first!] = Array(structure.dropFirst())
            rest = rest.dropFirst(Int(length))
        }
        if let bytes = found[Kind.address] {
            guard bytes.count == 6 || bytes.count == 7 else { throw OutOfBandError(reason: "holds no whole address") }
            let value = bytes[..<6].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            address = DeviceAddress(value: value, kind: bytes.count == 7 && bytes[6] & 1 == 0 ? .public : .random)
        }
        temporaryKey = try Self.block(found[Kind.temporaryKey], "temporary key")
        try take(confirm: found[Kind.confirm], random: found[Kind.random])
    }

    private mutating func take(confirm: [UInt8]?, random: [UInt8]?) throws(OutOfBandError) {
        switch (try Self.block(confirm, "confirm value"), try Self.block(random, "random value")) {
        case (let confirm?, let random?): secureConnections = OutOfBandData(confirm: confirm, random: random)
        case (nil, nil): break
        case (nil, _): throw OutOfBandError(reason: "holds a random value without a confirm value")
        case (_, nil): throw OutOfBandError(reason: "holds a confirm value without a random value")
        }
    }

    private static func block(_ bytes: [UInt8]?, _ what: String) throws(OutOfBandError) -> Block128? {
        guard let bytes else { return nil }
        guard let block = Block128(littleEndian: bytes) else {
            throw OutOfBandError(reason: "holds a \(what) of \(bytes.count) bytes, where 16 are needed")
        }
        return block
    }

    /// AD structures, as another device takes them.
    public var advertisingData: [UInt8] {
        var bytes: [UInt8] = []
        func add(_ kind: UInt8, _ value: [UInt8]) { bytes += [UInt8(value.count + 1), kind] + value }
        if let address { add(Kind.address, address.bytes + [address.kind.rawValue]) }
        // Central only.
        add(Kind.role, [0x01])
        if let temporaryKey { add(Kind.temporaryKey, temporaryKey.littleEndianBytes) }
        if let data = secureConnections {
            add(Kind.confirm, data.confirm.littleEndianBytes)
            add(Kind.random, data.random.littleEndianBytes)
        }
        return bytes
    }

    // MARK: JSON

    private struct Object: Codable {
        var address: String?
        var addressType: String?
        var temporaryKey: String?
        var confirm: String?
        var random: String?
    }

    private init(json text: String) throws(OutOfBandError) {
        let object: Object
        do {
            object = try JSONDecoder().decode(Object.self, from: Data(text.utf8))
        } catch {
            throw OutOfBandError(reason: "is no JSON object with texts for temporaryKey, confirm and random")
        }
        func bytes(_ text: String?, _ what: String) throws(OutOfBandError) -> [UInt8]? {
            guard let text else { return nil }
            guard let bytes = [UInt8](hex: text) else { throw OutOfBandError(reason: "\(what) is not hexadecimal") }
            return bytes
        }
        if let text = object.address {
            address = DeviceAddress(text, kind: object.addressType == "public" ? .public : .random)
            if address == nil { throw OutOfBandError(reason: "\(text.abridged.shown) is no address") }
        }
        temporaryKey = try Self.block(try bytes(object.temporaryKey, "temporaryKey"), "temporary key")
        try take(confirm: try bytes(object.confirm, "confirm"), random: try bytes(object.random, "random"))
    }

    /// The JSON form, on one line.
    public var text: String {
        var parts: [String] = []
        if let address {
            parts.append(#""address":"\#(address)","addressType":"\#(address.kindName)""#)
        }
        if let temporaryKey { parts.append(#""temporaryKey":"\#(temporaryKey.littleEndianBytes.hex)""#) }
        if let data = secureConnections {
            parts.append(#""confirm":"\#(data.confirm.littleEndianBytes.hex)""#)
            parts.append(#""random":"\#(data.random.littleEndianBytes.hex)""#)
        }
        return "{" + parts.joined(separator: ",") + "}"
    }
}
