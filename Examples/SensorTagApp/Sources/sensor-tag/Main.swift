import BluethroatPeripheralFutures
import CoreBluetooth
import SensorTagApp

/// `sensor-tag states|accelerometer|beacon|restored|restored again`
///
/// Where its Bluetooth is `BLUETHROAT_HCI` says, on Linux; without it there is an air of its own, with nobody else.
@main
enum SensorTagProgram {
    static func main() {
        let app: AnyObject
        switch CommandLine.arguments.dropFirst().first {
        case "states":
            let states = States()
            states.said = { print($0) }
            app = states
        case "accelerometer":
            let accelerometer = Accelerometer()
            accelerometer.started.onSuccess {
                print("advertising; switch it on with a write of 01 to \(Accelerometer.Tag.Enabled.uuid)")
                measure(accelerometer, 0)
            }
            accelerometer.started.onFailure { print("failed: \($0.localizedDescription)") }
            app = accelerometer
        case "beacon":
            let beacon = DoorBeacon(uuid: UUID(uuidString: "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")!, major: 1, minor: 2)
            beacon.started.onSuccess { print("a beacon of \(beacon.region.identifier)") }
            beacon.started.onFailure { print("failed: \($0.localizedDescription)") }
            app = beacon
        case "restored":
            // Systems that restore apps launch them anew for that, and say so. On Linux it is the second run of the program
            // that says so, with BLUETHROAT_BACKGROUND_MODES=bluetooth-peripheral and BLUETHROAT_RESTORATION=FILE for both.
            let tag = RestoredTag(isRestored: CommandLine.arguments.last == "again")
            tag.restored.onSuccess { print("restored; \($0.localName ?? "nothing") was advertised") }
            print(
                "publishes what the system is to keep; a write to \(RestoredTag.Tag.Enabled.uuid) launches the app again"
            )
            app = tag
        default:
            print("say states, accelerometer, beacon or restored")
            exit(2)
        }
        withExtendedLifetime(app) { dispatchMain() }
    }

    /// Once a second, while a central has it switched on.
    private static func measure(_ accelerometer: Accelerometer, _ count: Int) {
        let angle = Double(count) / 5
        if accelerometer.accepted.last == .yes { try? accelerometer.measured(x: sin(angle), y: cos(angle), z: -1) }
        Queue.main.delay(1) { measure(accelerometer, count + 1) }
    }
}
