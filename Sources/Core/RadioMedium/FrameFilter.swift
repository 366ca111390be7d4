/// What a frame has to have for a radio to take notice of it: one of some types, and an address in its place.
package struct FrameFilter: Sendable {
    private let header: Int
    /// Bit n is for type n.
    private let types: UInt16
    private let offset: Int
    private let address: UInt64

    /// - Parameters:
    ///   - types: where the byte is in the frame, access address included, whose low four bits are the type, and which are
    ///     meant: bit n is for type n.
    ///   - address: where its six bytes are, and its 48 bits, the lowest byte first.
    package init(types: (offset: Int, set: UInt16), address: (offset: Int, value: UInt64)) {
        header = types.offset
        self.types = types.set
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
