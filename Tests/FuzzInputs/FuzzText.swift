extension FuzzInput {
    /// Bytes that are almost sentences of a text protocol: words of it in any order, changed, repeated and with other
    /// bytes between them, as long as there is input. Not for a stream, which has no end.
    public mutating func sentences(of words: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        while !isEmpty {
            let choice = index(words.count + 6)
            if choice < words.count {
                bytes += Array(words[choice].utf8)
            } else if choice == words.count {
                bytes += [UInt8](repeating: byte(), count: 1 << (4 + index(9)))
            } else if choice < words.count + 3 {
                bytes = mutate(bytes)
            } else {
                bytes += self.bytes(1 + index(12))
            }
        }
        return bytes
    }

    /// Four sizes of the fragments that a connection may bring its bytes in, from 1 to 64 bytes each.
    public mutating func fragmentSizes() -> [Int] { (0..<4).map { _ in 1 + index(64) } }
}

extension [UInt8] {
    /// Fragments of these sizes, over and over; longer ones where there would be very many of them.
    public func fragments(_ sizes: [Int]) -> [[UInt8]] {
        var (rest, fragments) = (self[...], [[UInt8]]())
        while !rest.isEmpty {
            // Many small fragments of a long text show no more than few.
            let size = Swift.max(sizes[fragments.count % sizes.count], count / 64)
            fragments.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return fragments
    }
}
