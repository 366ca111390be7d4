import ArgumentParser
import BluethroatDeviceStudy
import BluethroatEvents
import BluethroatOverflowWorld

/// Computes a study that a file describes.
struct DeviceStudyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study",
        abstract: "Compute a study that a file describes: devices, what varies, what is measured.",
        discussion: """
            The file is YAML; docs/studies.md says what can be in it, and Examples/Studies has some:

              bluethroat study Examples/Studies/discovery.yaml --svg discovery.svg

            Values are means over worlds that differ in their seed, with 95 % intervals. The same file and seed give the \
            same output, however many threads there are.
            """
    )

    @Argument(help: "The study's file.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("How many worlds each row has (default: as in the file).", valueName: "number"),
        transform: { try Int(StudyNumber.worlds.single($0)) }
    )
    var worlds: Int?

    @Option(help: ArgumentHelp("What chance is drawn from (default: as in the file).", valueName: "number"))
    var seed: UInt64?

    @OptionGroup var output: StudyOutputOptions

    func validate() throws { try order.check() }

    func run() async throws {
        try await output.write(order.carryOut(progress:report:bytes:))
    }

    private var order: StudyOrder {
        var order = StudyOrder(file: file, place: output.place)
        (order.worlds, order.seed) = (worlds, seed)
        (order.csv, order.svg, order.json) = (output.csv, output.svg, output.json)
        order.dividesWorlds = output.divide
        return order
    }
}
