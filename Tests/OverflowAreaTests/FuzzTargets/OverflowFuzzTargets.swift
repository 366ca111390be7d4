import Foundation
import FuzzInputs

@testable import BluethroatOverflowArea

/// What is in the overflow area of phones nearby.
enum OverflowFuzzTargets {
    static let all = [advertisements, masks, binaries, codeWords]

    static let advertisements = FuzzTarget(decoder: "overflow-advertisements", upTo: 64) { bytes in
        guard let mask = OverflowMask(advertisement: bytes) else { return }
        guard let again = mask.advertisement else { return hold(mask.isEmpty, "a mask with bits is not advertised") }
        hold(OverflowMask(advertisement: again) == mask, "\(mask.binary) is advertised as another")
    }

    static let masks = FuzzTarget(decoder: "overflow-masks", upTo: 20) { bytes in
        for order in [OverflowMask.BitOrder.air, .app] {
            guard let mask = OverflowMask(bytes, order: order) else { continue }
            hold(Array(mask.bytes(order).prefix(bytes.count)) == bytes, "\(mask.binary) has other bytes")
            hold(OverflowMask(binary: mask.binary) == mask, "\(mask.binary) is another as text")
        }
    }

    static let binaries = FuzzTarget(decoder: "overflow-texts", upTo: 140) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let mask = OverflowMask(binary: text) else { return }
        hold(mask.binary.hasPrefix(text), "\(text) is written as \(mask.binary)")
    }

    /// A code word from a payload survives one wrong bit; any mask is read as a code word or as none.
    static let codeWords = FuzzTarget(decoder: "overflow-code-words", upTo: 24) { bytes in
        guard bytes.count >= 8 else { return }
        let start = 1 + Int(bytes[5]) % 81
        if let mask = OverflowMask(bytes.suffix(16), order: .air) {
            _ = HammingFrame.read(mask, matchingByte: bytes[4], start: start)
            _ = BCHFrame.read(mask, matchingByte: bytes[4])
        }
        guard let frame = HammingFrame(Array(bytes.prefix(4)), matchingByte: bytes[4], start: start) else { return }
        var mask = frame.mask
        hold(
            HammingFrame.read(mask, matchingByte: bytes[4], start: start).payload == frame.payload,
            "\(frame) is not read"
        )
        // One of the bits of the code; the last bit of all is no part of it.
        guard let bit = OverflowBit(index: start + Int(bytes[6]) % HammingCode.codeCount) else { return }
        if mask.contains(bit) { mask.remove(bit) } else { mask.insert(bit) }
        // All zeros but for the wrong bit say nothing.
        guard (frame.payload + [bytes[4]]).contains(where: { $0 != 0 }) else { return }
        hold(
            HammingFrame.read(mask, matchingByte: bytes[4], start: start).payload == frame.payload,
            "\(bit) is not put right"
        )
    }
}
