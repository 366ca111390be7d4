import BluethroatBluetoothValues
import CoreBluetooth

/// What a configuration puts on the air: an advertisement and a scan response, each of at most 31 bytes.
struct AdvertisementContent {
    private(set) var advertisement: AdvertisingData
    private(set) var scanResponse = AdvertisingData()
    let isConnectable: Bool
    /// The keys whose values found no room, or that are never sent.
    private(set) var leftOut: [String] = []

    private static let limit = 31

    init(_ data: [String: Any]) {
        isConnectable = data.flag(CBAdvertisementDataIsConnectable)
        advertisement = AdvertisingData([.flags([.generalDiscoverable, .brEDRNotSupported])])
        add(
            data.uuids(CBAdvertisementDataServiceUUIDsKey),
            Self.services,
            parts: Self.partsOfServices,
            CBAdvertisementDataServiceUUIDsKey
        )
        add(
            data.uuids(CBAdvertisementDataSolicitedServiceUUIDsKey),
            Self.solicited,
            parts: Self.solicited,
            CBAdvertisementDataSolicitedServiceUUIDsKey
        )
        if let bytes = data[CBAdvertisementDataManufacturerDataKey] as? Data {
            add(.manufacturerSpecific, Array(bytes), CBAdvertisementDataManufacturerDataKey)
        }
        let serviceData = data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] ?? [:]
        for (uuid, value) in serviceData.sorted(by: { $0.key.uuidString < $1.key.uuidString }) {
            var bytes: [UInt8] = []
            uuid.bluetoothUUID.write(to: &bytes)
            add(Self.serviceData[uuid.bluetoothUUID.width], bytes + value, CBAdvertisementDataServiceDataKey)
        }
        if let power = data.number(CBAdvertisementDataTxPowerLevelKey) {
            add(.txPowerLevel, [UInt8(bitPattern: Int8(clamping: power))], CBAdvertisementDataTxPowerLevelKey)
        }
        if let name = data[CBAdvertisementDataLocalNameKey] as? String { add(name: name) }
        if data[CBAdvertisementDataOverflowServiceUUIDsKey] != nil {
            leftOut.append(CBAdvertisementDataOverflowServiceUUIDsKey)
        }
    }

    private typealias Types = [BluetoothUUID.Width: AdvertisingData.DataType]

    private static let services: Types = [
        .bits16: .completeUUIDs16, .bits32: .completeUUIDs32, .bits128: .completeUUIDs128,
    ]
    /// The same of a list that is not whole.
    private static let partsOfServices: Types = [
        .bits16: .incompleteUUIDs16, .bits32: .incompleteUUIDs32, .bits128: .incompleteUUIDs128,
    ]
    private static let solicited: Types = [.bits16: .solicitedUUIDs16, .bits128: .solicitedUUIDs128]
    private static let serviceData: Types = [
        .bits16: .serviceData16, .bits32: .serviceData32, .bits128: .serviceData128,
    ]

    /// A list that has no room in one part is in both, as far as there is room. Each part has one list of a width at most.
    /// Core Specification Supplement, Part A, 1.1.
    private mutating func add(_ uuids: [BluetoothUUID], _ types: Types, parts: Types, _ key: String) {
        for width in [BluetoothUUID.Width.bits16, .bits32, .bits128] {
            let ofWidth = uuids.filter { $0.width == width }
            guard !ofWidth.isEmpty else { continue }
            let bytes = ofWidth.map { uuid in
                var bytes: [UInt8] = []
                uuid.write(to: &bytes)
                return bytes
            }
            let length = bytes[0].count, all = bytes.flatMap(\.self)
            let here = room(in: advertisement) / length, there = room(in: scanResponse) / length
            guard let part = parts[width], all.count > max(here, there) * length, here > 0 else {
                add(types[width], all, key)
                continue
            }
            advertisement.structures.append(.init(part, bytes.prefix(here).flatMap(\.self)))
            let rest = bytes.dropFirst(here)
            if there > 0 { scanResponse.structures.append(.init(part, rest.prefix(there).flatMap(\.self))) }
            if rest.count > there { leftOut.append(key) }
        }
    }

    /// Where there is room for it.
    private mutating func add(_ type: AdvertisingData.DataType?, _ bytes: [UInt8], _ key: String) {
        guard let type, bytes.count <= Self.limit - 2 else { return leftOut.append(key) }
        if bytes.count <= room(in: advertisement) {
            advertisement.structures.append(.init(type, bytes))
        } else if bytes.count <= room(in: scanResponse) {
            scanResponse.structures.append(.init(type, bytes))
        } else {
            leftOut.append(key)
        }
    }

    /// As much of it as there is room for.
    private mutating func add(name: String) {
        let bytes = Array(name.utf8)
        if bytes.count <= room(in: advertisement) || bytes.count <= room(in: scanResponse) {
            return add(.completeLocalName, bytes, CBAdvertisementDataLocalNameKey)
        }
        var short = name
        // Where both are full there is less than no room.
        while !short.isEmpty, short.utf8.count > max(room(in: advertisement), room(in: scanResponse)) {
            short.removeLast()
        }
        guard !short.isEmpty else { return leftOut.append(CBAdvertisementDataLocalNameKey) }
        add(.shortenedLocalName, Array(short.utf8), CBAdvertisementDataLocalNameKey)
    }

    /// For the bytes of one more structure; less than none where not even its head has room.
    private func room(in data: AdvertisingData) -> Int { Self.limit - data.bytes.count - 2 }
}

extension [String: Any] {
    fileprivate func flag(_ key: String) -> Bool {
        (self[key] as? Bool) ?? (self[key] as? NSNumber)?.boolValue ?? false
    }

    fileprivate func number(_ key: String) -> Int? { (self[key] as? NSNumber)?.intValue ?? self[key] as? Int }

    fileprivate func uuids(_ key: String) -> [BluetoothUUID] { (self[key] as? [CBUUID])?.map(\.bluetoothUUID) ?? [] }
}
