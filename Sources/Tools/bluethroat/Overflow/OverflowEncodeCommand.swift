import ArgumentParser
import BluethroatEvents
import BluethroatOverflowArea
import BluethroatOverflowWorld
import BluethroatTerminal
import CoreBluetooth

/// What bytes, services or a payload look like in the overflow area.
struct OverflowEncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Show what bytes, services or a payload become in the overflow area.",
        discussion: """
            Bytes have two orders: as they are sent (air), and as apps have them that carry data there (app), each byte \
            mirrored. A payload is put into its frame first, in each of its positions.
            """
    )

    @Argument(
        help: ArgumentHelp("Up to 16 bytes in hexadecimal, or services with hyphens.", valueName: "bytes")
    )
    var input: [String] = []

    @Option(help: "The order of the bytes: app or air.")
    var order = OverflowOrder.app

    @Option(
        help: ArgumentHelp("A service, by 4, 8 or 36 characters; may be repeated.", valueName: "uuid"),
        transform: { try OverflowInput.service($0) }
    )
    var service: [CBUUID] = []

    @Option(help: ArgumentHelp("Up to 128 digits 0 and 1, from the left.", valueName: "digits"))
    var binary: String?

    @Option(help: ArgumentHelp("The payload of a beacon.", valueName: "hex"))
    var payload: String?

    @Option(help: "The payload's frame: demo (two positions), hamming or bch (four bytes, a code word).")
    var mode = OverflowMode.demo

    @OptionGroup var frame: OverflowFrameOptions

    @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
    var json = false

    func validate() throws { _ = try masks() }

    func run() throws {
        for (title, mask) in try masks() {
            guard !json else {
                StandardOutput.write(OverflowText.object("mask", mask, title).text)
                continue
            }
            if let title { StandardOutput.write(title) }
            for line in OverflowText.lines(mask) { StandardOutput.write(line) }
        }
    }

    /// What there is to be shown, with a title where there are several.
    private func masks() throws -> [(title: String?, mask: OverflowMask)] {
        let source = OverflowSource(bytes: input, services: service, binary: binary, payload: payload)
        return try source.masks(order, frame.frame, mode)
    }
}
