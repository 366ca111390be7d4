import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// Waiting for a device to advertise in order to connect to it. Core 6.0, Vol 6, Part B, 4.4.4.
///
/// An object, so that a controller that is not about to connect has no room for it.
final class Initiator: Sendable {
    let command: LECreateConnection
    let parameters: ConnectionParameters
    let schedule: ScanSchedule

    init(command: LECreateConnection, parameters: ConnectionParameters, schedule: ScanSchedule) {
        self.command = command
        self.parameters = parameters
        self.schedule = schedule
    }

    /// Whether an advertiser is one that we want. A host may also name the private address of the moment.
    func wants(_ advertiser: HeardDevice, accepted: FilterAcceptList) -> Bool {
        switch command.filterPolicy {
        case .peer: advertiser.device == command.peer.address || advertiser.onAir == command.peer.address
        case .list: accepted.contains(advertiser.device)
        }
    }
}
