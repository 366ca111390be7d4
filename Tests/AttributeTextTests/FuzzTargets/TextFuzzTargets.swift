import BluethroatAttributeText
import BluethroatBluetoothValues
import FuzzInputs

@testable import BluethroatByteCoding

/// What strangers have in their attributes and advertise, in words: whatever it is, the words are one line that can be
/// printed, and not much longer than what they are about.
enum TextFuzzTargets {
    static let all = [values, presentedValues, broadcasts]

    /// Values of attributes. The first two bytes are the UUID, least significant first; zeros are none.
    static let values = FuzzTarget(decoder: "att-texts", upTo: 130) { bytes in
        guard bytes.count >= 2 else { return }
        let number = UInt16(bytes[0]) | UInt16(bytes[1]) << 8, value = Array(bytes.dropFirst(2))
        if let text = DecodedValue.text(of: value, uuid: number == 0 ? nil : BluetoothUUID(number)) {
            check(text, about: value.count, bytes)
        }
        if let text = DecodedValue.plainText(value) {
            let count = text.utf8.count
            hold(
                count > 0 && value.starts(with: text.utf8) && value[count...].allSatisfy { $0 == 0 },
                "\(value.hex) is no \(text)"
            )
        }
        let name = String(decoding: value, as: UTF8.self), harmless = DecodedValue.harmless(name)
        check(harmless, about: value.count, bytes)
        hold(harmless.unicodeScalars.count == name.unicodeScalars.count, "\(value.hex) has lost characters")
        hold(harmless == name || name.firstUnshown != nil, "\(value.hex) is changed without need")
        hold(DecodedValue.harmless(harmless) == harmless, "\(value.hex) is not harmless at once")
    }

    /// Values whose format a descriptor says, which is the first seven bytes.
    static let presentedValues = FuzzTarget(decoder: "att-presented-values", upTo: 70) { bytes in
        guard bytes.count >= 7, let presented = PresentedValue(format: Array(bytes.prefix(7))) else { return }
        let value = Array(bytes.dropFirst(7)), text = presented.text(of: value), number = presented.number(of: value)
        if let text { check(text, about: value.count, bytes) }
        guard let number else { return }
        hold(number.isFinite, "\(bytes.hex) is the number \(number)")
        let word = text?.split(separator: " ", maxSplits: 1).first
        hold(word.flatMap { Double($0) } == number, "\(bytes.hex) is \(text ?? "nothing") and \(number)")
    }

    /// Data of an advertisement: the messages that many know.
    static let broadcasts = FuzzTarget(decoder: "air-broadcasts", upTo: 260) { bytes in
        let data = AdvertisingData(lenient: bytes)
        let messages = BroadcastMessage.all(in: data)
        hold(messages == data.structures.flatMap { BroadcastMessage.all(in: $0) }, "\(bytes.hex) is another as a whole")
        hold(messages.reduce(0) { $0 + $1.bytes.count + 1 } <= bytes.count, "\(bytes.hex) has more messages than bytes")
        for message in messages {
            hold(!message.name.isEmpty && message.text.hasPrefix(message.name), "\(bytes.hex) has \(message.text)")
            hold(!message.isMalformed || message.fields.isEmpty, "\(message) is malformed and says something")
            // The overflow area is said bit by bit.
            check(message.text, about: 8 * message.bytes.count, bytes)
            for field in message.fields {
                check(field.valueText, about: 8 * message.bytes.count, bytes)
                if case .text = field.value { continue }
                hold(Double(field.valueText) != nil, "\(field.name) of \(bytes.hex) is \(field.valueText)")
            }
        }
    }

    private static func check(_ text: String, about count: Int, _ bytes: [UInt8]) {
        hold(text.firstUnshown == nil, "\(bytes.hex): \(text.firstUnshown ?? "") cannot be printed")
        hold(text.utf8.count <= 4 * count + 200, "\(bytes.hex) has a text of \(text.utf8.count) bytes")
    }
}
