/// Names one L2CAP channel of one host for ever: the connection, this end's channel number, which is used again, and
/// a generation, which is not. A comparison shows what comes late for a channel that is closed.
public struct L2CAPChannelID: Hashable, Sendable {
    public let connection: ConnectionID
    /// This end of the channel, 0x0040 to 0x007F. Core 6.0, Vol 3, Part A, 2.1.
    public let number: UInt16
    /// Counts the connection's channels from 1.
    public let generation: UInt32

    init(connection: ConnectionID, number: UInt16, generation: UInt32) {
        self.connection = connection
        self.number = number
        self.generation = generation
    }
}

extension L2CAPChannelID: CustomStringConvertible {
    /// `0x40#3/64#1`: the connection, the channel's number, and the generation.
    public var description: String { "\(connection)/\(number)#\(generation)" }
}

/// Names a peer's request for channels that the application is to decide about.
public struct ChannelRequestID: Hashable, Sendable {
    public let connection: ConnectionID
    let number: UInt32
}
