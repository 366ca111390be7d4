import ArgumentParser
import Host

/// Prints all attributes of a device.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect to a device and print all its services, with what can be read of them."
    )

    @OptionGroup var target: DeviceOptions
    @OptionGroup var central: CentralOptions

    func run() async throws {
        try await central.run { (central, _) throws(CommandFailure) in
            try await target.connect(central, self.central)
            var refusals: [ATTError] = []
            for service in try await central.discover().services {
                central.tell(.service(service))
                try await inspect(service, central, &refusals)
            }
            if refusals.contains(.insufficientAuthentication) || refusals.contains(.insufficientEncryption) {
                StandardError.hint("some values are for those who have paired: `\(central.pairingAdvice)`")
            }
        }
    }

    /// What is in a service, in the order of the handles.
    private func inspect(
        _ service: RemoteService,
        _ central: Central,
        _ refusals: inout [ATTError]
    ) async throws(CommandFailure) {
        for include in service.includes { central.tell(.include(include)) }
        for characteristic in service.characteristics {
            var outcome: ReadOutcome?
            if characteristic.properties.contains(.read) {
                outcome = try await central.read(characteristic.valueHandle)
            }
            if case .refused(let error) = outcome { refusals.append(error) }
            central.tell(.characteristic(characteristic, outcome))
            for descriptor in characteristic.descriptors {
                central.tell(.descriptor(descriptor, try await central.read(descriptor.handle)))
            }
        }
    }
}
