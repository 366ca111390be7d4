public import BluethroatBluetoothValues
public import BluethroatByteCoding

extension Command {
    /// Reads a whole packet, its indicator first. Whatever is wrong, the opcode is kept if there was one, so that
    /// the controller can answer.
    public init(parsing packet: [UInt8]) throws(CommandDecodeError) {
        var bytes = packet.span.bytes
        let opcode: Opcode
        do throws(DecodeError) {
            let indicator = try bytes.takeUInt8()
            guard indicator == PacketIndicator.command.rawValue else {
                throw .invalidValue(field: "packet indicator", value: Int(indicator))
            }
            opcode = Opcode(rawValue: try bytes.takeUInt16())
        } catch {
            throw CommandDecodeError(opcode: nil, cause: error)
        }
        do throws(DecodeError) {
            let length = Int(try bytes.takeUInt8())
            guard length == bytes.byteCount else { throw .invalidLength(length) }
            try self.init(opcode, parameters: &bytes)
        } catch {
            throw CommandDecodeError(opcode: opcode, cause: error)
        }
    }

    /// The whole command, its indicator first.
    public func packet() -> [UInt8] {
        Self.packet(opcode) { writeParameters(to: &$0) }
    }

    @inlinable
    static func packet(_ opcode: Opcode, parameters: (inout [UInt8]) -> Void) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(72)
        out.append(PacketIndicator.command.rawValue)
        out.appendUInt16(opcode.rawValue)
        out.append(0)
        parameters(&out)
        precondition(out.count - 4 <= 255, "a command holds at most 255 bytes of parameters")
        out[3] = UInt8(out.count - 4)
        return out
    }
}

/// Why a packet is no command.
public struct CommandDecodeError: Error, Hashable, Sendable {
    /// Whose parameters were wrong; nil if the packet ended before.
    public let opcode: Opcode?
    /// What was wrong.
    public let cause: DecodeError

    public init(opcode: Opcode?, cause: DecodeError) {
        self.opcode = opcode
        self.cause = cause
    }

    /// The code with which a controller refuses such a command.
    public var status: ControllerError { .invalidCommandParameters }
}

extension CommandDecodeError: CustomStringConvertible {
    public var description: String {
        opcode.map { "\($0): \(cause)" } ?? "no command: \(cause)"
    }
}
