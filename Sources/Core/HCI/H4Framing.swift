/// Cuts the byte stream of a serial line, a socket or a pipe into HCI packets. Core 6.0, Vol 4, Part A.
///
/// There is no way back into step once an indicator is wrong, so the stream is dead from then on.
public struct H4Framing: Sendable {
    private var buffer: [UInt8] = []
    /// Where the next packet starts in `buffer`; what lies before has been handed out.
    private var start = 0
    private var failure: H4FramingError?

    public init() {}

    /// Bytes taken in that no packet handed out has used yet.
    public var pendingCount: Int { buffer.count - start }

    /// Appends received bytes; a dead stream ignores them.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        guard failure == nil else { return }
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole packet, its indicator first; nil until more bytes come.
    public mutating func nextPacket() throws(H4FramingError) -> [UInt8]? {
        if let failure { throw failure }
        guard pendingCount > 0 else { return nil }
        guard let indicator = PacketIndicator(rawValue: buffer[start]) else {
            let error = H4FramingError.badIndicator(buffer[start])
            failure = error
            buffer = []
            start = 0
            throw error
        }
        let header = indicator.headerCount
        guard pendingCount >= header else { return nil }
        let count = header + payloadCount(indicator)
        guard pendingCount >= count else { return nil }
        let packet = Array(buffer[start..<(start + count)])
        start += count
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
            start = 0
        }
        return packet
    }

    private func payloadCount(_ indicator: PacketIndicator) -> Int {
        switch indicator {
        case .command, .synchronous: Int(buffer[start + 3])
        case .event: Int(buffer[start + 2])
        case .acl: Int(buffer[start + 3]) | Int(buffer[start + 4]) << 8
        // The two bits on top are reserved. Core 6.0, Vol 4, Part E, 5.4.5.
        case .isochronous: Int(buffer[start + 3]) | Int(buffer[start + 4] & 0x3F) << 8
        }
    }
}

/// Why a byte stream cannot be cut into packets any more.
public enum H4FramingError: Error, Hashable, Sendable {
    /// A byte stands where an indicator must, and is none.
    case badIndicator(UInt8)
}

extension H4FramingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badIndicator(let byte): "the byte \(byte) is no HCI packet indicator"
        }
    }
}
