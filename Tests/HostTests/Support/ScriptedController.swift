import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI

/// A controller without a radio: answers commands as it is told to, and remembers them.
struct ScriptedController {
    /// The commands that the mask names; nil refuses to tell.
    var supported: SupportedCommands? = SupportedCommands(Self.usual)
    var lmpFeatures: LMPFeatures = [.brEDRNotSupported, .leSupported]
    var leFeatures: LEFeatures = [.encryption]
    var publicAddress = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
    var lePackets = LEReadBufferSizeReturn(aclDataLength: 27, aclPacketCount: 4)
    var packets = ReadBufferSizeReturn(aclDataLength: 1021, aclPacketCount: 8)
    var filterAcceptListSize: UInt8 = 4

    /// Refused with an error, whatever the mask says.
    var refusals: [Opcode: ControllerError] = [:]
    /// Never answered.
    var silent: Set<Opcode> = []
    /// Answers given in full by the test: the return parameters, status first.
    var answers: [Opcode: [UInt8]] = [:]
    /// The credits in each answer.
    var credits: UInt8 = 1

    /// What the host has sent, oldest first.
    private(set) var commands: [Command] = []
    private(set) var data: [[UInt8]] = []

    /// What a small LE controller of Core 4.2 names.
    static let usual: [Opcode] = [
        .disconnect, .readRemoteVersionInformation, .setEventMask, .reset, .readLocalVersionInformation,
        .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBDADDR, .readRSSI, .leSetEventMask,
        .leReadBufferSize, .leReadLocalSupportedFeatures, .leSetRandomAddress, .leSetAdvertisingParameters,
        .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData, .leSetScanResponseData,
        .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leCreateConnection,
        .leCreateConnectionCancel, .leReadFilterAcceptListSize, .leClearFilterAcceptList,
        .leAddDeviceToFilterAcceptList, .leRemoveDeviceFromFilterAcceptList, .leConnectionUpdate,
        .leReadRemoteFeatures, .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply,
        .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply, .leSetDataLength,
    ]

    var opcodes: [Opcode] { commands.map(\.opcode) }

    /// Takes in a packet from the host and answers it.
    mutating func receive(_ packet: [UInt8]) -> [[UInt8]] {
        guard packet.first == PacketIndicator.command.rawValue else {
            data.append(packet)
            return []
        }
        guard let command = try? Command(parsing: packet) else { return [] }
        commands.append(command)
        guard !silent.contains(command.opcode) else { return [] }
        if let answer = answers[command.opcode] { return [complete(command.opcode, answer)] }
        if let error = refusals[command.opcode] { return [refuse(command.opcode, error)] }
        return [answer(command)]
    }

    /// Forgets what the host has sent.
    mutating func forget() {
        commands = []
        data = []
    }

    private func complete(_ opcode: Opcode, _ parameters: [UInt8]) -> [UInt8] {
        let event = CommandComplete(commandPacketCredits: credits, opcode: opcode, returnParameters: parameters)
        return Event.commandComplete(event).packet()
    }

    private func status(_ opcode: Opcode, _ status: ControllerError) -> [UInt8] {
        Event.commandStatus(CommandStatus(status: status, commandPacketCredits: credits, opcode: opcode)).packet()
    }

    private func refuse(_ opcode: Opcode, _ error: ControllerError) -> [UInt8] {
        opcode.answer == .commandStatus ? status(opcode, error) : complete(opcode, [error.rawValue])
    }

    private func answer(_ command: Command) -> [UInt8] {
        let opcode = command.opcode
        switch command {
        case .readLocalVersionInformation:
            return complete(opcode, ReadLocalVersionInformationReturn(hciVersion: 9, linkLayerVersion: 9).bytes)
        case .readLocalSupportedCommands:
            guard let supported else { return refuse(opcode, .unknownCommand) }
            return complete(opcode, ReadLocalSupportedCommandsReturn(commands: supported).bytes)
        case .readLocalSupportedFeatures:
            return complete(opcode, ReadLocalSupportedFeaturesReturn(features: lmpFeatures).bytes)
        case .readBDADDR: return complete(opcode, ReadBDADDRReturn(address: publicAddress).bytes)
        case .leReadLocalSupportedFeatures:
            return complete(opcode, LEReadLocalSupportedFeaturesReturn(features: leFeatures).bytes)
        case .leReadBufferSize: return complete(opcode, lePackets.bytes)
        case .readBufferSize: return complete(opcode, packets.bytes)
        case .leReadFilterAcceptListSize:
            return complete(opcode, LEReadFilterAcceptListSizeReturn(size: filterAcceptListSize).bytes)
        case .known(let read as ReadRSSI):
            let answer = ReadRSSIReturn(connection: read.connection, rssi: SignalStrength(dBm: -50))
            return complete(opcode, answer.bytes)
        case .known(let set as LESetDataLength):
            return complete(opcode, ConnectionReturn(connection: set.connection).bytes)
        case .unknown: return status(opcode, .unknownCommand)
        default: return opcode.answer == .commandStatus ? status(opcode, .success) : complete(opcode, [0])
        }
    }
}
