import ArgumentParser
import BluethroatEvents
import BluethroatLive
import BluethroatPeripheralApps
import BluethroatSensorTagWorld
import BluethroatVirtualTime
import Foundation

/// Puts an iBeacon on the air.
struct IBeaconCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ibeacon",
        abstract: "Be an iBeacon on a virtual air, or on a real controller, as a phone is one.",
        discussion: "`bluethroat scan` tells it by name. The phone advertises until Control-C."
    )

    @Option(
        help: ArgumentHelp("The group that the beacon belongs to, with hyphens.", valueName: "uuid"),
        transform: { text in
            guard let uuid = UUID(uuidString: text) else {
                throw ValidationError("\(text) is no UUID; write it like 5A4BCFCE-174E-4BAC-A814-092E77F6B7E5")
            }
            return uuid
        }
    )
    var uuid: UUID

    @Option(
        help: ArgumentHelp("Which part of the group, 0 to 65535.", valueName: "n"),
        transform: { try UInt16(typed: $0) }
    )
    var major: UInt16

    @Option(
        help: ArgumentHelp("Which beacon of the part, 0 to 65535.", valueName: "n"),
        transform: { try UInt16(typed: $0) }
    )
    var minor: UInt16

    @Option(
        help: ArgumentHelp(
            "How strongly it says it is heard a metre away, -128 to 127 (default: -59, as an iPhone).",
            valueName: "dBm"
        ),
        transform: { try Int8(typed: $0) }
    )
    var power: Int8?

    @OptionGroup var session: SessionOptions

    func run() async throws {
        let heading = "iBeacon \(uuid.uuidString), major \(major), minor \(minor)"
        try await session.run(LineWriter<BeaconEvent>(isJSON: session.json, heading: heading, to: .standard)) {
            BeaconWorld($0, $1, uuid: uuid, major: major, minor: minor, power: power.map(Int.init))
        }
    }
}
