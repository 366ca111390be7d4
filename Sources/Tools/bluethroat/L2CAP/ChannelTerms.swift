import ArgumentParser
import BluethroatCentral
import BluethroatEvents
import BluethroatHost
import BluethroatTerminal

/// This end of a channel, as the command line gives it.
struct ChannelTerms: ParsableArguments {
    @Option(help: ArgumentHelp("The longest SDU that this end takes, 23 to 65535 (default: 4504).", valueName: "bytes"))
    var mtu: Int?

    @Option(
        help: ArgumentHelp(
            "The longest payload of a frame that this end takes, 23 to 65533 (default: 1502).",
            valueName: "bytes"
        )
    )
    var mps: Int?

    @Option(
        help: ArgumentHelp("How many frames the peer may have on their way, 1 to 65535 (default: 24).", valueName: "n")
    )
    var credits: Int?

    @Flag(name: .customLong("no-input"), help: "Send nothing, and leave standard input alone.")
    var hasNoInput = false

    func validate() throws {
        if let mtu, !(23...65_535).contains(mtu) {
            throw ValidationError("--mtu \(mtu) is out of range; give 23 to 65535")
        }
        if let mps, !(23...65_533).contains(mps) {
            throw ValidationError("--mps \(mps) is out of range; give 23 to 65533")
        }
        if let credits, !(1...65_535).contains(credits) {
            throw ValidationError("--credits \(credits) is out of range; give 1 to 65535")
        }
    }

    /// The peer gets credits back for what has been written to standard output.
    var options: ChannelOptions {
        var options = ChannelOptions(crediting: .whenConsumed)
        if let mtu { options.mtu = mtu }
        if let mps { options.mps = mps }
        if let credits { options.window = credits }
        return options
    }
}

extension ChannelTerms {
    /// Carries standard input and output over a channel, until one of the two ends.
    func carry(_ channel: ChannelDescription, _ central: Central, json: Bool) async throws(OperationFailure) {
        try await ChannelPipe(central, channel, StandardChannel()).run(
            sends: !hasNoInput,
            show: StandardError.isTerminal && !json ? { StandardError.writeBytes($0) } : nil,
            summarise: { if !json { StandardError.write($0) } }
        )
    }
}

/// Standard input and output as the ends of a channel.
private struct StandardChannel: ChannelEnds {
    private let input = PacedInput()

    var byteCount: Int? { PacedInput.byteCount }
    func start(_ length: Int, _ heard: @escaping @Sendable ([UInt8]) -> Void) { input.start(length, heard) }
    func taken() { input.taken() }
    func write(_ bytes: [UInt8]) { StandardOutput.writeBytes(bytes) }
}

extension SPSM {
    static let help: ArgumentHelp = "The service's number, e.g. 0x0080 or 128."
}
