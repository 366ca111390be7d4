public import BluethroatByteCoding

/// Number Of Completed Packets: the controller has room again. Core 6.0, Vol 4, Part E, 7.7.19.
public struct NumberOfCompletedPackets: HCIEvent {
    public static var identifier: EventIdentifier { .numberOfCompletedPackets }
    public static var name: String { "Number Of Completed Packets" }
    public static var maskBit: EventMaskBit? { nil }
    public var event: Event { .numberOfCompletedPackets(self) }

    /// At most 255 entries.
    public var completed: [CompletedPackets]

    public init(completed: [CompletedPackets]) {
        self.completed = completed
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let count = Int(try bytes.takeUInt8())
        completed = []
        completed.reserveCapacity(count)
        for _ in 0..<count { completed.append(try CompletedPackets(parsing: &bytes)) }
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(UInt8(completed.count))
        for element in completed { element.write(to: &out) }
    }

    public static var fields: [Field<Self>] {
        [
            Field("Num_Handles") { UInt8(truncatingIfNeeded: $0.completed.count) },
            .group("Handles", .counted(by: "Num_Handles"), of: CompletedPackets.fields, \.completed),
        ]
    }
}

extension EventIdentifier {
    /// Number Of Completed Packets.
    public static let numberOfCompletedPackets = Self(.numberOfCompletedPackets)
}

extension EventCode {
    public static let numberOfCompletedPackets = Self(rawValue: 0x13)
}
