import ArgumentParser
import BluethroatBluetoothValues
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatVirtualTime

/// Lists the devices that advertise.
struct Scan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the devices that advertise, or wait for one of them."
    )

    @Argument(
        help: "Only this device, by address or by name; the scan ends when it is heard.",
        transform: { DeviceTarget($0) }
    )
    var device: DeviceTarget?

    @Flag(help: "Only listen: ask no device for its scan response, which often holds the name.")
    var passive = false

    @Option(
        help: ArgumentHelp("How long to listen (default: 5).", valueName: "seconds"),
        transform: { try Seconds(parsing: $0) }
    )
    var timeout: Seconds?

    @OptionGroup var central: CentralOptions

    func run() async throws {
        let patience = timeout?.span ?? .seconds(5)
        try await central.run { (central, reporter) throws(OperationFailure) in
            // A device that was asked for is listed with what is known when it is recognised.
            reporter.list = DeviceList(expectsResponses: !passive && device == nil)
            defer { reporter.endList() }
            if let device {
                let found = try await central.find(device, active: !passive, toConnect: false, within: patience)
                guard found != nil else { throw .nothingFound(device, in: patience, heard: central.heard) }
            } else if try await !central.scan(active: !passive, for: patience) {
                throw .nothingFound(nil, in: patience)
            }
        }
    }
}
