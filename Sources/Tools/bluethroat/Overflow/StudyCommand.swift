import ArgumentParser
import BluethroatEvents
import BluethroatOverflowStudy
import BluethroatOverflowWorld

/// Tries crowds of phones and reports how many of them are read.
struct StudyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study",
        abstract: "Study how well payloads in the overflow area get through in a crowd.",
        discussion: """
            In each world there are phones whose apps are in the background and send four bytes in the overflow area, in \
            two positions in turn, and people among them who walk about with an app on their screens that looks for such \
            payloads. All of them are whole phones in virtual time, from the app to the bytes on the air. The table says \
            of how many phones the payload was got.

            One of --phones, --scanners, --area, --rotation, --interval, --pollution, --speed and --foreign may be several \
            values with commas between, which makes a row of each: --phones 50,100,200,400. With --mode hamming or bch the \
            column "without code" is the same crowd with two positions. With --mode conversation there are no scanners: phones in \
            pairs, 16 at most, exchange messages of 32 bytes.

            What comes out follows from --seed and the other values, however many threads there are.
            """
    )

    @OptionGroup var crowd: CrowdOptions

    @Option(
        help: ArgumentHelp("How long scanners listen, in minutes (default: 2).", valueName: "minutes"),
        transform: { try StudyNumber.minutes.single($0) }
    )
    var minutes = 2.0

    @Option(
        help: ArgumentHelp(
            "Within which time payloads are to be got, in seconds, several with commas between (default: 10,30,60 and "
                + "all of the time).",
            valueName: "seconds,…"
        ),
        transform: { try StudyNumber.within.list($0) }
    )
    var within: [Double]?

    @Option(
        help: ArgumentHelp(
            "From when that counts: start, as scanners begin to listen, of all phones; or contact, as a phone is heard "
                + "first, of those that are heard.",
            valueName: "start|contact"
        ),
        transform: { try StudyRow.Beginning(typed: $0) }
    )
    var since = StudyRow.Beginning.start

    @Option(help: ArgumentHelp("What chance is drawn from.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "How many worlds are tried for each row, side by side (default: 2).",
            valueName: "number"
        ),
        transform: { try Int(StudyNumber.worlds.single($0)) }
    )
    var worlds = 2

    @OptionGroup var output: StudyOutputOptions

    func validate() throws {
        guard crowd.mode.isStudied else { throw ValidationError("--mode sequential sends no payload to be studied") }
        try order().check()
    }

    func run() async throws {
        let order = try order()
        try await output.write(order.carryOut(progress:report:bytes:))
    }

    private func order() throws -> CrowdStudyOrder {
        let varied = try crowd.varied()
        var order = CrowdStudyOrder(crowd.crowds(varied, minutes: minutes), varied: varied)
        (order.minutes, order.within, order.since, order.worlds, order.seed) = (minutes, within, since, worlds, seed)
        (order.files, order.json) = (output.files, output.json)
        (order.place, order.dividesWorlds) = (output.place, output.divide)
        return order
    }
}
