import ArgumentParser
import BluethroatEvents
import BluethroatOverflowArea
import BluethroatOverflowWorld
import BluethroatTerminal

/// What is in an overflow area.
struct OverflowDecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show what is in an overflow area: bits, services, payloads.",
        discussion: """
            Takes the 16 bytes of a mask, a whole advertisement, Apple's manufacturer data from 4C0001 on, or the \
            services that iOS has reported. A payload is shown whether its bank is polluted or not: one advertisement \
            does not tell. Several masks of one phone make the confidence in each byte greater; the last one is shown.
            """
    )

    @Argument(
        help: ArgumentHelp("Bytes in hexadecimal, or services with hyphens.", valueName: "bytes")
    )
    var input: [String]

    @Option(help: "The order of the bytes of a mask: air or app.")
    var order = OverflowOrder.air

    @Option(help: ArgumentHelp("How long the payload is, 0 to 7.", valueName: "n"))
    var payloadSize = 4

    @OptionGroup var frame: OverflowFrameOptions

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    func validate() throws {
        guard (0...frame.positions.longestPayload).contains(payloadSize) else {
            throw ValidationError(
                "--payload-size \(payloadSize) is not from 0 to \(frame.positions.longestPayload)"
            )
        }
    }

    func run() throws {
        let masks = try OverflowInput.masks(input, order)
        let found = frame.frame.payloads(in: masks, size: payloadSize)
        for line in OverflowText.decoded(masks, found, json: json) { StandardOutput.write(line) }
    }
}
