/// A command's number: 6 bits of group and 10 of command. Core 6.0, Vol 4, Part E, 5.4.1.
public struct Opcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    @inlinable
    public init(group: UInt8, command: UInt16) {
        precondition(group < 0x40 && command < 0x400, "a group has 6 bits and a command 10")
        rawValue = UInt16(group) << 10 | command
    }

    /// Opcode Group Field: 1 link control, 3 controller and baseband, 4 informational, 5 status, 8 LE, 0x3F vendor.
    @inlinable
    public var group: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 10) }

    /// Opcode Command Field: the number within the group.
    @inlinable
    public var command: UInt16 { rawValue & 0x03FF }

    /// No command: what a Command Complete names when it only reports how many commands the controller takes.
    public static let none = Self(rawValue: 0)
}
