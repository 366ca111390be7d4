import CoreBluetooth
import Foundation

/// The desks that were found. Several may say they have the same digits; only their keys distinguish them.
struct DeskRegistry {
    struct Sighting {
        let peripheral: CBPeripheral
        var dBm: Int
        var time: TimeInterval
    }

    private var sightings: [DeskIdentifier: [Sighting]] = [:]

    /// So many are remembered; one radio can change its address without end.
    static let limit = 256

    /// In the order of their digits.
    var identifiers: [DeskIdentifier] { sightings.keys.sorted { $0.digits < $1.digits } }

    /// The strongest first.
    func candidates(_ identifier: DeskIdentifier) -> [CBPeripheral] {
        sightings[identifier, default: []].sorted { $0.dBm > $1.dBm }.map(\.peripheral)
    }

    mutating func note(_ identifier: DeskIdentifier, _ peripheral: CBPeripheral, _ dBm: Int, at now: TimeInterval) {
        if let index = sightings[identifier]?.firstIndex(where: { $0.peripheral === peripheral }) {
            sightings[identifier]![index].dBm = dBm
            sightings[identifier]![index].time = now
        } else {
            sightings[identifier, default: []].append(Sighting(peripheral: peripheral, dBm: dBm, time: now))
            forgetOldest()
        }
    }

    /// Over the limit, the one that was not heard for longest.
    private mutating func forgetOldest() {
        guard sightings.values.reduce(0, { $0 + $1.count }) > Self.limit else { return }
        let all = identifiers.flatMap { sightings[$0, default: []] }
        if let oldest = all.min(by: { $0.time < $1.time }) { remove(oldest.peripheral) }
    }

    /// A device that was heard is not there any more.
    mutating func remove(_ peripheral: CBPeripheral) {
        for identifier in identifiers {
            sightings[identifier]!.removeAll { $0.peripheral === peripheral }
            if sightings[identifier]!.isEmpty { sightings[identifier] = nil }
        }
    }

    mutating func clear() { sightings = [:] }
}
