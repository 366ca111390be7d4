import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Commands about advertising, scanning, initiating and the filter accept list. Core 6.0, Vol 4, Part E, 7.8.4 to 7.8.17.
extension ControllerCore {
    mutating func leSetRandomAddress(
        _ command: LESetRandomAddress,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.leSetRandomAddress, setRandomAddress(command.address), into: &actions)
    }

    mutating func leSetAdvertisingParameters(
        _ command: LESetAdvertisingParameters,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.leSetAdvertisingParameters, setAdvertisingParameters(command), into: &actions)
    }

    mutating func leSetAdvertisingData(
        _ command: LESetAdvertisingData,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.leSetAdvertisingData, setAdvertisingData(command.data), into: &actions)
    }

    mutating func leSetScanResponseData(
        _ command: LESetScanResponseData,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.leSetScanResponseData, setScanResponseData(command.data), into: &actions)
    }

    mutating func leSetAdvertisingEnable(
        _ command: LESetAdvertisingEnable,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        completeFirst(.leSetAdvertisingEnable, into: &actions) { core, actions in
            core.setAdvertisingEnable(command.isEnabled, at: now, into: &actions)
        }
    }

    mutating func leSetScanParameters(
        _ command: LESetScanParameters,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.leSetScanParameters, setScanParameters(command), into: &actions)
    }

    mutating func leSetScanEnable(_ command: LESetScanEnable, at now: Instant, into actions: inout ControllerActions) {
        completeFirst(.leSetScanEnable, into: &actions) { core, actions in
            core.setScanEnable(command, at: now, into: &actions)
        }
    }

    mutating func leCreateConnection(
        _ command: LECreateConnection,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        status(.leCreateConnection, createConnection(command, at: now, into: &actions), into: &actions)
    }

    mutating func leCreateConnectionCancel(
        _ command: LECreateConnectionCancel,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        let status = cancelCreateConnection(at: now, into: &actions)
        complete(.leCreateConnectionCancel, status, into: &actions)
        if status == .success {
            sendConnectionComplete(failed: .unknownConnectionIdentifier, role: .central, into: &actions)
        }
    }

    mutating func leClearFilterAcceptList(
        _ command: LEClearFilterAcceptList,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        complete(.leClearFilterAcceptList, changeFilterAcceptList { $0.removeAll() }, into: &actions)
    }

    mutating func leAddDeviceToFilterAcceptList(
        _ command: LEAddDeviceToFilterAcceptList,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard let entry = FilterAcceptList.Entry(command.device) else {
            return refuse(.leAddDeviceToFilterAcceptList, .invalidCommandParameters, into: &actions)
        }
        let size = Int(configuration.filterAcceptListSize)
        var hasRoom = true
        let status = changeFilterAcceptList { list in
            hasRoom = list.count < size || list.contains(entry)
            if hasRoom { list.add(entry) }
        }
        complete(.leAddDeviceToFilterAcceptList, hasRoom ? status : .memoryCapacityExceeded, into: &actions)
    }

    mutating func leRemoveDeviceFromFilterAcceptList(
        _ command: LERemoveDeviceFromFilterAcceptList,
        at now: Instant,
        into actions: inout ControllerActions
    ) {
        guard let entry = FilterAcceptList.Entry(command.device) else {
            return refuse(.leRemoveDeviceFromFilterAcceptList, .invalidCommandParameters, into: &actions)
        }
        complete(
            .leRemoveDeviceFromFilterAcceptList,
            changeFilterAcceptList { $0.remove(entry) },
            into: &actions
        )
    }

    /// Not while anything goes on under the old one. 7.8.4.
    private mutating func setRandomAddress(_ address: DeviceAddress) -> ControllerError {
        guard !advertiser.isEnabled, scanner == nil, initiator == nil else { return .commandDisallowed }
        randomAddress = address
        return .success
    }

    /// Not while a filter policy in use depends on it. 7.8.15.
    private mutating func changeFilterAcceptList(_ change: (inout FilterAcceptList) -> Void) -> ControllerError {
        // The policy has no meaning where advertising is directed. 7.8.5.
        let isUsedByAdvertiser =
            advertiser.isEnabled && !advertiser.isDirected && advertiser.parameters.filterPolicy != .everybody
        let isUsedByScanner =
            scanner?.parameters.filterPolicy == .basicFiltered || scanner?.parameters.filterPolicy == .extendedFiltered
        let isUsedByInitiator = initiator?.command.filterPolicy == .list
        guard !isUsedByAdvertiser, !isUsedByScanner, !isUsedByInitiator else { return .commandDisallowed }
        change(&filterAcceptList)
        return .success
    }

    private mutating func setScanParameters(_ parameters: ScanParameters) -> ControllerError {
        guard scanner == nil else { return .commandDisallowed }
        guard Self.isScanTiming(interval: parameters.interval, window: parameters.window) else {
            return .invalidCommandParameters
        }
        scanParameters = parameters
        return .success
    }

    /// Enabling again clears the duplicate filter. 7.8.11.
    private mutating func setScanEnable(
        _ command: LESetScanEnable,
        at now: Instant,
        into actions: inout ControllerActions
    ) -> ControllerError {
        guard command.isEnabled else {
            if scanner != nil {
                scanner = nil
                restartObserving(at: now, into: &actions)
            }
            return .success
        }
        guard let own = identityAddress(scanParameters.ownAddressType) else { return .invalidCommandParameters }
        scanner = Scanner(
            parameters: scanParameters,
            identity: own,
            filtersDuplicates: command.filtersDuplicates,
            at: now
        )
        restartObserving(at: now, into: &actions)
        return .success
    }

    /// Command Complete goes out before whatever the command sets off.
    private mutating func completeFirst(
        _ opcode: Opcode,
        into actions: inout ControllerActions,
        _ work: (inout ControllerCore, inout ControllerActions) -> ControllerError
    ) {
        let answer = actions.packets.count
        complete(opcode, .success, into: &actions)
        let status = work(&self, &actions)
        if status != .success { actions.packets[answer] = CommandComplete.packet(opcode, status) }
    }
}
