import BluethroatSimulation
import Foundation

/// Measures, prints a table line by line, then the same as JSON.
@main
struct Main {
    static func main() {
        if CommandLine.arguments.contains(where: { $0 == "--help" || $0 == "-h" }) {
            show(Options.usage)
            exit(0)
        }
        do {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.listsOperations {
                for it in Operation.all { show("\(it.name)\t\(it.unit)\t\(it.steps.short)\t\(it.steps.long)") }
                exit(0)
            }
            if let (operation, steps) = options.operation {
                show("\(try operation.run(steps: steps))")
                exit(0)
            }
            if let crowd = options.crowd {
                let figures = try CrowdBenches.once(
                    phones: crowd.phones,
                    scanners: crowd.scanners,
                    seconds: crowd.seconds,
                    air: options.isExact ? .exact : .crowd,
                    ranks: options.ranks
                )
                for (name, value) in figures { show("\(name)\t\(value)") }
                exit(0)
            }
            exit(try run(options) ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(2)
        }
    }

    /// False if something broke down, or a target is missed and that matters.
    private static func run(_ options: Options) throws -> Bool {
        let bumble = options.python.map(BumblePair.init)
        var figures: [Figure] = [], isGood = true
        show(Table.header)
        for bench in Bench.all where options.wants(bench) {
            do {
                let figure = Figure(
                    bench: bench,
                    value: try value(of: bench, options),
                    bumble: try bumble.flatMap { bumble in try bumble.figure(of: bench, options.effort) }
                )
                figures.append(figure)
                show(Table.row(figure))
                if options.isStrict, figure.isMet == false { isGood = false }
            } catch {
                show(Table.row(bench, failed: error))
                isGood = false
            }
        }
        show("")
        for figure in figures { show(try JSONLine.line(figure)) }
        return isGood
    }

    private static func value(of bench: Bench, _ options: Options) throws -> Double {
        guard bench.needsFreshProcess, !options.isFresh else { return try bench.measure(options.effort) }
        let own = Bundle.main.executablePath ?? CommandLine.arguments[0]
        return try OtherProcess(own, ["--only", bench.name, "--fresh"])
            .value(of: bench.name)
    }

    /// Prints a line at once, even where nobody sits at a terminal.
    private static func show(_ line: String) {
        print(line)
        fflush(nil)
    }
}
