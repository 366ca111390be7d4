import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation

/// The devices of an air that can be told to fail.
final class FaultyDevices {
    let desk = FaultDesk()
    var applications: [DeviceID: FaultyApplication] = [:]

    /// What the next device of a world has in place of its application.
    func stand(before application: any HostApplication, of name: String, in world: World) -> FaultyApplication {
        let id = world.nextID
        let faulty = FaultyApplication(application, name, id, seed: world.seed, desk: desk)
        applications[id] = faulty
        return faulty
    }
}

/// What the devices of an air have to know of each other's faults.
final class FaultDesk {
    /// Begins or ends that nothing of a device is heard.
    var setSilence: (DeviceID, _ isSilent: Bool) -> Void = { _, _ in }
    /// Hears what has happened, for the log.
    var note: (String) -> Void = { _ in }
    /// Connections that devices have ended as soon as they were made: whose, and made by whom.
    private var refused: [(device: DeviceID, address: DeviceAddress, caller: DeviceAddress)] = []

    /// A device is connected. What it has refused the same caller before is over.
    func connected(_ description: ConnectionDescription, of device: DeviceID) {
        refused.removeAll { $0.device == device && $0.caller == description.peer }
    }

    /// A device ends a connection that was just made: its caller is to take this for a failed attempt.
    func refuse(_ description: ConnectionDescription, of device: DeviceID, _ identity: HostIdentity?) {
        guard let address = identity?.address else { return }
        refused.append((device, address, description.peer))
    }

    /// Whether a connection that a device has made is one that its peer has refused; asked once for each.
    func takeRefusal(_ description: ConnectionDescription) -> Bool {
        let index = refused.firstIndex { $0.address == description.peer || $0.address == description.peerIdentity }
        guard let index else { return false }
        refused.remove(at: index)
        return true
    }
}
