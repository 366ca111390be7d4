/// What the command line asks for.
struct Options {
    var only: [String] = []
    var effort = Effort()
    /// A Python that has Bumble; nil leaves Bumble out.
    var python: String?
    /// Whether benches that want a process of their own have got it: this one.
    var isFresh = false
    /// Whether a target that is not met makes the run fail.
    var isStrict = false
    /// The operation that is done so often and not measured, for those who count instructions.
    var operation: (Operation, steps: Int)?
    /// A crowd that is run once: phones, scanners, seconds.
    var crowd: (phones: Int, scanners: Int, seconds: Int)?
    /// Among how many ranks, which are threads, its world is divided; nil for a world that is not divided.
    var ranks: Int?
    /// Whether every frame of that crowd is computed.
    var isExact = false
    /// Whether the operations are listed.
    var listsOperations = false

    static let usage = """
        usage: bench [--only NAME,…] [--seconds S] [--cpu-time] [--bumble PYTHON] [--check]
               bench --crowd PHONES,SCANNERS,SECONDS [--exact] [--ranks NUMBER]
               bench --operations | --operation NAME --steps COUNT
          --only NAME,…    these only; `read` stands for `read.20` and `read.244`
          --seconds S      how long each rate is measured, 2 unless given
          --cpu-time       time that the processor spends on it, not time on the wall: for a busy machine
          --bumble PYTHON  measures a Bumble pair beside, with a Python that has Bumble
          --check          fails if a target is not met; without it only a bench that breaks down makes the run fail
          --crowd PHONES,SCANNERS,SECONDS
                           a crowd of overflow study once, 100 m² for each phone, in a crowd's air or exactly
          --operations     lists the operations whose instructions are counted: name, unit, steps of two runs
          --operation NAME --steps COUNT
                           does one of them in so many steps and prints how often it was done
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--only":
                only = try Self.value(of: option, &rest).split(separator: ",").map(String.init)
            case "--seconds":
                guard let seconds = Double(try Self.value(of: option, &rest)), seconds > 0 else {
                    throw BenchError("--seconds takes a number above 0")
                }
                effort.seconds = seconds
            case "--cpu-time":
                effort.clock = .processor
            case "--bumble":
                python = try Self.value(of: option, &rest)
            case "--operations":
                listsOperations = true
            case "--operation":
                let name = try Self.value(of: option, &rest)
                guard let found = Operation.all.first(where: { $0.name == name }) else {
                    throw BenchError("no operation is called \(name)")
                }
                guard rest.popFirst() == "--steps", let steps = Int(try Self.value(of: "--steps", &rest)), steps >= 0
                else { throw BenchError("--operation NAME is followed by --steps COUNT") }
                operation = (found, steps)
            case "--crowd":
                let numbers = try Self.value(of: option, &rest).split(separator: ",").compactMap { Int($0) }
                guard numbers.count == 3, numbers.allSatisfy({ 0...10_000_000 ~= $0 }), numbers[2] > 0 else {
                    throw BenchError("--crowd takes three numbers: phones, scanners, seconds")
                }
                crowd = (numbers[0], numbers[1], numbers[2])
            case "--ranks":
                guard let number = Int(try Self.value(of: option, &rest)), 1...64 ~= number else {
                    throw BenchError("--ranks takes a number from 1 to 64")
                }
                ranks = number
            case "--exact":
                isExact = true
            case "--fresh":
                isFresh = true
            case "--check":
                isStrict = true
            default:
                throw BenchError("unknown option \(option)\n\(Self.usage)")
            }
        }
        for name in only where !Bench.all.contains(where: { $0.isCalled(name) }) {
            throw BenchError("no bench is called \(name); there are " + Bench.all.map(\.name).joined(separator: ", "))
        }
    }

    func wants(_ bench: Bench) -> Bool { only.isEmpty || only.contains { bench.isCalled($0) } }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw BenchError("\(option) takes a value\n\(usage)") }
        return value
    }
}
