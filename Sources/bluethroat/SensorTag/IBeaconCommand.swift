import ArgumentParser
import Foundation

#if canImport(Phones)
    import KeyFobConsole
    import PeripheralApps
    import PeripheralFutures
    import Phones
    import VirtualTime

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

        @Option(help: ArgumentHelp("Which part of the group, 0 to 65535.", valueName: "n"))
        var major: UInt16

        @Option(help: ArgumentHelp("Which beacon of the part, 0 to 65535.", valueName: "n"))
        var minor: UInt16

        @Option(
            help: ArgumentHelp(
                "How strongly it says it is heard a metre away, -128 to 127 (default: -59, as an iPhone).",
                valueName: "dBm"
            )
        )
        var power: Int8?

        @OptionGroup var scene: SceneOptions

        func run() async throws {
            let session = SceneSession<BeaconWorld, BeaconNews>(options: scene)
            let heading = "iBeacon \(uuid.uuidString), major \(major), minor \(minor)"
            let status = await session.run(SceneLines<BeaconNews>(isJSON: scene.json, heading: heading)) {
                BeaconWorld($0, $1, uuid: uuid, major: major, minor: minor, power: power.map(Int.init))
            }
            if status != .done { throw status }
        }
    }

    /// A phone that is an iBeacon, in a live world.
    final class BeaconWorld: SceneOwner {
        let scene: LiveScene
        private let voice: SceneVoice<BeaconNews>
        private let uuid: UUID
        private let major: UInt16
        private let minor: UInt16
        private let power: Int?
        private(set) var beacon: BeaconPhone?

        init(
            _ scene: LiveScene,
            _ voice: SceneVoice<BeaconNews>,
            uuid: UUID,
            major: UInt16,
            minor: UInt16,
            power: Int?
        ) {
            self.scene = scene
            self.voice = voice
            self.uuid = uuid
            self.major = major
            self.minor = minor
            self.power = power
        }

        func begin() {
            let region = BeaconRegion(proximityUUID: uuid, identifier: "bluethroat", major: major, minor: minor)
            let beacon = scene.addPhone(named: "iBeacon").addApp(named: "iBeacon").run {
                BeaconPhone(region: region, power: power)
            }
            beacon.said = { [unowned self] event in hear(event) }
            self.beacon = beacon
            settle()
        }

        private func hear(_ event: BeaconPhone.Event) {
            switch event {
            case .failed(let message): voice.fail(message, at: present)
            case .state(.unsupported): voice.fail("this controller cannot be used for Bluetooth LE", at: present)
            case .state(let state): voice.tell(.state(state, at: present))
            case .advertising: voice.tell(.advertising(at: present))
            }
        }
    }

    enum BeaconNews: SceneNews {
        case state(ManagerState, at: Instant)
        case advertising(at: Instant)

        var line: String? {
            switch self {
            case .state(let state, _): "Bluetooth is \(state)"
            case .advertising: "Advertising"
            }
        }

        var json: JSONLine? {
            switch self {
            case .state(let state, let now):
                var line = JSONLine(event: "state", time: now)
                line.add("state", state.description)
                return line
            case .advertising(let now): return JSONLine(event: "advertising", time: now)
            }
        }
    }
#endif
