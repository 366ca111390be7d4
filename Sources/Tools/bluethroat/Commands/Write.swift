package import ArgumentParser
package import BluethroatCentral
import BluethroatEvents
import BluethroatHost

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
        try await central.run { (central, _) throws(OperationFailure) in
            try await target.connect(central, self.central)
            let found = try await central.resolve(attribute)
            if withoutResponse {
                try await central.writeWithoutResponse(bytes, to: found.handle)
            } else {
                try await central.write(bytes, to: found.handle)
            }
            central.emit(.written(found, bytes, response: !withoutResponse))
        }
    }
}

extension ValueForm: EnumerableFlag {
    package static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .hex: "Hexadecimal digits, as in 0a1b; this is the default."
        case .text: "Text, sent as UTF-8."
        case .number: "A whole number, sent in 1, 2, 4 or 8 bytes, least significant first."
        }
    }
}
