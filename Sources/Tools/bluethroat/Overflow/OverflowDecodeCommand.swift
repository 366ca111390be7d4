import ArgumentParser
import BluethroatByteCoding
import BluethroatEvents
import BluethroatOverflowArea
import BluethroatOverflowWorld
import BluethroatTerminal
import CoreBluetooth
import Foundation

/// What is in an overflow area.
struct OverflowDecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show what is in an overflow area: bits, services, payloads.",
        discussion: """
            Takes the 16 bytes of a mask, a whole advertisement, Apple's manufacturer data from 4C0001 on, or the \
            services that iOS has reported. A payload is shown whether its bank is polluted or not: one advertisement \
            does not tell.
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
        _ = try mask()
    }

    func run() throws {
        let mask = try mask()
        let found = frame.frame.payloads(in: mask, size: payloadSize)
        guard !json else {
            return StandardOutput.write(OverflowText.object(mask, found).text)
        }
        for line in OverflowText.lines(mask) + found.map(\.line) { StandardOutput.write(line) }
    }

    private func mask() throws -> OverflowMask {
        if input.contains(where: { $0.contains("-") }) {
            return OverflowMask(services: try input.map(OverflowInput.service))
        }
        let bytes = try OverflowInput.bytes(input.joined(), upTo: 255, what: "overflow area")
        if bytes.count == 16, let mask = OverflowMask(bytes, order: order.order) { return mask }
        if let mask = OverflowMask(advertisement: bytes) ?? OverflowMask(manufacturerData: Data(bytes)) {
            return mask
        }
        throw ValidationError(
            "no overflow area in these \(bytes.count) bytes; give the 16 bytes of a mask, or a whole advertisement"
        )
    }
}
