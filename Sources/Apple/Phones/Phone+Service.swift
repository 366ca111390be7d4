import BluethroatHost
import BluethroatPhoneService
import BluethroatSimulation
import BluethroatVirtualTime

extension Phone {
    /// Something happens to the phone or to an app on it. The commands that apps have left before are carried out before.
    func change(_ body: (BluetoothService, Host, Instant, inout HostActions) -> Void) {
        performCommands()
        perform(body)
    }

    /// Has the phone's service do something now.
    func perform(_ body: (BluetoothService, Host, Instant, inout HostActions) -> Void) {
        world.call(device) { host, now, actions in body(service, host, now, &actions) }
    }
}
