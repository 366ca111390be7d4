import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Commands about connections. Core 6.0, Vol 4, Part E, 5.4.2, 7.1, 7.8.
extension ControllerCore {
    mutating func readRemoteVersionInformation(
        _ command: ReadRemoteVersionInformation,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        withConnection(command.connection, .readRemoteVersionInformation, at: now, into: &actions) { link, output in
            guard !link.procedures.isAsked(for: .versionExchange) else { return .commandDisallowed }
            link.begin(.versionExchange, at: now, into: &output)
            return .success
        }
    }

    mutating func leReadRemoteFeatures(
        _ command: LEReadRemoteFeatures,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        withConnection(command.connection, .leReadRemoteFeatures, at: now, into: &actions) { link, output in
            guard !link.procedures.isAsked(for: .featureExchange),
                link.role == .central || link.procedures.features.own.contains(.peripheralInitiatedFeaturesExchange)
            else { return .commandDisallowed }
            if link.procedures.features.peer != nil {
                link.reportFeatures(.completed, into: &output)
            } else {
                link.begin(.featureExchange, at: now, into: &output)
            }
            return .success
        }
    }

    mutating func leRemoteConnectionParameterRequestNegativeReply(
        _ command: LERemoteConnectionParameterRequestNegativeReply,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let opcode = Opcode.leRemoteConnectionParameterRequestNegativeReply
        completeWithConnection(command.connection, opcode, at: now, into: &actions) { link, _ in
            guard link.procedures.isAskingHost else { return .commandDisallowed }
            guard let reason = FailureCode(command.reason) else { return .invalidCommandParameters }
            link.refuse(reason)
            return .success
        }
    }

    mutating func leSetDataLength(_ command: LESetDataLength, at now: Instant, into actions: inout ControllerActions) {
        completeWithConnection(command.connection, .leSetDataLength, at: now, into: &actions) { link, output in
            guard (27...251).contains(command.transmitOctets), (328...17_040).contains(command.transmitTime)
            else { return .invalidCommandParameters }
            link.dataLength.want(transmitOctets: command.transmitOctets, transmitTime: command.transmitTime)
            guard !link.peerLacksDataLengthUpdate else { return .success }
            link.begin(.dataLengthUpdate, at: now, into: &output)
            return .success
        }
    }

    mutating func leSetHostChannelClassification(
        _ command: LESetHostChannelClassification,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let status = classify(command.channels, at: now, into: &actions)
        complete(.leSetHostChannelClassification, status, into: &actions)
    }

    mutating func leReadChannelMap(_ command: LEReadChannelMap, at now: Instant, into actions: inout ControllerActions)
    {
        guard let box = connection(command.connection) else {
            return refuseUnknown(command.connection, .leReadChannelMap, into: &actions)
        }
        var map: [UInt8] = []
        box.connection.latestChannelMap.write(to: &map)
        complete(
            .leReadChannelMap,
            returning: LEReadChannelMapReturn(connection: command.connection, channels: map),
            into: &actions
        )
    }

    mutating func readRSSI(_ command: ReadRSSI, at now: Instant, into actions: inout ControllerActions) {
        guard let box = connection(command.connection) else {
            return refuseUnknown(command.connection, .readRSSI, into: &actions)
        }
        complete(
            .readRSSI,
            returning: ReadRSSIReturn(connection: command.connection, rssi: box.connection.supervision.strength),
            into: &actions
        )
    }

    mutating func readTransmitPowerLevel(
        _ command: ReadTransmitPowerLevel,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard connection(command.connection) != nil else {
            return refuseUnknown(command.connection, .readTransmitPowerLevel, into: &actions)
        }
        complete(
            .readTransmitPowerLevel,
            returning: ReadTransmitPowerLevelReturn(
                connection: command.connection,
                level: configuration.transmitPower
            ),
            into: &actions
        )
    }

    /// The connections there are, be they ones that are being ended.
    var connectedHandles: [ConnectionHandle] { connections.compactMap { $0?.connection.handle } }

    mutating func connection(_ handle: ConnectionHandle) -> ConnectionBox? {
        let slot = Int(handle.rawValue)
        return slot < connections.count ? connections[slot] : nil
    }

    // MARK: Commands

