/// The binary BCH code of length 127 with 43 bits of data and distance 29: any fourteen wrong bits are found and put right.
///
/// A word is a polynomial over the field of two elements, its bit `n` the coefficient of xⁿ. It is a code word if it is
/// zero at α, α², … α²⁸, where α is a root of x⁷ + x³ + 1. Named after Bose, Ray-Chaudhuri and Hocquenghem; decoded as by
/// Berlekamp and Massey, with the search of Chien. Lin, Costello: Error Control Coding, chapter 6.
enum BCHCode {
    static let count = 127
    static let dataCount = 43
    static let correctable = 14
    private static let parityCount = count - dataCount

    /// 127 bits for 43, which are the highest ones.
    static func encode(_ data: [Bool]) -> [Bool] {
        precondition(data.count == dataCount, "the code is for \(dataCount) bits, not \(data.count)")
        var word = [Bool](repeating: false, count: parityCount) + data
        var rest = word
        for power in (parityCount..<count).reversed() where rest[power] {
            for place in generator.indices where generator[place] { rest[power - parityCount + place].toggle() }
        }
        word.replaceSubrange(..<parityCount, with: rest[..<parityCount])
        return word
    }

    /// The code word that differs from 127 bits in fourteen places at most; nil if there is none.
    static func decode(_ word: [Bool]) -> [Bool]? {
        precondition(word.count == count, "a code word has \(count) bits, not \(word.count)")
        var sum = SIMD4<UInt64>()
        for place in word.indices where word[place] { sum ^= inSyndromes[place] }
        guard let locator = locator(of: Array(bytes(of: sum).prefix(2 * correctable))) else { return nil }
        // Its roots are the inverses of α to the places that are wrong.
        let wrong = zip(word.indices, bytes(of: values(of: locator))).filter { $0.1 == 0 }.map(\.0)
        guard wrong.count == locator.count - 1 else { return nil }
        var corrected = word
        for place in wrong { corrected[place].toggle() }
        return corrected
    }

    /// The shortest recurrence that makes each syndrome of those before it, from the constant term on; nil if that takes more
    /// wrong places than can be put right.
    private static func locator(of syndromes: [UInt8]) -> [UInt8]? {
        var locator: [UInt8] = [1], length = 0
        // The locator before its length changed last, what it then got wrong, and how many syndromes ago.
        var old: [UInt8] = [1], oldError: UInt8 = 1, age = 1
        for (number, syndrome) in syndromes.enumerated() {
            let error = locator.indices.dropFirst().filter { $0 <= length }
                .reduce(syndrome) { $0 ^ Field.product(locator[$1], syndromes[number - $1]) }
            guard error != 0 else {
                age += 1
                continue
            }
            let before = locator, factor = Field.quotient(error, oldError)
            locator += [UInt8](repeating: 0, count: max(0, old.count + age - locator.count))
            for (power, coefficient) in old.enumerated() { locator[power + age] ^= Field.product(factor, coefficient) }
            if 2 * length <= number {
                (old, oldError, age) = (before, error, 1)
                length = number + 1 - length
            } else {
                age += 1
            }
        }
        while locator.last == 0 { locator.removeLast() }
        return length <= correctable && locator.count == length + 1 ? locator : nil
    }

    /// What a polynomial is at the inverse of α to each place, a byte each: a sum of rows, one for each bit that is set
    /// in a coefficient.
    private static func values(of polynomial: [UInt8]) -> SIMD16<UInt64> {
        var values = SIMD16<UInt64>()
        for (power, coefficient) in polynomial.enumerated() {
            for bit in 0..<7 where coefficient >> UInt8(bit) & 1 == 1 { values ^= atPlaces[7 * power + bit] }
        }
        return values
    }

    /// For each place, what a one there adds to the syndromes: a byte for each power from the first on, and four zeros.
    private static let inSyndromes: [SIMD4<UInt64>] = (0..<count).map { place in
        vector((0..<32).map { $0 < 2 * correctable ? Field.power(place * ($0 + 1)) : 0 })
    }

    /// For each power up to the highest of a locator, and each bit of a coefficient, their product at the inverse of α to
    /// each place, a byte each. There is no place 127, and what stands for it means nothing.
    private static let atPlaces: [SIMD16<UInt64>] = (0..<7 * (correctable + 1)).map { row in
        vector((0..<128).map { Field.power(row % 7 + row / 7 * (count - $0)) })
    }

    /// Eight bytes for each number, so that a vector adds up many elements of the field at once.
    private static func vector<Vector: SIMD<UInt64>>(_ bytes: [UInt8]) -> Vector {
        bytes.withUnsafeBytes { $0.loadUnaligned(as: Vector.self) }
    }

    private static func bytes(of vector: some SIMD<UInt64>) -> [UInt8] { withUnsafeBytes(of: vector) { Array($0) } }

    /// The product of the minimal polynomials of α, α², … α²⁸, of degree 84, from the constant term on.
    static let generator: [Bool] = {
        var product: [UInt8] = [1]
        var roots = [Bool](repeating: false, count: count)
        for first in 1...2 * correctable {
            var root = first
            while !roots[root] {
                roots[root] = true
                // Times (x + αʳ).
                let shifted = [0] + product, scaled = product.map { Field.product($0, Field.power(root)) } + [0]
                product = zip(shifted, scaled).map { $0 ^ $1 }
                root = 2 * root % count
            }
        }
        return product.map { $0 == 1 }
    }()
}

/// The field of 128 elements, by its powers of α.
private enum Field {
    private static let powers: [UInt8] = (1..<BCHCode.count).reduce(into: [1]) { powers, _ in
        let next = powers[powers.count - 1] << 1
        powers.append(next & 0x80 == 0 ? next : next ^ 0x89)
    }

    private static let logarithms: [Int] = powers.enumerated().reduce(into: Array(repeating: 0, count: 128)) {
        $0[Int($1.element)] = $1.offset
    }

    /// α to an exponent that is not negative.
    static func power(_ exponent: Int) -> UInt8 { powers[exponent % BCHCode.count] }

    static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        one == 0 || other == 0 ? 0 : power(logarithms[Int(one)] + logarithms[Int(other)])
    }

    /// The divisor is not zero.
    static func quotient(_ dividend: UInt8, _ divisor: UInt8) -> UInt8 {
        product(dividend, power(BCHCode.count - logarithms[Int(divisor)]))
    }
}
