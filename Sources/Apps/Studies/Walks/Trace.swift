import BluethroatByteCoding
package import BluethroatEvents
import BluethroatVirtualTime

/// Recorded ways, as CSV: a line `device,time,x,y` for each place, the time in seconds and the place in metres. A first line
/// with these names may stand before. Devices are any words; they are taken in the order in which they come first.
package struct Trace: Sendable {
    package struct Point: Hashable, Sendable {
        package let time: Double
        package let x: Double
        package let y: Double
    }

    /// One way for each device, in ascending order of time.
    package private(set) var ways: [[Point]] = []

    /// Sixteen hexadecimal digits that stand for all of it.
    package let digest: String

    /// - Throws: which line is wrong, and why.
    package init(csv: String) throws(InvalidText) {
        var numbers: [String: Int] = [:]
        let lines = csv.withoutByteOrderMark.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var isFirst = true
        for (line, text) in lines.enumerated() {
            let cells = text.split(separator: ",", omittingEmptySubsequences: false).map { cell in
                let text = cell.drop { $0 == " " }
                return String(text.dropLast(text.reversed().prefix { $0 == " " }.count))
            }
            if cells == [""] { continue }
            defer { isFirst = false }
            if isFirst, cells == ["device", "time", "x", "y"] { continue }
            guard cells.count == 4, let time = Double(decimal: cells[1]), let x = Double(decimal: cells[2]),
                let y = Double(decimal: cells[3]),
                [time, x, y].allSatisfy({ $0.magnitude <= 2_000_000 })
            else {
                let start = text.beginning(60).shown
                throw InvalidText("line \(line + 1): \(start) is no device,time,x,y with seconds and metres")
            }
            let number = numbers[cells[0]] ?? ways.count
            if number == ways.count { ways.append([]) }
            numbers[cells[0]] = number
            guard ways[number].last.map({ $0.time < time }) ?? true else {
                throw InvalidText("line \(line + 1): the times of device \(cells[0].beginning(60).shown) do not rise")
            }
            ways[number].append(Point(time: time, x: x, y: y))
        }
        if ways.isEmpty { throw InvalidText("there is no place in it; lines are device,time,x,y") }
        var digest = TraceDigest()
        for way in ways {
            digest.absorb(way.count)
            for number in way.flatMap({ [$0.time, $0.x, $0.y] }) { digest.absorb(number.bitPattern) }
        }
        self.digest = digest.description
    }
}
