import ArgumentParser
import BluethroatLive
import BluethroatLiveLoop
import BluethroatPeripheralApps
import BluethroatSensorTagWorld
import BluethroatTerminal

/// Puts a SensorTag on the air.
struct SensorTagCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sensortag",
        abstract: "Put TI's SensorTag on a virtual air, or on a real controller: a phone that plays it.",
        discussion: """
            It has the tag's eight services. A sensor measures while a central has it switched on, as often as the \
            central wants, and tells those who have subscribed.

            Words are read from standard input, one a line: \
            \(SensorTagWorld.words). SENSOR is accelerometer, magnetometer, gyroscope, temperature, barometer, hygrometer \
            or test; NAME=VALUE are its raw numbers: set temperature objectRaw=-172 ambientRaw=3388.

            Each connection to the HCI port gets a controller of its own on the same air.
            """
    )

    @Option(
        help: ArgumentHelp(
            "How the tag is moved: still, turning or shaking (default: still).",
            valueName: "motion"
        ),
        transform: { word in
            guard let motion = SensorTag.Motion(rawValue: word) else {
                throw ValidationError("\(word) is no motion; say still, turning or shaking")
            }
            return motion
        }
    )
    var motion: SensorTag.Motion = .still

    @Option(help: ArgumentHelp("What it calls itself (default: SensorTag).", valueName: "name"))
    var name = "SensorTag"

    @OptionGroup var session: SessionOptions

    func validate() throws {
        if let fault = AdvertisedName.fault(in: name, upTo: 29) { throw ValidationError(fault) }
    }

    func run() async throws {
        let writer = LineWriter<SensorTagEvent>(isJSON: session.json, heading: "\(name), a SensorTag", to: .standard)
        try await session.run(writer) {
            SensorTagWorld($0, $1, name: name, motion: motion)
        } whenLive: { live, _ in
            StandardInput.readLines(pacedBy: live.afterOrders) { line in if let line { live.post { $0.obey(line) } } }
        }
    }
}
