import ArgumentParser
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatTerminal

/// Prints all attributes of a device.
struct Inspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect to a device and print all its services, with what can be read of them."
    )

    @OptionGroup var target: DeviceOptions
    @OptionGroup var central: CentralOptions

    func run() async throws {
        try await central.run { (central, _) throws(OperationFailure) in
            try await target.connect(central, self.central)
            let refusals = try await central.inspect()
            if refusals.contains(.insufficientAuthentication) || refusals.contains(.insufficientEncryption) {
                StandardError.hint("some values are for those who have paired: `\(central.pairingAdvice)`")
            }
        }
    }
}
