import ArgumentParser
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

    /// How long to look for the device and to try to connect.
    var patience: TimeSpan { timeout?.span ?? .seconds(10) }

    /// Finds the device and connects.
    func connect(_ central: Central) async throws(CommandFailure) {
        StandardError.hint("looking for \(device)")
        guard let found = try await central.find(device, toConnect: true, within: patience) else {
            throw .nothingFound(device, in: patience)
        }
        let left = patience - central.present.sinceStart
        try await central.connect(to: found, within: max(left, .seconds(2)))
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
