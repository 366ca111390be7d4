import ArgumentParser
import BluethroatOverflowStudy
import BluethroatOverflowWorld

/// What the crowds of a study are like. Each option but the last three may be a list.
struct CrowdOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many phones send, in each world (default: 200).", valueName: "number,…"),
        transform: { try StudyNumber.phones.list($0) }
    )
    var phones: [Double] = [200]

    @Option(
        help: ArgumentHelp("How many people walk about and listen (default: 4).", valueName: "number,…"),
        transform: { try StudyNumber.scanners.list($0) }
    )
    var scanners: [Double] = [4]

    @Option(
        help: ArgumentHelp(
            "The side of the square in which they are, in metres (default: 200).",
            valueName: "metres,…"
        ),
        transform: { try StudyNumber.area.list($0) }
    )
    var area: [Double] = [200]

    @Option(
        help: ArgumentHelp(
            "After how many seconds a payload changes its position (default: 5).",
            valueName: "seconds,…"
        ),
        transform: { try StudyNumber.rotation.list($0) }
    )
    var rotation: [Double] = [5]

    @Option(
        help: ArgumentHelp(
            "How often a phone advertises, in milliseconds, to the nearest 0.625 (default: 1022.5).",
            valueName: "milliseconds,…"
        ),
        transform: { try StudyNumber.interval.list($0) }
    )
    var interval: [Double] = [1_022.5]

    @Option(
        help: ArgumentHelp(
            "How likely it is, for each of a phone's two banks, that another app has a bit in it set all the time: 0 to 1 "
                + "(default: 0).",
            valueName: "probability,…"
        ),
        transform: { try StudyNumber.pollution.list($0) }
    )
    var pollution: [Double] = [0]

    @Option(
        help: ArgumentHelp("How fast people walk, in metres a second (default: 1.4).", valueName: "speed,…"),
        transform: { try StudyNumber.speed.list($0) }
    )
    var speed: [Double] = [1.4]

    @Option(
        help: ArgumentHelp(
            "How many of the 128 bits another app on each phone sets, 0 to 64 (default: 0).",
            valueName: "number,…"
        ),
        transform: { try StudyNumber.foreign.list($0) }
    )
    var foreign: [Double] = [0]

    @Option(help: "Compute every frame (exact), or what is heard (crowd).", transform: { try CrowdSettings.air($0) })
    var air = CrowdSettings().air

    @Option(help: "What is sent: payloads in two positions (demo) or as code words (hamming, bch); conversation.")
    var mode = OverflowMode.demo

    @Option(
        help: ArgumentHelp(
            "The iOS version of the phones (default: 13). From 14 on, what an app changes in the background is not on the "
                + "air, so that nothing takes turns.",
            valueName: "version"
        ),
        transform: { try Int(StudyNumber.ios.single($0)) }
    )
    var ios = 13

    /// What is given as a list; nil if nothing is.
    func varied() throws -> StudyParameter? { try lists.varied() }

    /// A crowd for each row.
    func crowds(_ varied: StudyParameter?, minutes: Double) -> [CrowdSettings] {
        lists.crowds(varied, minutes: minutes, ios: ios, mode: mode, air: air)
    }

    private var lists: CrowdLists {
        CrowdLists([
            .phones: phones, .scanners: scanners, .area: area, .rotation: rotation, .interval: interval,
            .pollution: pollution, .speed: speed, .foreign: foreign,
        ])
    }
}
