import ArgumentParser
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatTerminal
import BluethroatVirtualTime

/// For commands that connect: which device, and how long to try.
struct DeviceOptions: ParsableArguments {
    @Argument(help: "The device: its address, or its name as advertised.", transform: { DeviceTarget($0) })
    var device: DeviceTarget

    @Option(
        help: ArgumentHelp(
            "How long to look for the device and to try to connect (default: 10).",
            valueName: "seconds"
        ),
        transform: { try Seconds(parsing: $0) }
    )
    var timeout: Seconds?

    @OptionGroup var radio: RadioOptions

    /// How long to look for the device and to try to connect.
    var patience: TimeSpan { timeout?.span ?? .seconds(10) }

    /// Finds the device, connects, and encrypts the link if there is a bond. Returns what is known about the device.
    /// `isStrict` is for commands that accept only the bonded device itself.
    @discardableResult
    func connect(
        _ central: Central,
        _ options: CentralOptions,
        isStrict: Bool = true,
        encrypting: Bool = true
    ) async throws(OperationFailure) -> DiscoveryCache.Entry {
        central.pairingAdvice = options.pairingAdvice(for: device.text)
        StandardError.hint("looking for \(device)")
        let start = central.present
        let heard = try await central.find(device, toConnect: true, isStrict: isStrict, within: patience)
        guard let heard else { throw .nothingFound(device, in: patience, heard: central.heard) }
        let left = patience - (central.present - start)
        try await central.connect(to: heard, within: max(left, .seconds(2)))
        try await central.ask(for: radio.phy)
        if encrypting { try await central.encryptIfBonded() }
        return heard
    }
}
