import Foundation
import XCTest

/// Where a test calls something whose line is not known.
///
/// Swift takes a wait of this module in place of XCTest's since it leaves out fewer arguments. XCTest's with an order, and that
/// with a handler, leave out a file and a line: there is room for one of them, and the other has to be looked up.
struct CallPlace {
    let file: StaticString
    /// The name of a test, as XCTest has it: its class, a dot, its function.
    let test: String?

    /// The line of the only call with this text in the test's function, or else in the file. Of several the test's function is
    /// given, and 0 where nothing is known.
    func line(of text: String) -> UInt {
        guard let source = try? String(contentsOfFile: "\(file)", encoding: .utf8) else { return 0 }
        return line(of: text, in: source.split(separator: "\n", omittingEmptySubsequences: false))
    }

    func line(of text: String, in lines: [Substring]) -> UInt {
        func calls(_ range: Range<Int>) -> [Int] { range.filter { lines[$0].contains(text) } }
        let function = test?.split(separator: ".").last.map { "func \($0)(" }
        let begin = function.flatMap { function in lines.firstIndex { $0.contains(function) } }
        if let begin {
            let end = lines[(begin + 1)...].firstIndex { $0.contains("func ") } ?? lines.endIndex
            if let call = only(calls(begin..<end)) { return UInt(call + 1) }
        }
        return only(calls(lines.indices)).map { UInt($0 + 1) } ?? begin.map { UInt($0 + 1) } ?? 0
    }

    private func only(_ found: [Int]) -> Int? { found.count == 1 ? found[0] : nil }
}
