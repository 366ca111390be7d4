import ArgumentParser
import BluethroatOverflowArea
import BluethroatOverflowWorld

/// How a payload is framed.
struct OverflowFrameOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The byte in front of a payload (default: AA).", valueName: "hex"),
        transform: { try OverflowInput.byte($0) }
    )
    var matchingByte: UInt8 = BeaconFrame.usualMatchingByte

    @Flag(help: "Use places without bit 69, with which an Apple Watch asks to be set up.")
    var spareWatches = false

    var positions: BeaconFrame.Positions { spareWatches ? .sparingWatches : .halves }
    var codeStart: Int { spareWatches ? HammingFrame.startSparingWatches : HammingFrame.usualStart }

    var frame: OverflowFrame {
        OverflowFrame(matchingByte: matchingByte, positions: positions, codeStart: codeStart)
    }
}