    mutating func disconnect(_ command: Disconnect, at now: Instant, into actions: inout ControllerActions) {
        // The reasons that a host may give. 7.1.6.
        let allowed: [ControllerError] = [
            .authenticationFailure, .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
            .remoteDeviceTerminatedPowerOff, .unsupportedRemoteFeature, .pairingWithUnitKeyNotSupported,
            .unacceptableConnectionParameters,
        ]
        withConnection(command.connection, .disconnect, at: now, into: &actions) { link, output in
            guard allowed.contains(command.reason) else { return .invalidCommandParameters }
            guard !link.isTerminating else { return .commandDisallowed }
            link.begin(.termination(command.reason), at: now, into: &output)
            return .success
        }
    }

    mutating func leConnectionUpdate(
        _ command: LEConnectionUpdate,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        withConnection(command.connection, .leConnectionUpdate, at: now, into: &actions) { link, output in
            guard let range = command.range, command.minimumEventLength <= command.maximumEventLength else {
                return .invalidCommandParameters
            }
            guard !link.isUpdateAsked,
                link.role == .central || link.procedures.features.own.contains(.connectionParametersRequest)
            else { return .commandDisallowed }
            if link.role == .peripheral, link.procedures.features.peerLacks(.connectionParametersRequest) {
                return .unsupportedRemoteFeature
            }
            link.begin(link.parameterProcedure(range), at: now, into: &output)
            return .success
        }
    }

    mutating func leRemoteConnectionParameterRequestReply(
        _ command: LERemoteConnectionParameterRequestReply,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let opcode = Opcode.leRemoteConnectionParameterRequestReply
        completeWithConnection(command.connection, opcode, at: now, into: &actions) { link, output in
            guard link.procedures.isAskingHost else { return .commandDisallowed }
            guard let range = command.range else { return .invalidCommandParameters }
            link.accept(range, at: now, into: &output)
            return .success
        }
    }

    /// LE Set Host Channel Classification: connections as central follow. 7.8.19.
    private mutating func classify(
        _ channels: [UInt8],
        at now: Instant,
        into actions: inout ControllerActions
    ) -> ControllerError {
        // Reserved bits count for nothing. One channel is allowed here, but a connection needs two.
        var bits = channels.reversed().reduce(0) { $0 << 8 | UInt64($1) } & ChannelMap.all.bits
        if bits.nonzeroBitCount == 1 { bits |= 1 << UInt64((bits.trailingZeroBitCount + 18) % 37) }
        guard let map = ChannelMap(bits: bits) else { return .invalidCommandParameters }
        hostChannels = map
        for slot in connections.indices {
            guard let box = connections[slot], box.connection.role == .central, box.connection.plannedChannelMap != map
            else { continue }
            var output = LinkOutput()
            box.connection.begin(.channelMapUpdate(map), at: now, into: &output)
            deliver(output, of: box, at: now, into: &actions)
        }
        return .success
    }

    // MARK: Help

    /// A command with Command Status: the status goes out before what the command sets off.
    mutating func withConnection(
        _ handle: ConnectionHandle,
        _ opcode: Opcode,
        at now: Instant,
        into actions: inout ControllerActions,
        _ work: (inout Connection, inout LinkOutput) -> ControllerError
    ) {
        guard let box = connection(handle) else {
            return status(opcode, .unknownConnectionIdentifier, into: &actions)
        }
        var output = LinkOutput()
        status(opcode, work(&box.connection, &output), into: &actions)
        box.connection.wake(at: now)
        deliver(output, of: box, at: now, into: &actions)
    }

    /// The same for a command with Command Complete that returns the connection.
    mutating func completeWithConnection(
        _ handle: ConnectionHandle,
        _ opcode: Opcode,
        at now: Instant,
        into actions: inout ControllerActions,
        _ work: (inout Connection, inout LinkOutput) -> ControllerError
    ) {
        guard let box = connection(handle) else { return refuseUnknown(handle, opcode, into: &actions) }
        var output = LinkOutput()
        let status = work(&box.connection, &output)
        complete(opcode, returning: ConnectionReturn(status: status, connection: handle), into: &actions)
        box.connection.wake(at: now)
        deliver(output, of: box, at: now, into: &actions)
    }

    mutating func refuseUnknown(_ handle: ConnectionHandle, _ opcode: Opcode, into actions: inout ControllerActions) {
        var bytes: [UInt8] = []
        handle.write(to: &bytes)
        refuse(opcode, .unknownConnectionIdentifier, parameters: bytes, into: &actions)
    }
}
