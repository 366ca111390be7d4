import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@testable import CoreBluetoothStrangersOnMain

@Suite("Code that is on the main actor unless it says otherwise")
@MainActor
struct NewProjectTests {
    @Test("Two apps whose conformances are the main actor's find each other, and a value arrives")
    func twoApps() {
        let world = World(seed: 26)
        let one = Phone(named: "one", in: world).addApp()
        let two = Phone(named: "two", in: world).addApp()
        let giver = BluetoothEnvironment.$current.withValue(one.environment) {
            let giver = PulseGiver()
            giver.begin()
            return giver
        }
        let reader = BluetoothEnvironment.$current.withValue(two.environment) { PulseReader() }
        world.run(for: .seconds(10))
        #expect(reader.log == ["connected"] && reader.pulses == [72])
        withExtendedLifetime(giver) {}
    }
}
