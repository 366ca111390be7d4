public import BluethroatEvents
public import BluethroatHost

extension Central {
    /// Reads all services and what is in them, and reports each in the order of the handles.
    ///
    /// - Returns: why values could not be read that have the property.
    @discardableResult
    public func inspect() async throws(OperationFailure) -> [ATTError] {
        var refusals: [ATTError] = []
        for service in try await discover().services {
            emit(.service(service))
            try await inspect(service, &refusals)
        }
        return refusals
    }

    private func inspect(_ service: RemoteService, _ refusals: inout [ATTError]) async throws(OperationFailure) {
        for include in service.includes { emit(.include(include)) }
        for characteristic in service.characteristics {
            var outcome: ReadOutcome?
            if characteristic.properties.contains(.read) {
                outcome = try await read(characteristic.valueHandle)
            }
            if case .refused(let error) = outcome { refusals.append(error) }
            emit(.characteristic(characteristic, outcome))
            for descriptor in characteristic.descriptors {
                emit(.descriptor(descriptor, try await read(descriptor.handle)))
            }
        }
    }
}
