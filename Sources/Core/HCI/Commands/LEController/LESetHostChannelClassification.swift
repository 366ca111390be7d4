public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Host Channel Classification: channels the host knows to be bad. Core 6.0, Vol 4, Part E, 7.8.19.
public struct LESetHostChannelClassification: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetHostChannelClassification,
            "LE Set Host Channel Classification",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 3)
        )
    }

    /// 37 bits, the first the lowest of the first byte: 1 unknown, 0 bad. At least one channel.
    public var channels: [UInt8]

    public init(channels: [UInt8]) {
        self.channels = channels
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        channels = try bytes.takeBytes(5)
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(5, channels)
    }

    public static var fields: [Field<Self>] {
        [
            .bytes("Channel_Map", .fixed(5), \.channels)
        ]
    }

    /// The bits as a channel map; nil where fewer than two channels are left or a reserved bit is set.
    public var channelMap: ChannelMap? {
        ChannelMap(bits: channels.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
}

extension Opcode {
    /// LE Set Host Channel Classification. 7.8.19.
    public static let leSetHostChannelClassification = Self(rawValue: 0x2014)
}

extension Command {
    /// LE Set Host Channel Classification.
    public static func leSetHostChannelClassification(_ command: LESetHostChannelClassification) -> Self {
        Self(command)
    }
}
