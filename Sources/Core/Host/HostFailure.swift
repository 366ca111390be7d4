public import BluethroatBluetoothValues
internal import BluethroatByteCoding

/// Why a host cannot work with its controller.
public enum HostFailure: Error, Hashable, Sendable {
    /// The controller did not answer a command in time; the opcode says which one.
    case commandTimeout(opcode: UInt16)
    /// The controller refused a command that a host cannot do without.
    case commandRefused(opcode: UInt16, ControllerError)
    /// The controller has no Low Energy radio.
    case lowEnergyMissing
    /// The controller says that it can take no ACL data.
    case noDataBuffers
    /// The controller has no public address and takes no random one.
    case noAddress
    /// The controller reported a defect of its own. Core 6.0, Vol 4, Part E, 7.7.16.
    case hardwareError(code: UInt8)
    /// The way to the controller is no more.
    case controllerLost
}

extension HostFailure: CustomStringConvertible {
    public var description: String {
        switch self {
        case .commandTimeout(let opcode):
            "the controller did not answer command 0x\(Self.digits(opcode)) in time"
        case .commandRefused(let opcode, let error):
            "the controller refused command 0x\(Self.digits(opcode)): \(error)"
        case .lowEnergyMissing: "the controller has no Low Energy radio"
        case .noDataBuffers: "the controller can take no data packets"
        case .noAddress: "the controller has no address"
        case .controllerLost: "the controller is gone"
        case .hardwareError(let code): "the controller reported hardware error 0x\([code].hex)"
        }
    }

    private static func digits(_ opcode: UInt16) -> String {
        [UInt8(truncatingIfNeeded: opcode >> 8), UInt8(truncatingIfNeeded: opcode)].hex
    }
}
