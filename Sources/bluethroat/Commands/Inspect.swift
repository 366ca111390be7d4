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
            for service in try await central.discover().services {
                central.tell(.service(service))
                try await inspect(service, central)
            }
        }
    }

    /// What is in a service, in the order of the handles.
    private func inspect(_ service: RemoteService, _ central: Central) async throws(CommandFailure) {
        for include in service.includes { central.tell(.include(include)) }
        for characteristic in service.characteristics {
            var outcome: ReadOutcome?
            if characteristic.properties.contains(.read) {
                outcome = try await central.read(characteristic.valueHandle)
            }
            central.tell(.characteristic(characteristic, outcome))
            for descriptor in characteristic.descriptors {
                central.tell(.descriptor(descriptor, try await central.read(descriptor.handle)))
            }
        }
    }
}
