import ArgumentParser
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatVirtualTime

/// Prints values that a device sends by itself.
struct Subscribe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Connect to a device and print the values that it sends by itself.",
        discussion: "With --timeout it also ends, with exit code 3, when no value has come for that long."
    )

    @OptionGroup var target: DeviceOptions

    @Argument(help: AttributePath.help, transform: { try AttributePath(parsing: $0) })
    var attributes: [AttributePath]

    @Option(
        name: .customLong("write"),
        help: ArgumentHelp("Write a value first, in hexadecimal; more than once if need be.", valueName: "FFA1=01"),
        transform: { try AttributeAssignment(parsing: $0) }
    )
    var writes: [AttributeAssignment] = []

    @Option(help: ArgumentHelp("End after so many values, 1 or more.", valueName: "n"))
    var count: Int?

    @Flag(help: "Have values indicated, and so confirmed, where the device can do either.")
    var indications = false

    @OptionGroup var central: CentralOptions

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count \(count) is too few; give 1 or more") }
    }

    func run() async throws {
        try await central.run { (central, _) throws(OperationFailure) in
            try await target.connect(central, self.central)
            try await central.write(writes)
            let found = try await central.subscribe(to: attributes, preferringIndications: indications)
            do throws(OperationFailure) {
                try await listen(central, found)
            } catch {
                // Being interrupted is the ordinary end of it.
                guard error == .interruption else { throw error }
            }
        }
    }

    private func listen(_ central: Central, _ attributes: [ResolvedAttribute]) async throws(OperationFailure) {
        var left = count ?? .max
        while left > 0 {
            guard let value = try await central.nextValue(within: target.timeout?.span) else {
                throw OperationFailure("no value came in \(Seconds(span: target.patience)) s", .nothingFound)
            }
            guard let attribute = attributes.first(where: { $0.handle == value.handle }) else { continue }
            central.emit(.notified(attribute, value.bytes, isIndication: value.isIndication))
            left -= 1
        }
    }
}
