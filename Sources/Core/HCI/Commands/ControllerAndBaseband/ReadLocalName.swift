public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Local Name: the name that the controller gives to other BR/EDR devices. Core 6.0, Vol 4, Part E, 7.3.12.
public struct ReadLocalName: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readLocalName,
            "Read Local Name",
            supportedBit: SupportedCommandsBit(octet: 7, bit: 1)
        )
    }
    public typealias Return = ReadLocalNameReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What Read Local Name returns. Core 6.0, Vol 4, Part E, 7.3.12.
public struct ReadLocalNameReturn: ReturnParameters {
    /// Octets that a name has room for.
    public static let capacity = 248

    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// At most 248 octets of UTF-8 without a zero.
    public var name: [UInt8]

    public init(status: ControllerError = .success, name: [UInt8] = []) {
        self.status = status
        self.name = name
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        name = Array(try bytes.takeBytes(Self.capacity).prefix { $0 != 0 })
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.append(contentsOf: padded)
    }

    private var padded: [UInt8] {
        precondition(name.count <= Self.capacity, "a name has at most 248 octets")
        return name + repeatElement(0, count: Self.capacity - name.count)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            .bytes("Local_Name", .fixed(capacity), \.padded),
        ]
    }
}

extension Opcode {
    /// Read Local Name. 7.3.12.
    public static let readLocalName = Self(rawValue: 0x0C14)
}

extension Command {
    /// Read Local Name.
    public static var readLocalName: Self { Self(ReadLocalName()) }
}
