import ArgumentParser
import Host
import VirtualTime

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
    /// `isStrict` is for commands that take a bonded device only for what they are told to do with it.
    @discardableResult
    func connect(
        _ central: Central,
        _ options: CentralOptions,
        isStrict: Bool = true,
        encrypting: Bool = true
    ) async throws(CommandFailure) -> DiscoveryCache.Entry {
        central.pairingAdvice = options.pairingAdvice(for: device.text)
        StandardError.hint("looking for \(device)")
        let start = central.present
        let heard = try await central.find(device, toConnect: true, isStrict: isStrict, within: patience)
        guard let heard else { throw .nothingFound(device, in: patience) }
        let left = patience - (central.present - start)
        try await central.connect(to: heard, within: max(left, .seconds(2)))
        try await central.ask(for: radio.phy)
        if encrypting { try await central.encryptIfBonded() }
        return heard
    }
}

extension CommandFailure {
    static func nothingFound(_ device: DeviceTarget?, in patience: TimeSpan) -> Self {
        let what = device.map { "\($0) was not heard" } ?? "no device was heard"
        return Self(
            "\(what) in \(Seconds(span: patience)) s; is it advertising? A key fob does for 30 s after its right key",
            .nothingFound
        )
    }
}

/// A length of time as people type it: more than nothing, at most a day.
struct Seconds: Hashable, Sendable, CustomStringConvertible {
    let span: TimeSpan

    init(span: TimeSpan) { self.span = span }

    init(parsing text: String) throws(ValidationError) {
        guard let number = Double(text), let span = TimeSpan.seconds(approximating: number),
            span > .zero, span <= .seconds(86_400)
        else { throw ValidationError("\(text) is no number of seconds; give one above 0") }
        self.span = span
    }

    var description: String {
        let seconds = span.inSeconds
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
