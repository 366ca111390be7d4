import BluethroatByteCoding
package import BluethroatEvents
import BluethroatKeyFobConsole
package import BluethroatOverflowArea
import CoreBluetooth

/// A mask, for people and for programs.
package enum OverflowText {
    package static func lines(_ mask: OverflowMask) -> [String] {
        var lines = [
            "on the air     \(mask.hexadecimal(.air))", "for apps       \(mask.hexadecimal(.app))",
            "advertisement  \(mask.advertisement?.hex.uppercased() ?? "none: a mask without bits cannot be sent")",
        ]
        lines += mask.bits.map { bit in
            let value = String(bit.byteOnAir, radix: 16, uppercase: true)
            return
                "bit \(padded(bit.index, 3))  byte \(padded(bit.byte, 2)) value \(value.count < 2 ? "0" : "")\(value)"
                + "  checksum \(padded(bit.number, 3))  \(bit.service.uuidString)"
        }
        if mask.contains(.watchSetup) {
            lines.append(
                "bit 69 is the one with which an Apple Watch asks to be set up: iPhones nearby will show it"
            )
        }
        return lines
    }

    package static func object(_ event: String, _ mask: OverflowMask, _ title: String? = nil) -> JSONLine {
        var line = JSONLine(event: event)
        if let title { line.add("title", title) }
        line.add("air", mask.bytes(.air).hex)
        line.add("app", mask.bytes(.app).hex)
        line.add("binary", mask.binary)
        if let advertisement = mask.advertisement { line.add("advertisement", advertisement.hex) }
        line.add("disturbsWatches", mask.contains(.watchSetup))
        line.add(
            "bits",
            mask.bits.map { bit in
                var object = JSONLine()
                object.add("index", bit.index)
                object.add("checksum", bit.number)
                object.add("byte", bit.byte)
                object.add("value", [bit.byteOnAir].hex)
                object.add("uuid", bit.service.uuidString)
                return object
            }
        )
        return line
    }

    /// A mask, and what may be payloads in it.
    package static func object(_ mask: OverflowMask, _ found: [OverflowFrame.Found]) -> JSONLine {
        var line = object("mask", mask)
        line.add(
            "payloads",
            found.map { payload in
                var object = JSONLine()
                object.add("mode", payload.mode.rawValue)
                if let position = payload.position { object.add("position", position) }
                object.add("payload", payload.bytes.hex)
                object.add("confidence", decimal: ConfidenceText.json(payload.confidence))
                return object
            }
        )
        return line
    }

    /// What `decode` prints of several masks of a phone: the last one, and what may be payloads in it.
    package static func decoded(_ masks: [OverflowMask], _ found: [OverflowFrame.Found], json: Bool) -> [String] {
        guard let mask = masks.last else { return [] }
        return json ? [object(mask, found).text] : lines(mask) + found.flatMap(\.lines)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: " ", count: max(0, width - digits.count)) + digits
    }
}
