import BluethroatVirtualTime
import Testing

@Suite("Trace digest")
struct TraceDigestTests {
    private func digest(ofNumbers numbers: [Int]) -> String {
        var digest = TraceDigest()
        for number in numbers { digest.absorb(number) }
        return digest.description
    }

    private func digest(ofPieces pieces: [[UInt8]]) -> String {
        var digest = TraceDigest()
        for piece in pieces { digest.absorb(piece) }
        return digest.description
    }

    /// Computed by a program of its own, in another language. Recorded digests mean nothing if these change.
    @Test("Digests have known answers")
    func knownAnswers() {
        #expect(TraceDigest().description == "6a09e667f3bcc908")
        #expect(digest(ofNumbers: [1, 2, 3]) == "2c6285a6bb414d62")
        #expect(digest(ofPieces: [[]]) == "98c341cba49ab11b")
        #expect(digest(ofPieces: [(0..<13).map { UInt8($0) }]) == "ccd904db61f55fb5")
        #expect(digest(ofNumbers: [-1]) == "e19c2362d4d45bd7")
    }

    @Test("The order counts, and where bytes are cut into pieces")
    func order() {
        #expect(digest(ofNumbers: [1, 2]) != digest(ofNumbers: [2, 1]))
        #expect(digest(ofPieces: [[1, 2, 3, 4]]) != digest(ofPieces: [[1, 2], [3, 4]]))
    }

    @Test("Each bit of the bytes counts, whatever their number", arguments: 1...17)
    func everyBit(count: Int) {
        let bytes = [UInt8](repeating: 0, count: count)
        var seen: Set = [digest(ofPieces: [bytes])]
        for place in 0..<count * 8 {
            var flipped = bytes
            flipped[place / 8] ^= 1 << UInt8(place % 8)
            seen.insert(digest(ofPieces: [flipped]))
        }
        seen.insert(digest(ofPieces: [bytes + [0]]))
        #expect(seen.count == count * 8 + 2)
    }

    @Test("It prints sixteen digits, leading zeros included")
    func digits() {
        var digest = TraceDigest()
        for number in 0..<2_000 {
            digest.absorb(number)
            #expect(digest.description.count == 16)
        }
    }
}
