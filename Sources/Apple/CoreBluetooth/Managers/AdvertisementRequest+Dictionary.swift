internal import BluethroatBluetoothValues
internal import BluethroatHost
internal import BluethroatPhoneService

extension AdvertisementRequest {
    /// The key under which Core Location passes an iBeacon. It is in no header of CoreBluetooth.
    private static let beaconKey = "kCBAdvDataAppleBeaconKey"

    /// Of an app's dictionary, the name, services and an iBeacon are advertised.
    init(_ dictionary: [String: Any]) {
        let beacon = (dictionary[Self.beaconKey] as? Data).flatMap { BeaconAdvertisement(Array($0)) }
        var used = [CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey]
        if beacon != nil { used.append(Self.beaconKey) }
        self.init(
            localName: dictionary[CBAdvertisementDataLocalNameKey] as? String,
            services: dictionary.uuids(CBAdvertisementDataServiceUUIDsKey) ?? [],
            beacon: beacon,
            ignoredKeys: dictionary.keys.filter { !used.contains($0) }.sorted()
        )
    }

    /// As an app that is restored finds it.
    var dictionary: [String: Any] {
        var dictionary: [String: Any] = [:]
        dictionary[CBAdvertisementDataLocalNameKey] = localName
        if !services.isEmpty { dictionary[CBAdvertisementDataServiceUUIDsKey] = services.map(CBUUID.init) }
        dictionary[Self.beaconKey] = beacon.map { Data($0.bytes) }
        return dictionary
    }
}

extension CBATTRequest {
    /// What goes back: the value that the app has put in, or a refusal.
    func answer(_ result: CBATTError.Code) -> LocalAnswer {
        guard result != .success else { return .accepted(value.map { Array($0) } ?? []) }
        // A code that does not fit into the byte it is sent in says nothing.
        let error = UInt8(exactly: result.rawValue).map(ATTError.init(rawValue:)) ?? .unlikelyError
        return .refused(error, (characteristic as? CBMutableCharacteristic)?.publishedAs)
    }
}
