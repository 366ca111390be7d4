import BluethroatPeripheralFutures
import Foundation

// Values of each form that characteristics may have.

struct OneNumber: RawDeserializable {
    static let uuid = "FFE1"
    let rawValue: UInt8

    init?(rawValue: UInt8) { self.rawValue = rawValue }
}

struct SomeNumbers: RawArrayDeserializable {
    static let uuid = "FFE1"
    static let size = 2
    let rawValue: [UInt8]

    init?(rawValue: [UInt8]) { self.rawValue = rawValue }
}

struct TwoNumbers: RawPairDeserializable {
    static let uuid = "FFE1"
    let rawValue1: UInt8
    let rawValue2: UInt16

    init?(rawValue1: UInt8, rawValue2: UInt16) {
        self.rawValue1 = rawValue1
        self.rawValue2 = rawValue2
    }
}

struct TwoLists: RawArrayPairDeserializable {
    static let uuid = "FFE1"
    static let size1 = 1
    static let size2 = 2
    let rawValue1: [UInt8]
    let rawValue2: [UInt16]

    init?(rawValue1: [UInt8], rawValue2: [UInt16]) {
        self.rawValue1 = rawValue1
        self.rawValue2 = rawValue2
    }
}
