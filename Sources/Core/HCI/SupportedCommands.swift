public import BluethroatByteCoding

/// The 512 bits that say which commands a controller knows. Core 6.0, Vol 4, Part E, 6.27.
public struct SupportedCommands: Sendable {
    /// Eight words of eight octets each, the first octet lowest.
    private var words: [8 of UInt64]

    /// No command.
    public init() { words = [8 of UInt64](repeating: 0) }

    /// These commands, as far as the mask has bits for them; Read Local Supported Commands itself has none.
    public init(_ opcodes: some Sequence<Opcode>) {
        self.init()
        for opcode in opcodes { insert(opcode) }
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 64 else { throw .truncated(needed: 64, available: bytes.byteCount) }
        self.init()
        for index in words.indices { words[index] = try bytes.takeUInt64() }
    }

    public func write(to out: inout [UInt8]) {
        for index in words.indices { out.appendUInt64(words[index]) }
    }

    /// Whether the controller knows a command; false for commands that have no bit.
    public func contains(_ opcode: Opcode) -> Bool {
        Self.position(of: opcode).map { self[octet: $0.octet, bit: $0.bit] } ?? false
    }

    /// Names a command, if the mask has a bit for it.
    public mutating func insert(_ opcode: Opcode) {
        guard let position = Self.position(of: opcode) else { return }
        self[octet: position.octet, bit: position.bit] = true
    }

    /// A bit by octet 0 to 63 and bit 0 to 7, as the specification counts them.
    public subscript(octet octet: Int, bit bit: Int) -> Bool {
        get { words[octet / 8] >> (8 * (octet % 8) + bit) & 1 == 1 }
        set {
            let mask: UInt64 = 1 << (8 * (octet % 8) + bit)
            if newValue { words[octet / 8] |= mask } else { words[octet / 8] &= ~mask }
        }
    }

    /// Where a command's bit stands; nil for commands without one, and for those unknown here.
    public static func position(of opcode: Opcode) -> SupportedCommandsBit? { places[opcode].map { table[$0].bit } }

    /// Whether the mask names any command that is known here.
    package var namesKnownCommand: Bool { Self.table.contains { self[octet: $0.bit.octet, bit: $0.bit.bit] } }

    /// The commands named by the mask that are known here, in the order of their bits.
    public var opcodes: [Opcode] {
        Self.table.filter { self[octet: $0.bit.octet, bit: $0.bit.bit] }.map(\.opcode)
    }
}

extension SupportedCommands {
    /// The commands that have a bit, in the order of their bits.
    private static let table: [(opcode: Opcode, bit: SupportedCommandsBit)] =
        (Command.types.map { $0.declaration } + CommandDeclaration.namesAlone)
        .compactMap { declaration in declaration.supportedBit.map { (declaration.opcode, $0) } }
        .sorted { $0.1 < $1.1 }

    private static let places = OpcodeIndex(table.map(\.opcode))
}

extension SupportedCommands: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.words.indices.allSatisfy { left.words[$0] == right.words[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        for index in words.indices { hasher.combine(words[index]) }
    }
}

/// 512 bits, as they stand in return parameters.
extension SupportedCommands: FieldConvertible {
    public static var fieldShape: FieldShape { .bytes(.fixed(64)) }

    public var fieldValue: FieldValue {
        var out: [UInt8] = []
        write(to: &out)
        return .bytes(out)
    }
}

/// A bit of the Supported Commands mask, as the specification counts them.
public struct SupportedCommandsBit: Hashable, Comparable, Sendable {
    /// 0 to 63.
    public let octet: Int
    /// 0 to 7.
    public let bit: Int

    @inlinable
    public init(octet: Int, bit: Int) {
        precondition(0...63 ~= octet && 0...7 ~= bit, "the mask has 64 octets of 8 bits")
        self.octet = octet
        self.bit = bit
    }

    public static func < (left: Self, right: Self) -> Bool { (left.octet, left.bit) < (right.octet, right.bit) }
}
