import BluethroatBluetoothCrypto
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// Pairings of two security managers that allow keys of some lengths only, while something on the air rewrites what they say
/// about lengths and requirements (KNOB's form for LE).
enum FuzzedKeySizes {
    /// One pairing, in any way; neither side gets a key of a length that its settings exclude.
    static func pair(_ input: inout FuzzInput) throws {
        let limits = (0..<2).map { _ in sizes(&input) }
        let rewritten = (0..<2).map { _ in
            (size: input.index(3) == 0 ? input.byte() : nil, requirements: input.index(6) == 0 ? input.byte() : nil)
        }
        var pair = try Way.all[input.index(Way.all.count)].pair { settings in
            for end in 0..<2 {
                settings[end].minimumKeySize = limits[end].lowerBound
                settings[end].maximumKeySize = limits[end].upperBound
                if input.index(4) == 0 { settings[end].secureConnections = input.pick([.never, .preferred, .only]) }
            }
        }
        pair.mangle = { _, from, pdu in
            // Pairing Request and Pairing Response: Core 6.0, Vol 3, Part H, 3.5.1.
            guard pdu.count == 7, pdu[0] == 1 || pdu[0] == 2 else { return true }
            if let requirements = rewritten[from].requirements { pdu[3] = requirements }
            if let size = rewritten[from].size { pdu[4] = size }
            return true
        }
        try? pair.pair()
        pair.advance(by: .seconds(31))
        for end in 0..<2 {
            for result in pair.results(end) {
                for key in [result.linkKey, result.keyAsCentral, result.keyAsPeripheral].compactMap(\.self) {
                    hold(allows(limits[end], key.size), "\(key.size) bytes, where \(limits[end]) are allowed")
                    hold(isCut(key), "the key has more than its \(key.size) bytes")
                }
            }
        }
        // Of two that agree on nothing else, both know that.
        if let one = pair.results(0).first, let other = pair.results(1).first {
            hold(one.linkKey == other.linkKey, "each has another key")
        }
        pair.close()
        hold(pair.isClean, "something is left of a pairing")
    }

    /// Whether an end that allows these lengths takes such a key. LE Secure Connections only means 16 bytes.
    static func allows(_ limits: ClosedRange<Int>, _ size: Int) -> Bool { limits.contains(size) || size == 16 }

    /// Lengths that settings may allow.
    static func sizes(_ input: inout FuzzInput) -> ClosedRange<Int> {
        let least = 7 + input.index(10)
        return least...(least + input.index(17 - least))
    }

    /// Whether the bytes above the key's length are zero.
    private static func isCut(_ key: LongTermKey) -> Bool {
        guard key.size < 16 else { return true }
        let bits = key.size * 8
        return bits <= 64
            ? key.value.high == 0 && (bits == 64 || key.value.low >> UInt64(bits) == 0)
            : key.value.high >> UInt64(bits - 64) == 0
    }
}
