public import ArgumentParser
import BluethroatEvents
import BluethroatLive
import BluethroatOverflowAnalyser
import BluethroatOverflowArea
import BluethroatOverflowWorld
import BluethroatTerminal

/// Phones that carry data in the overflow area.
struct OverflowDemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Put phones on a virtual air, or one on a real controller, that carry data in the overflow area.",
        discussion: """
            Each phone has an app that sends a payload and reads those of the others, and that is left for the \
            background soon. With --mode sequential it sends every service instead, one a second, for \
            bluethroat overflow analyse. With --mode conversation two phones each send a message of any length, in pieces \
            that the other one acknowledges.

            After --for SECONDS it says what each phone knows; the exit code is 3 if nobody has read anything.
            """
    )

    @Option(help: ArgumentHelp("How many phones, 1 to 50 (default: 2, on a --controller 1).", valueName: "n"))
    var phones: Int?

    @Option(
        help: ArgumentHelp(
            "What a phone sends (default: 01020304); if repeated, the first is for the first phone. With --mode hamming "
                + "or bch also \"random\": 0001 and a number of each phone's own.",
            valueName: "hex"
        )
    )
    var payload: [String] = []

    @Option(
        help:
            "demo: two positions in turns; sequential: every service; hamming, bch: a code word; conversation: messages."
    )
    var mode = OverflowMode.demo

    @Option(help: ArgumentHelp("The first phone's number in a conversation, 0 to 15 (default: 0).", valueName: "n"))
    var number = 0

    @Option(
        help: ArgumentHelp("The version of iOS; up to 13 the background may change what is sent.", valueName: "n")
    )
    var ios = 13

    @Option(help: "Lit screens (on), dark ones (off), or dark ones that notifications light (notified).")
    var screen = OverflowPlan.Screen.on

    @Option(
        help: ArgumentHelp("A bit that another app on the first phone sets, 0 to 127 from the left.", valueName: "bit"),
        transform: { try OverflowInput.bit($0) }
    )
    var pollute: [OverflowBit] = []

    @Option(help: "Notifications every 60, 31 or 30 s, or sparing: only if nothing was heard.")
    var cycle = OverflowPlan.Cycle.documented

    @Option(help: "Bits that make a bank polluted: where a frame would be (frame), or all 64 (whole).")
    var bank = BankStatuses.Extent.frame

    @OptionGroup var frame: OverflowFrameOptions

    @Flag(help: "Have a companion learn from the air which service sets which bit.")
    var analyse = false

    @OptionGroup(title: "World") var session: SessionOptions

    func validate() throws {
        if session.controller != nil, phoneCount > 1 || analyse {
            throw ValidationError("a --controller is the radio of one phone; leave out --phones and --analyse")
        }
        if mode == .sequential, let what = misplaced {
            throw ValidationError("\(what) is not for --mode sequential")
        }
        if analyse, mode != .sequential {
            throw ValidationError("--analyse learns from --mode sequential; give that as well")
        }
        _ = try plan()
    }

    func run() async throws {
        let plan = try plan()
        if plan.disturbsWatches {
            StandardError.hint("--spare-watches avoids bit 69, for which iPhones nearby ask about a new watch")
        }
        let json = session.json
        let text = { @Sendable (event: OverflowEvent) in event.text(json: json) }
        let writer = LineWriter(isJSON: json, heading: plan.heading, to: .standard, text: text)
        try await session.run(writer, parts: [OverflowWorld.part]) { session, events in
            OverflowWorld(session, events, plan, json: json)
        }
    }

    private var phoneCount: Int { phones ?? (session.controller == nil ? 2 : 1) }

    private var misplaced: String? {
        if !payload.isEmpty { return "--payload" }
        return frame.spareWatches ? "--spare-watches" : nil
    }

    private var drawsPayloads: Bool { [.hamming, .bch].contains(mode) && payload == ["random"] }

    private func payloads() throws -> [[UInt8]] {
        try drawsPayloads ? [] : payload.map { try frame.frame.payload($0, mode) }
    }

    func plan() throws -> OverflowPlan {
        var plan = OverflowPlan()
        plan.phoneCount = phoneCount
        plan.mode = mode
        plan.firstNumber = number
        plan.payloads = try payloads()
        plan.drawsPayloads = drawsPayloads
        plan.extent = bank
        plan.matchingByte = frame.matchingByte
        plan.positions = frame.positions
        plan.codeStart = frame.codeStart
        plan.version = ios
        plan.screen = screen
        plan.cycle = cycle
        plan.pollution = pollute
        plan.analysis = analyse ? OverflowAnalyser.Settings() : nil
        return try plan.checked()
    }
}

extension OverflowMode: ExpressibleByArgument {}
extension OverflowOrder: ExpressibleByArgument {}
extension BankStatuses.Extent: ExpressibleByArgument {}
extension OverflowPlan.Screen: ExpressibleByArgument {}
extension OverflowPlan.Cycle: ExpressibleByArgument {}
