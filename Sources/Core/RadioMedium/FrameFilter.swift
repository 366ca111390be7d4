/// What a frame has to have for a radio to take notice of it: one of some types, and an address in its place.
package struct FrameFilter: Sendable {
    private let header: Int
    /// Bit n is for type n.
    private var types: UInt16 = 0
    private let offset: Int
    private let address: UInt64

    /// - Parameters:
    ///   - types: where the byte is in the frame, access address included, whose low four bits are the type, and which are
    ///     meant.
    ///   - address: where its six bytes are, and its 48 bits, the lowest byte first.
    package init(types: (offset: Int, numbers: [UInt8]), address: (offset: Int, value: UInt64)) {
        header = types.offset
        for number in types.numbers { self.types |= 1 << UInt16(number & 15) }
        offset = address.offset
        self.address = address.value
    }

    func admits(_ frame: [UInt8]) -> Bool {
        guard frame.count >= offset + 6, types & 1 << UInt16(frame[header] & 15) != 0 else { return false }
        for place in 0..<6 where frame[offset + place] != UInt8(truncatingIfNeeded: address >> UInt64(8 * place)) {
            return false
        }
        return true
    }
}
