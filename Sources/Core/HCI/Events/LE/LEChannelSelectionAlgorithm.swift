public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Channel Selection Algorithm: which of the two a new connection uses. Core 6.0, Vol 4, Part E, 7.7.65.20.
public struct LEChannelSelectionAlgorithm: HCIEvent {
    public static var identifier: EventIdentifier { .leChannelSelectionAlgorithm }
    public static var name: String { "LE Channel Selection Algorithm" }
    public var event: Event { .leChannelSelectionAlgorithm(self) }

    /// Which connection.
    public var connection: ConnectionHandle
    /// Channel selection algorithm #1 or #2.
    public var algorithm: Algorithm

    public init(connection: ConnectionHandle, algorithm: Algorithm) {
        self.connection = connection
        self.algorithm = algorithm
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        algorithm = try bytes.takeEnum("algorithm")
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.append(algorithm.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Channel_Selection_Algorithm", \.algorithm),
        ]
    }

    /// Core 6.0, Vol 6, Part B, 4.5.8.2 and 4.5.8.3.
    public enum Algorithm: UInt8, Sendable {
        case one = 0
        case two = 1
    }
}

extension EventIdentifier {
    /// LE Channel Selection Algorithm.
    public static let leChannelSelectionAlgorithm = Self(le: .channelSelectionAlgorithm)
}

extension LESubeventCode {
    public static let channelSelectionAlgorithm = Self(rawValue: 0x14)
}

extension LEEventMask {
    public static let channelSelectionAlgorithm = Self(.channelSelectionAlgorithm)
}
