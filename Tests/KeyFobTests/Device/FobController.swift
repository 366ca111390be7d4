import BluethroatBluetoothValues
import BluethroatHCI

/// A controller without a radio under a key fob: says yes to everything, and remembers what it was told.
struct FobController {
    static let address = DeviceAddress("78:C5:E5:9B:76:0D", kind: .public)!

    private(set) var commands: [Command] = []
    /// L2CAP channels and payloads that the fob has sent, oldest first.
    private(set) var frames: [(channel: UInt16, payload: [UInt8])] = []
    /// Commands that are refused, with the error.
    var refusals: [Opcode: ControllerError] = [:]
    /// Whether the controller has room for data again as soon as it has taken some.
    var completesData = true

    private static let supported = SupportedCommands([
        .disconnect, .setEventMask, .reset, .readLocalVersionInformation, .readLocalSupportedCommands,
        .readLocalSupportedFeatures, .readBDADDR, .leSetEventMask, .leReadBufferSize, .leReadLocalSupportedFeatures,
        .leSetRandomAddress, .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
        .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leCreateConnection,
        .leCreateConnectionCancel, .leConnectionUpdate, .leReadRemoteFeatures,
    ])

    /// Whether the host has told it to advertise, last.
    var isAdvertising: Bool {
        for command in commands.reversed() {
            if case .known(let enable as LESetAdvertisingEnable) = command { return enable.isEnabled }
        }
        return false
    }

    mutating func forget() {
        commands = []
        frames = []
    }

    /// Takes in a packet from the host and answers it.
    mutating func receive(_ packet: [UInt8]) -> [[UInt8]] {
        if packet.first == PacketIndicator.acl.rawValue { return take(data: packet) }
        guard let command = try? Command(parsing: packet) else { return [] }
        commands.append(command)
        let opcode = command.opcode
        if let error = refusals[opcode] { return [answer(opcode, [error.rawValue])] }
        return [answer(opcode, returnParameters(of: command))] + consequences(of: command)
    }

    private mutating func take(data packet: [UInt8]) -> [[UInt8]] {
        let handle = ConnectionHandle(rawValue: (UInt16(packet[1]) | UInt16(packet[2]) << 8) & 0x0FFF)!
        frames.append((UInt16(packet[7]) | UInt16(packet[8]) << 8, Array(packet[9...])))
        guard completesData else { return [] }
        let completed = CompletedPackets(connection: handle, count: 1)
        return [Event.numberOfCompletedPackets(NumberOfCompletedPackets(completed: [completed])).packet()]
    }

    private func returnParameters(of command: Command) -> [UInt8] {
        switch command {
        case .readLocalVersionInformation: ReadLocalVersionInformationReturn(hciVersion: 6, linkLayerVersion: 6).bytes
        case .readLocalSupportedCommands: ReadLocalSupportedCommandsReturn(commands: Self.supported).bytes
        case .readLocalSupportedFeatures:
            ReadLocalSupportedFeaturesReturn(features: [.brEDRNotSupported, .leSupported]).bytes
        case .readBDADDR: ReadBDADDRReturn(address: Self.address).bytes
        case .leReadLocalSupportedFeatures: LEReadLocalSupportedFeaturesReturn(features: []).bytes
        case .leReadBufferSize: LEReadBufferSizeReturn(aclDataLength: 27, aclPacketCount: 4).bytes
        default: [0]
        }
    }

    private func answer(_ opcode: Opcode, _ parameters: [UInt8]) -> [UInt8] {
        if opcode.answer == .commandStatus {
            let status = ControllerError(rawValue: parameters[0])
            let event = CommandStatus(status: status, commandPacketCredits: 1, opcode: opcode)
            return Event.commandStatus(event).packet()
        }
        let event = CommandComplete(commandPacketCredits: 1, opcode: opcode, returnParameters: parameters)
        return Event.commandComplete(event).packet()
    }

    private func consequences(of command: Command) -> [[UInt8]] {
        guard case .known(let order as Disconnect) = command else { return [] }
        let complete = DisconnectionComplete(connection: order.connection, reason: .connectionTerminatedByLocalHost)
        return [Event.disconnectionComplete(complete).packet()]
    }
}
