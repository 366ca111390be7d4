internal import BluethroatBluetoothValues
internal import BluethroatPhoneService

extension Sighting {
    /// What an app is shown of an advertisement; what was not heard has no key.
    ///
    /// - Parameter wanted: the app's own objects for services that it looks for.
    func dictionary(with wanted: [BluetoothUUID: CBUUID] = [:]) -> [String: Any] {
        func objects(_ uuids: [BluetoothUUID]) -> [CBUUID]? {
            guard !uuids.isEmpty else { return nil }
            return uuids.map { uuid in
                // A long spelling of a short UUID is printed otherwise.
                if let known = wanted[uuid], known.value.width == uuid.width { known } else { CBUUID(uuid) }
            }
        }
        var dictionary: [String: Any] = [CBAdvertisementDataIsConnectable: NSNumber.truth(isConnectable)]
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
}
