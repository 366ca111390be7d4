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
        dictionary[CBAdvertisementDataSolicitedServiceUUIDsKey] = objects(advertisement.solicitedUUIDs)
        let serviceData = advertisement.serviceData
        if !serviceData.isEmpty {
            dictionary[CBAdvertisementDataServiceDataKey] = Dictionary(
                serviceData.map { (CBUUID($0.service), Data($0.data)) }
            ) { first, _ in first }
        }
        return dictionary
    }

    private func objects(_ uuids: [BluetoothUUID]) -> [CBUUID]? { uuids.isEmpty ? nil : uuids.map(CBUUID.init) }
}
