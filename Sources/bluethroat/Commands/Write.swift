import ArgumentParser
import Host

/// Writes one value of a device.
struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Connect to a device and write one value.")

    @OptionGroup var target: DeviceOptions

    @Argument(help: AttributePath.help, transform: { try AttributePath(parsing: $0) })
    var attribute: AttributePath

    @Argument(help: "The value, in hexadecimal digits unless a flag says otherwise.")
    var value: String

    @Flag(help: "How the value is written here.")
    var form = ValueForm.hex

    @Flag(help: "Ask for no answer; the device then cannot say whether it took the value.")
    var withoutResponse = false

    @OptionGroup var central: CentralOptions

    func validate() throws { _ = try form.bytes(of: value) }

    func run() async throws {
        let bytes = try form.bytes(of: value)
        try await central.run { (central, _) throws(CommandFailure) in
            try await target.connect(central, self.central)
            let found = try await central.resolve(attribute)
            if withoutResponse {
                try await central.writeWithoutResponse(bytes, to: found.handle)
            } else {
                try await central.write(bytes, to: found.handle)
            }
            central.tell(.written(found, bytes, response: !withoutResponse))
        }
    }
}
