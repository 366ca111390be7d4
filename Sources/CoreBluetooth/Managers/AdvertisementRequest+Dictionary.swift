internal import BluetoothValues
internal import Host
internal import PhoneService

extension AdvertisementRequest {
    /// Of what an app hands in, a name and services are advertised.
    init(_ dictionary: [String: Any]) {
        let used = [CBAdvertisementDataLocalNameKey, CBAdvertisementDataServiceUUIDsKey]
        self.init(
            localName: dictionary[CBAdvertisementDataLocalNameKey] as? String,
            services: dictionary.uuids(CBAdvertisementDataServiceUUIDsKey) ?? [],
            ignoredKeys: dictionary.keys.filter { !used.contains($0) }.sorted()
        )
    }

    /// As an app that is restored finds it.
    var dictionary: [String: Any] {
        var dictionary: [String: Any] = [:]
        dictionary[CBAdvertisementDataLocalNameKey] = localName
        if !services.isEmpty { dictionary[CBAdvertisementDataServiceUUIDsKey] = services.map(CBUUID.init) }
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
