import BluethroatBluetoothValues
import BluethroatHost
public import CoreBluetooth

/// What a simulated peripheral advertises, how often, and whether centrals may connect.
public struct SimulatedAdvertisement {
    /// Nil advertises no name; otherwise the peripheral's, unless it is another.
    public var name: Name
    public var services: [CBUUID]
    public var solicitedServices: [CBUUID]
    /// Company identifier first, least significant byte first.
    public var manufacturerData: Data?
    public var serviceData: [(CBUUID, Data)]
    /// The power that it claims, in dBm.
    public var txPower: Int8?
    /// 20 ms to 10.24 s, rounded down to steps of 0.625 ms.
    public var interval: Duration
    public var isConnectable: Bool

    public enum Name: Hashable, Sendable, ExpressibleByStringLiteral {
        case none
        /// The name of the peripheral.
        case own
        case other(String)

        public init(stringLiteral value: String) { self = .other(value) }
    }

    public init(
        name: Name = .own,
        services: [any UUIDConvertible] = [],
        solicitedServices: [any UUIDConvertible] = [],
        manufacturerData: Data? = nil,
        serviceData: [(any UUIDConvertible, Data)] = [],
        txPower: Int8? = nil,
        interval: Duration = .milliseconds(100),
        isConnectable: Bool = true
    ) {
        self.name = name
        self.services = services.map(\.cbUUID)
        self.solicitedServices = solicitedServices.map(\.cbUUID)
        self.manufacturerData = manufacturerData
        self.serviceData = serviceData.map { ($0.0.cbUUID, $0.1) }
        self.txPower = txPower
        self.interval = interval
        self.isConnectable = isConnectable
    }
}

extension SimulatedAdvertisement {
    /// Advertisement and scan response: each structure goes where there is room for it, in order.
    func blocks(ownName: String) -> (advertisement: AdvertisingData, scanResponse: AdvertisingData) {
        var first = AdvertisingData([.flags([.generalDiscoverable, .brEDRNotSupported])])
        var second = AdvertisingData()
        for structure in structures(ownName: ownName) {
            let length = structure.bytes.count + 2
            if first.bytes.count + length <= 31 {
                first.structures.append(structure)
            } else {
                precondition(
                    second.bytes.count + length <= 31,
                    "\(ownName) advertises more than fits: an advertisement has 31 bytes, 3 of them flags, a scan response 31"
                )
                second.structures.append(structure)
            }
        }
        return (first, second)
    }

    private func structures(ownName: String) -> [AdvertisingData.Structure] {
        var structures: [AdvertisingData.Structure] = []
        let short = services.map(\.bluetoothUUID).filter { $0.width == .bits16 }
        let medium = services.map(\.bluetoothUUID).filter { $0.width == .bits32 }
        let long = services.map(\.bluetoothUUID).filter { $0.width == .bits128 }
        if !short.isEmpty { structures.append(.uuids(.completeUUIDs16, short)) }
        if !medium.isEmpty { structures.append(.uuids(.completeUUIDs32, medium)) }
        if !long.isEmpty { structures.append(.uuids(.completeUUIDs128, long)) }
        let solicited = solicitedServices.map(\.bluetoothUUID)
        for (type, width) in [
            (AdvertisingData.DataType.solicitedUUIDs16, BluetoothUUID.Width.bits16), (.solicitedUUIDs32, .bits32),
            (.solicitedUUIDs128, .bits128),
        ] {
            let uuids = solicited.filter { $0.width == width }
            if !uuids.isEmpty { structures.append(.uuids(type, uuids)) }
        }
        if let manufacturerData { structures.append(.init(.manufacturerSpecific, Array(manufacturerData))) }
        for (uuid, data) in serviceData {
            var bytes: [UInt8] = []
            uuid.bluetoothUUID.write(to: &bytes)
            let type: AdvertisingData.DataType =
                switch uuid.bluetoothUUID.width {
                case .bits16: .serviceData16
                case .bits32: .serviceData32
                case .bits128: .serviceData128
                }
            structures.append(.init(type, bytes + data))
        }
        if let txPower { structures.append(.txPowerLevel(SignalStrength(dBm: txPower))) }
        switch name {
        case .none: break
        case .own: structures.append(.completeLocalName(ownName))
        case .other(let name): structures.append(.completeLocalName(name))
        }
        return structures
    }

    func parameters(hasScanResponse: Bool) -> AdvertisingParameters {
        guard let interval = AdvertisingInterval(steps: interval.steps(of: .microseconds(625))) else {
            preconditionFailure("an advertising interval is 20 ms to 10.24 s, not \(interval)")
        }
        return AdvertisingParameters(
            isConnectable ? .connectable : hasScanResponse ? .scannable : .nonConnectable,
            interval: interval
        )
    }
}
