public import Foundation

extension Data {
    /// Two digits a byte, in lower case.
    public func hexStringValue() -> String {
        reduce(into: "") { text, byte in text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    }
}

extension String {
    /// The bytes that pairs of digits stand for, in either case; a pair with anything else in it stands for 0. A digit
    /// without a partner at the end is dropped.
    public func dataFromHexString() -> Data {
        let digits = map { $0.isASCII ? $0.hexDigitValue : nil }
        return Data(
            stride(from: 0, to: digits.count - 1, by: 2).map { index in
                guard let high = digits[index], let low = digits[index + 1] else { return 0 }
                return UInt8(high << 4 | low)
            }
        )
    }
}
