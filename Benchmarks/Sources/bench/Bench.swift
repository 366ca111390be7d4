/// One thing that is measured.
struct Bench {
    /// Dots part what is measured from how much of it: `read.244`.
    let name: String
    let unit: String
    /// Measures for about so many seconds of wall-clock time, where time is what is measured.
    let measure: (_ seconds: Double) throws -> Double

    init(_ name: String, _ unit: String, measure: @escaping (_ seconds: Double) throws -> Double) {
        self.name = name
        self.unit = unit
        self.measure = measure
    }

    /// Whether somebody who asks for `wanted` gets this: `read` stands for `read.20` and `read.244`.
    func isCalled(_ wanted: String) -> Bool { name == wanted || name.hasPrefix(wanted + ".") }

    static var all: [Bench] { ValueBenches.all }
}
