import Host
import PhoneService
import Simulation
import VirtualTime

extension Phone {
    /// Has the phone's service do something now.
    func perform(_ body: (BluetoothService, Host, Instant, inout HostActions) -> Void) {
        world.perform(on: device) { host, now, actions in body(service, host, now, &actions) }
    }
}
