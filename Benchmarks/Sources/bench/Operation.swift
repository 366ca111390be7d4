/// Something whose instructions are counted: `Scripts/count-instructions` runs it twice, for a shorter and for a longer
/// time, and divides the difference by how much more was done.
struct Operation {
    let name: String
    /// What is counted, in the plural.
    let unit: String
    /// How often `advance` is called in the shorter and in the longer run.
    let steps: (short: Int, long: Int)
    let prepare: () throws -> Run

    /// An operation that goes on.
    struct Run {
        let advance: () throws -> Void
        /// How often it was done so far.
        let count: () throws -> Int
    }

    /// Does so many steps; how often the operation was done in all.
    func run(steps: Int) throws -> Int {
        let run = try prepare()
        for _ in 0..<steps { try run.advance() }
        return try run.count()
    }

    static var all: [Operation] { LinkOperations.all + AdvertisingOperations.all }
}
