import FuzzInputs

extension FuzzInput {
    /// Cuts a PDU off, adds to it, or changes some of its bytes; its length may become zero.
    mutating func damage(_ bytes: inout [UInt8]) {
        for _ in 0...next(below: 3) {
            let place = Int(next(below: UInt64(bytes.count + 1)))
            switch next(below: 5) {
            case 0: bytes.removeLast(min(bytes.count, place))
            case 1: bytes.append(contentsOf: self.bytes(Int(next(below: 30))))
            case 2 where place < bytes.count: bytes.remove(at: place)
            case 3 where place < bytes.count: bytes[place] ^= 1 << UInt8(next(below: 8))
            default: if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: next()) }
            }
        }
    }
}
