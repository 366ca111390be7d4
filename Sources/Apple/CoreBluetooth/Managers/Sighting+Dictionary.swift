internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

extension Sighting {
    /// What an app is shown of an advertisement; what was not heard has no key.
    var dictionary: [String: Any] {
        var dictionary: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber(value: isConnectable)]
        dictionary[CBAdvertisementDataLocalNameKey] = advertisement.localName
        dictionary[CBAdvertisementDataTxPowerLevelKey] = advertisement.txPower.map { NSNumber(value: $0.dBm) }
        dictionary[CBAdvertisementDataManufacturerDataKey] = advertisement.first(.manufacturerSpecific).map { Data($0) }
        dictionary[CBAdvertisementDataServiceUUIDsKey] = objects(advertisement.serviceUUIDs)
        dictionary[CBAdvertisementDataOverflowServiceUUIDsKey] = objects(overflowServices)
        dictionary[CBAdvertisementDataSolicitedServiceUUIDsKey] = objects(
            advertisement.uuids(in: .solicitedUUIDs16, bytes: 2)
                + advertisement.uuids(in: .solicitedUUIDs128, bytes: 16)
        )
        let serviceData =
            advertisement.serviceData(in: .serviceData16, bytes: 2)
            + advertisement.serviceData(in: .serviceData32, bytes: 4)
            + advertisement.serviceData(in: .serviceData128, bytes: 16)
        if !serviceData.isEmpty {
            dictionary[CBAdvertisementDataServiceDataKey] = Dictionary(serviceData) { first, _ in first }
        }
        return dictionary
    }

    private func objects(_ uuids: [BluetoothUUID]) -> [CBUUID]? { uuids.isEmpty ? nil : uuids.map(CBUUID.init) }
}

extension AdvertisingData {
    fileprivate func uuids(in type: DataType, bytes width: Int) -> [BluetoothUUID] {
        structures.filter { $0.type == type }.flatMap { structure in
            stride(from: 0, through: structure.bytes.count - width, by: width).compactMap { start in
                BluetoothUUID(leastSignificantFirst: structure.bytes[start..<(start + width)])
            }
        }
    }

    fileprivate func serviceData(in type: DataType, bytes width: Int) -> [(CBUUID, Data)] {
        structures.filter { $0.type == type }.compactMap { structure in
            BluetoothUUID(leastSignificantFirst: structure.bytes.prefix(width)).map { uuid in
                (CBUUID(uuid), Data(structure.bytes.dropFirst(width)))
            }
        }
    }
}
