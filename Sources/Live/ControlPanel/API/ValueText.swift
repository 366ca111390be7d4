import BluethroatAttributeText
import BluethroatBluetoothValues
import BluethroatByteCoding

/// What can be drawn of a value: the numbers in it, where it is known how they are written, or where it is short.
enum DrawableValue {
    static func numbers(of bytes: [UInt8], uuid: BluetoothUUID?) -> [Double] {
        switch uuid?.short {
        case 0xFFA3, 0xFFA4, 0xFFA5, 0x2A07: signed(bytes, 1)
        case 0xFFAA: signed(bytes, 3)
        case 0x2A37: heartRate(bytes)
        case 0x2A6E: bytes.count == 2 ? [Double(Int16(truncatingIfNeeded: little(bytes))) / 100] : []
        case 0x2A6F: bytes.count == 2 ? [Double(little(bytes)) / 100] : []
        case .some(0x2A00), .some(0x2A23...0x2A2A), .some(0x2A50), .some(0x2901): []
        default: (1...4).contains(bytes.count) ? [Double(little(bytes))] : []
        }
    }

    private static func signed(_ bytes: [UInt8], _ count: Int) -> [Double] {
        bytes.count == count ? bytes.map { Double(Int8(bitPattern: $0)) } : []
    }

    private static func heartRate(_ bytes: [UInt8]) -> [Double] {
        guard let flags = bytes.first, bytes.count >= (flags & 1 == 0 ? 2 : 3) else { return [] }
        return [Double(flags & 1 == 0 ? Int(bytes[1]) : little(Array(bytes[1...2])))]
    }

    private static func little(_ bytes: [UInt8]) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
