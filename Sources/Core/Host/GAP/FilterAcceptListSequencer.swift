internal import BluethroatBluetoothValues
internal import BluethroatHCI

/// Replaces the controller's filter accept list: clears it, then adds one device after the other. Core 6.0, Vol 4,
/// Part E, 7.8.14 to 7.8.17.
struct FilterAcceptListSequencer {
    /// The first refusal, success so far; nil while nothing is under way.
    private var result: ControllerError?

    /// The entries of the list, as the application gave them.
    private(set) var addresses: [DeviceAddress] = []

    var isIdle: Bool { result == nil }

    mutating func start(_ addresses: [DeviceAddress], commands: inout CommandPipeline) {
        result = .success
        self.addresses = addresses
        let clear = Command.leClearFilterAcceptList.packet()
        commands.submit(clear, for: .filterAcceptList(isLast: addresses.isEmpty))
        for (index, address) in addresses.enumerated() {
            let add = LEAddDeviceToFilterAcceptList(device: PeerAddress(address))
            let isLast = index == addresses.count - 1
            commands.submit(Command.leAddDeviceToFilterAcceptList(add).packet(), for: .filterAcceptList(isLast: isLast))
        }
    }

    mutating func answer(isLast: Bool, status: ControllerError, events: inout [HostEvent]) {
        guard let known = result else { return }
        let overall = known == .success ? status : known
        result = isLast ? nil : overall
        if isLast { events.append(.filterAcceptListSet(overall)) }
    }

    /// The controller was reset, which empties the list.
    mutating func reset(events: inout [HostEvent]) {
        if result != nil { events.append(.filterAcceptListSet(.hardwareFailure)) }
        result = nil
        addresses = []
    }
}
