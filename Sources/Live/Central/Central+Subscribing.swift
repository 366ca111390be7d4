public import BluethroatEvents
import BluethroatHost

extension Central {
    /// Turns on what characteristics send by themselves, and reports each.
    ///
    /// - Parameter prefersIndications: whether values are indicated, and so confirmed, where the device can do either.
    public func subscribe(
        to paths: [AttributePath],
        preferringIndications prefersIndications: Bool = false
    ) async throws(OperationFailure) -> [ResolvedAttribute] {
        let database = try await discover()
        var found: [ResolvedAttribute] = []
        for path in paths {
            let attribute = try database.resolve(path)
            guard let characteristic = attribute.characteristic,
                let isIndication = characteristic.properties.kind(preferringIndications: prefersIndications)
            else { throw OperationFailure("\(path) neither notifies nor indicates") }
            try await subscribe(to: characteristic, indications: isIndication)
            emit(.subscribed(attribute, isIndication: isIndication))
            found.append(attribute)
        }
        return found
    }
}

extension CharacteristicProperties {
    /// True for indications, false for notifications, nil where the characteristic does neither.
    fileprivate func kind(preferringIndications: Bool) -> Bool? {
        switch (contains(.notify), contains(.indicate)) {
        case (true, true): preferringIndications
        case (true, false): false
        case (false, true): true
        case (false, false): nil
        }
    }
}
