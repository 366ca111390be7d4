import BluethroatBluetoothValues

/// Where on the air goes what the apps of a phone want advertised.
///
/// Behind the flags there are 28 bytes for an iBeacon, or for services and then for the name. A name that is longer than what is left
/// goes into the scan response, of which it may have 10 bytes, or is shortened, whichever leaves more of it. Services
/// for which there is no room go to the overflow area, which is in the scan response.
///
/// An object, since it is compared and kept more often than made; what it holds is put together apart, so that reading it needs no
/// check of who else may be changing it.
final class AdvertisementLayout: Equatable {
    private let parts: Parts

    var data: AdvertisingData { parts.data }
    var scanResponse: AdvertisingData { parts.scanResponse }
    /// Services that went to the overflow area.
    var overflow: [BluetoothUUID] { parts.overflow }
    /// Whether no app in the foreground advertises.
    var isInBackground: Bool { parts.isInBackground }

    init(_ requests: [AdvertisementRequest], inBackground others: [BluetoothUUID] = []) {
        parts = Parts(requests, inBackground: others)
    }

    /// Of everything in them.
    static func == (one: AdvertisementLayout, other: AdvertisementLayout) -> Bool {
        one === other || one.parts == other.parts
    }
}

/// What is in a layout, as it is put together.
private struct Parts: Equatable {
    let isInBackground: Bool
    /// What the overflow area is with the services that went there.
    private var area = OverflowArea()
    private(set) var overflow: [BluetoothUUID] = []
    private(set) var data = AdvertisingData()
    private(set) var scanResponse = AdvertisingData()

    private static let longest = 31
    private static let longestNameInResponse = 10

    /// Advertises the services of all requests, and the name and the iBeacon of the last that has one. Of apps in the background there
    /// are services only, and these only in the overflow area; it stands in the advertisement itself if there is nothing
    /// else.
    init(_ requests: [AdvertisementRequest], inBackground others: [BluetoothUUID] = []) {
        isInBackground = requests.isEmpty
        guard !isInBackground else {
            addOverflow(others)
            data.structures = [Self.flags, area.structure]
            return
        }
        data.structures = [Self.flags]
        var room = 28
        if let beacon = requests.last(where: { $0.beacon != nil })?.beacon {
            data.structures.append(beacon.structure)
            room -= BeaconAdvertisement.length
        }
        var services: [BluetoothUUID] = []
        for service in requests.flatMap(\.services) where !services.contains(service) { services.append(service) }
        var taken: [BluetoothUUID.Width: [BluetoothUUID]] = [:]
        for service in services {
            let width = service.width
            let count = Int(width.rawValue) + (taken[width] == nil ? 2 : 0)
            if count <= room {
                taken[width, default: []].append(service)
                room -= count
            } else {
                addOverflow(service)
            }
        }
        for (width, complete, incomplete) in Self.lists {
            guard let taken = taken[width] else { continue }
            let isComplete = !overflow.contains { $0.width == width }
            data.structures.append(.uuids(isComplete ? complete : incomplete, taken))
        }
        addOverflow(others.filter { !services.contains($0) })
        if !overflow.isEmpty { scanResponse.structures.append(area.structure) }

        guard let name = requests.last(where: { $0.localName != nil })?.localName, !name.isEmpty else { return }
        let here = Self.prefix(name, room - 2)
        let left = Self.longest - scanResponse.bytes.count - 2
        let there = Self.prefix(name, min(left, Self.longestNameInResponse))
        let isHere = here.count >= there.count
        let shown = isHere ? here : there
        guard !shown.isEmpty else { return }
        let type: AdvertisingData.DataType =
            shown.count == name.utf8.count ? .completeLocalName : .shortenedLocalName
        let structure = AdvertisingData.Structure(type, shown)
        if isHere { data.structures.append(structure) } else { scanResponse.structures.append(structure) }
    }

    private mutating func addOverflow(_ services: [BluetoothUUID]) {
        // Usually each is there once, and nothing is in the area yet: then the list is the app's own, not a copy.
        if overflow.isEmpty, let whole = Self.area(ofDistinct: services) {
            (overflow, area) = (services, whole)
            return
        }
        overflow.reserveCapacity(overflow.count + services.count)
        for service in services { addOverflow(service) }
    }

    /// Nil if a service is there twice.
    private static func area(ofDistinct services: [BluetoothUUID]) -> OverflowArea? {
        var area = OverflowArea()
        for (index, service) in services.enumerated() {
            let bit = OverflowArea.bit(of: service)
            if area.contains(bit: bit), services[..<index].contains(service) { return nil }
            area.insert(bit: bit)
        }
        return area
    }

    private mutating func addOverflow(_ service: BluetoothUUID) {
        let bit = OverflowArea.bit(of: service)
        // A service that is there has its bit there.
        if area.contains(bit: bit), overflow.contains(service) { return }
        area.insert(bit: bit)
        overflow.append(service)
    }

    /// General discoverable, and BR/EDR as well, as all iPhones say.
    private static let flags = AdvertisingData.Structure.flags([
        .generalDiscoverable, AdvertisingData.Flags(rawValue: 0x18),
    ])

    private static let lists: [(BluetoothUUID.Width, AdvertisingData.DataType, AdvertisingData.DataType)] = [
        (.bits16, .completeUUIDs16, .incompleteUUIDs16), (.bits32, .completeUUIDs32, .incompleteUUIDs32),
        (.bits128, .completeUUIDs128, .incompleteUUIDs128),
    ]

    /// As many whole characters as fit into so many bytes.
    private static func prefix(_ name: String, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for character in name {
            let next = Array(String(character).utf8)
            guard bytes.count + next.count <= count else { break }
            bytes += next
        }
        return bytes
    }
}
