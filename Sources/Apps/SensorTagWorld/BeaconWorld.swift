public import BluethroatEvents
public import BluethroatLive
import BluethroatPeripheralApps
public import BluethroatPeripheralFutures
import BluethroatPhones
public import BluethroatVirtualTime
public import Foundation

/// A phone that is an iBeacon, in a live world.
public final class BeaconWorld: LiveSystem {
    public let session: LiveSession
    private let events: EventSink<BeaconEvent>
    private let uuid: UUID
    private let major: UInt16
    private let minor: UInt16
    private let power: Int?
    private(set) var beacon: BeaconPhone?

    /// - Parameter power: how strongly it says it is heard a metre away, in dBm; nil is as an iPhone.
    public init(
        _ session: LiveSession,
        _ events: EventSink<BeaconEvent>,
        uuid: UUID,
        major: UInt16,
        minor: UInt16,
        power: Int?
    ) {
        self.session = session
        self.events = events
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.power = power
    }

    public func begin() {
        let region = BeaconRegion(proximityUUID: uuid, identifier: "bluethroat", major: major, minor: minor)
        let beacon = session.addPhone(named: "iBeacon").addApp(named: "iBeacon").run {
            BeaconPhone(region: region, power: power)
        }
        beacon.said = { [unowned self] event in hear(event) }
        self.beacon = beacon
        settle()
    }

    private func hear(_ event: BeaconPhone.Event) {
        switch event {
        case .failed(let message): events.fail(message, at: present)
        case .state(.unsupported): events.fail("this controller cannot be used for Bluetooth LE", at: present)
        case .state(let state): events.emit(.state(state, at: present))
        case .advertising: events.emit(.advertising(at: present))
        }
    }
}

/// What happens to an iBeacon.
public enum BeaconEvent: LiveSessionEvent {
    case state(ManagerState, at: Instant)
    case advertising(at: Instant)

    public var line: String? {
        switch self {
        case .state(let state, _): "Bluetooth is \(state)"
        case .advertising: "Advertising"
        }
    }

    public var json: JSONLine? {
        switch self {
        case .state(let state, let now):
            var line = JSONLine(event: "state", time: now)
            line.add("state", state.description)
            return line
        case .advertising(let now): return JSONLine(event: "advertising", time: now)
        }
    }
}
