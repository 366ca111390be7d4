import ArgumentParser
import BluethroatCentral
import BluethroatEvents
import BluethroatHost

/// Prints one value of a device.
struct Read: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Connect to a device and print one value.")

    @OptionGroup var target: DeviceOptions

    @Argument(help: AttributePath.help, transform: { try AttributePath(parsing: $0) })
    var attribute: AttributePath

    @OptionGroup var central: CentralOptions

    func run() async throws {
        try await central.run { (central, _) throws(OperationFailure) in
            try await target.connect(central, self.central)
            let found = try await central.resolve(attribute)
            switch try await central.read(found.handle) {
            case .value(let bytes): central.emit(.value(found, bytes))
            case .refused(let error): throw .refused(error, by: central.peer, "read \(found.handle)")
            }
        }
    }
}

extension AttributePath {
    /// How an attribute is named, for `--help`.
    static let help: ArgumentHelp = """
        A handle (0x0025), a characteristic's UUID (2A19), SERVICE/CHARACTERISTIC (1802/2A06) or \
        SERVICE/CHARACTERISTIC/DESCRIPTOR (FFA0/FFA1/2901).
        """
}
