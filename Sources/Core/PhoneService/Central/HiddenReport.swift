public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// That a phone's radio has heard services of another phone's overflow area which an app looks for, and that the app
/// did not hear of it.
public struct HiddenReport: Hashable, Sendable {
    /// The rule of iOS by which that was so.
    public enum Rule: String, Hashable, Sendable, CaseIterable {
        /// The app is off the screen and may not scan there.
        case noScan
        /// The app scans for everything; only an app that lists services learns of those.
        case noServicesListed
        case darkScreen
        /// Both are off the screen, and the app ranges no beacons.
        case bothInBackground
        /// The app is off the screen and ranges no beacons. The other one is on its screen, where services for which there
        /// is no room are in the overflow area, too.
        case noRanging
    }

    public let app: AppID
    /// The peer that was heard: its identity if it is bonded, else its address on the air.
    public let peer: DeviceAddress
    public let rule: Rule
    /// How many advertisements there were.
    public internal(set) var count = 0
    /// When the latest was heard.
    public internal(set) var time = Instant.zero
}

/// What was hidden, a line for each app, peer and rule. Of very many only the latest are kept.
struct HiddenReports {
    private static let limit = 500

    private(set) var all: [HiddenReport] = []

    mutating func note(_ rule: HiddenReport.Rule, of peer: DeviceAddress, from app: AppID, at now: Instant) {
        if let index = all.firstIndex(where: { $0.app == app && $0.peer == peer && $0.rule == rule }) {
            all[index].count += 1
            all[index].time = now
            return
        }
        if all.count >= Self.limit, let oldest = all.indices.min(by: { all[$0].time < all[$1].time }) {
            all.remove(at: oldest)
        }
        all.append(HiddenReport(app: app, peer: peer, rule: rule, count: 1, time: now))
    }
}
