public import BluethroatByteCoding

/// Host Number Of Completed Packets: the host has freed buffers. The controller answers only if it must complain. Core 6.0, Vol 4, Part E, 7.3.40.
public struct HostNumberOfCompletedPackets: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .hostNumberOfCompletedPackets,
            "Host Number Of Completed Packets",
            supportedBit: SupportedCommandsBit(octet: 10, bit: 7),
            answer: .nothing
        )
    }

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
            .group("Handles", .counted(by: "Num_Handles"), of: CompletedPackets.hostFields, \.completed),
        ]
    }
}

extension Opcode {
    /// Host Number Of Completed Packets. 7.3.40.
    public static let hostNumberOfCompletedPackets = Self(rawValue: 0x0C35)
}

extension Command {
    /// Host Number Of Completed Packets.
    public static func hostNumberOfCompletedPackets(_ command: HostNumberOfCompletedPackets) -> Self { Self(command) }
}
