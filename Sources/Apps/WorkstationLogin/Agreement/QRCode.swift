/// A QR code of version 1 to 3 and level M, with text in byte mode. ISO/IEC 18004:2015.
public struct QRCode: Equatable, Sendable {
    /// Bytes of text that version 3 has room for.
    public static let maximumLength = 42
    /// Light modules that belong around it.
    public static let quietZone = 4

    /// Modules in a row and rows: 21, 25 or 29.
    public let size: Int
    /// The mask that was chosen, 0 to 7.
    let mask: Int
    private var modules: [Bool]

    /// The smallest version with room for the text; nil if it is longer than 42 bytes.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let version = Version.all.first(where: { bytes.count <= $0.dataCount - 2 }) else { return nil }
        let data = version.codewords(bytes)
        var canvas = Canvas(size: version.size)
        canvas.drawFunctionPatterns(hasAlignment: version.size > 21)
        canvas.place(data + ReedSolomon.remainder(of: data, count: version.correctionCount))
        // The first of those with the least penalty.
        let masked = (0..<8).map { canvas.masked($0) }
        mask = masked.indices.min { masked[$0].penalty < masked[$1].penalty }!
        size = version.size
        modules = masked[mask].modules
    }

    /// Whether a module is dark; those outside are light.
    public subscript(column: Int, row: Int) -> Bool {
        guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
        return modules[row * size + column]
    }

    /// For a terminal with light letters on a dark ground: two rows in a line, light modules as blocks, with the quiet zone.
    public var halfBlocks: String {
        let span = -Self.quietZone..<size + Self.quietZone
        return stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
            let line = span.map { column in
                switch (self[column, row], row + 1 < span.upperBound ? self[column, row + 1] : true) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }
            return line.joined()
        }.joined(separator: "\n")
    }

    /// What an SVG path draws, one module a unit, without the quiet zone.
    public var svgPath: String {
        modules.indices.filter { modules[$0] }.map { "M\($0 % size) \($0 / size)h1v1h-1z" }.joined()
    }

    /// An SVG image, with the quiet zone.
    public var svg: String {
        let (zone, side) = (Self.quietZone, size + 2 * Self.quietZone)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="-\(zone) -\(zone) \(side) \(side)" shape-rendering="crispEdges">\
            <rect x="-\(zone)" y="-\(zone)" width="\(side)" height="\(side)" fill="#fff"/><path d="\(svgPath)"/></svg>
            """
    }
}

extension QRCode {
    private struct Version {
        let size: Int
        let dataCount: Int
        let correctionCount: Int

        /// Versions 1 to 3 at level M have one block each. Table 9.
        static let all = [
            Version(size: 21, dataCount: 16, correctionCount: 10),
            Version(size: 25, dataCount: 28, correctionCount: 16),
            Version(size: 29, dataCount: 44, correctionCount: 26),
        ]

        /// Byte mode (0100), the count in 8 bits, the bytes, the terminator (0000), and padding. 7.4.
        func codewords(_ bytes: [UInt8]) -> [UInt8] {
            let count = UInt8(bytes.count)
            var nibbles: [UInt8] = [0x4, count >> 4, count & 15]
            for byte in bytes { nibbles += [byte >> 4, byte & 15] }
            nibbles.append(0)
            var words = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
            for number in 0..<dataCount - words.count { words.append(number.isMultiple(of: 2) ? 0xEC : 0x11) }
            return words
        }
    }

    /// Error correction over GF(256) with the polynomial 0x11D. 7.5.
    enum ReedSolomon {
        static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
            var generator = [UInt8](repeating: 0, count: count - 1) + [1]
            var root: UInt8 = 1
            for _ in 0..<count {
                for index in 0..<count {
                    generator[index] = product(generator[index], root)
                    if index + 1 < count { generator[index] ^= generator[index + 1] }
                }
                root = product(root, 2)
            }
            var rest = [UInt8](repeating: 0, count: count)
            for byte in data {
                let factor = byte ^ rest.removeFirst()
                rest.append(0)
                for index in 0..<count { rest[index] ^= product(generator[index], factor) }
            }
            return rest
        }

        private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
            var sum: UInt16 = 0
            for bit in (0..<8).reversed() {
                sum = sum << 1 ^ (sum >> 7 & 1) * 0x11D
                if right >> bit & 1 == 1 { sum ^= UInt16(left) }
            }
            return UInt8(sum)
        }
    }

    private struct Canvas {
        let size: Int
        var modules: [Bool]
        /// Which of them hold no data.
        var isFunction: [Bool]

        init(size: Int) {
            self.size = size
            modules = Array(repeating: false, count: size * size)
            isFunction = modules
        }

        private mutating func set(_ column: Int, _ row: Int, _ isDark: Bool) {
            guard (0..<size).contains(column), (0..<size).contains(row) else { return }
            modules[row * size + column] = isDark
            isFunction[row * size + column] = true
        }

        /// Finders with their separators, timing, alignment, and the place of the format. 6.3.
        mutating func drawFunctionPatterns(hasAlignment: Bool) {
            for index in 0..<size {
                set(6, index, index.isMultiple(of: 2))
                set(index, 6, index.isMultiple(of: 2))
            }
            for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] {
                for down in -4...4 {
                    for right in -4...4 {
                        let ring = max(abs(down), abs(right))
                        set(column + right, row + down, ring != 2 && ring != 4)
                    }
                }
            }
            if hasAlignment {
                for down in -2...2 {
                    for right in -2...2 { set(size - 7 + right, size - 7 + down, max(abs(down), abs(right)) != 1) }
                }
            }
            drawFormat(mask: 0)
        }

        /// Level M (00) and the mask, with 10 bits of error correction, twice; and the dark module. 7.9.
        mutating func drawFormat(mask: Int) {
            var rest = mask
            for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
            let bits = (mask << 10 | rest) ^ 0x5412
            let isDark = { (bit: Int) in bits >> bit & 1 == 1 }
            for bit in 0..<15 {
                switch bit {
                case 0...5: set(8, bit, isDark(bit))
                case 6: set(8, 7, isDark(bit))
                case 7: set(8, 8, isDark(bit))
                case 8: set(7, 8, isDark(bit))
                default: set(14 - bit, 8, isDark(bit))
                }
                if bit < 8 { set(size - 1 - bit, 8, isDark(bit)) } else { set(8, size - 15 + bit, isDark(bit)) }
            }
            set(8, size - 8, true)
        }

        /// In pairs of columns from the right, up and down in turn. 7.7.3.
        mutating func place(_ words: [UInt8]) {
            var bit = 0
            for (number, right) in (Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1]).enumerated() {
                for step in 0..<size {
                    let row = number.isMultiple(of: 2) ? size - 1 - step : step
                    for column in [right, right - 1] where !isFunction[row * size + column] {
                        if bit < words.count * 8 {
                            modules[row * size + column] = words[bit / 8] >> (7 - bit % 8) & 1 == 1
                        }
                        bit += 1
                    }
                }
            }
        }

        func masked(_ mask: Int) -> Canvas {
            var canvas = self
            canvas.drawFormat(mask: mask)
            for row in 0..<size {
                for column in 0..<size where !isFunction[row * size + column] && Self.inverts(mask, column, row) {
                    canvas.modules[row * size + column].toggle()
                }
            }
            return canvas
        }

        /// Table 10.
        private static func inverts(_ mask: Int, _ column: Int, _ row: Int) -> Bool {
            switch mask {
            case 0: (row + column) % 2 == 0
            case 1: row % 2 == 0
            case 2: column % 3 == 0
            case 3: (row + column) % 3 == 0
            case 4: (row / 2 + column / 3) % 2 == 0
            case 5: row * column % 2 + row * column % 3 == 0
            case 6: (row * column % 2 + row * column % 3) % 2 == 0
            default: ((row + column) % 2 + row * column % 3) % 2 == 0
            }
        }

        /// How hard it is to read. 7.8.3.
        var penalty: Int {
            var sum = 0
            for line in 0..<size {
                let row: [Bool] = (0..<size).map { modules[line * size + $0] }
                let column: [Bool] = (0..<size).map { modules[$0 * size + line] }
                sum += Self.penalty(of: row) + Self.penalty(of: column)
            }
            for row in 0..<size - 1 {
                for column in 0..<size - 1 {
                    let at = row * size + column
                    let block = [modules[at], modules[at + 1], modules[at + size], modules[at + size + 1]]
                    if Set(block).count == 1 { sum += 3 }
                }
            }
            let dark = modules.count { $0 }, total = size * size
            return sum + abs(dark * 20 - total * 10) / total * 10
        }

        private static let likeFinder: [[Bool]] = {
            let finder = [true, false, true, true, true, false, true], light = [false, false, false, false]
            return [finder + light, light + finder]
        }()

        /// Runs of five and more, and what looks like a finder.
        private static func penalty(of line: [Bool]) -> Int {
            var sum = 0, run = 0
            for (index, module) in line.enumerated() {
                run = index > 0 && line[index - 1] == module ? run + 1 : 1
                if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
            }
            for start in 0...line.count - 11 where likeFinder.contains(Array(line[start..<start + 11])) { sum += 40 }
            return sum
        }
    }
}
