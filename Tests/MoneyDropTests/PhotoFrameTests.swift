import BluethroatMoneyTerms
import Foundation
import Testing

@testable import BluethroatMoneyDrop

@Suite("Frames on the channel of a photo")
struct PhotoFrameTests {
    private static let digest = Data((0..<32).map { UInt8($0) })

    private let frames: [PhotoFrame] = [
        .request(digest: digest, offset: 7), .photo(length: 100, offset: 100, digest: digest),
        .refusal(.otherPhoto), .refusal(.beyondEnd), .refusal(.busy), .result(isIntact: true), .result(isIntact: false),
    ]

    @Test("Each frame is read as it was written; cut off or with bytes behind it is none")
    func roundTrip() throws {
        for frame in frames {
            let bytes = frame.bytes
            #expect(try PhotoFrame(bytes) == frame)
            #expect(try PhotoFrame.length(of: bytes) == bytes.count)
            for length in 0..<bytes.count { #expect(throws: TermsError.self) { try PhotoFrame(bytes.prefix(length)) } }
            #expect(throws: TermsError.self) { try PhotoFrame(bytes + [0]) }
        }
    }

    @Test("A result is 0 or 1, and a refusal 1 to 3: every other byte is refused")
    func values() {
        for byte in UInt8.min...UInt8.max {
            #expect(((try? PhotoFrame(Data([1, 4, byte]))) != nil) == (byte <= 1), "result \(byte)")
            #expect(((try? PhotoFrame(Data([1, 3, byte]))) != nil) == (1...3).contains(byte), "refusal \(byte)")
        }
    }

    @Test("A frame has one encoding: with any byte changed to any value it is refused, or written as it was read")
    func canonical() {
        for frame in frames {
            for index in frame.bytes.indices {
                for byte in UInt8.min...UInt8.max {
                    var bytes = frame.bytes
                    bytes[index] = byte
                    if let read = try? PhotoFrame(bytes) { #expect(read.bytes == bytes) }
                }
            }
        }
    }

    @Test("A photo that begins behind its end is none, however long it says it is")
    func offsets() throws {
        for (length, offset) in [(0, 1), (100, 101), (0, .max)] as [(UInt64, UInt64)] {
            let frame = PhotoFrame.photo(length: length, offset: offset, digest: Self.digest)
            #expect(throws: TermsError.malformed("it begins behind its end")) { try PhotoFrame(frame.bytes) }
        }
        let all = PhotoFrame.photo(length: .max, offset: .max, digest: Self.digest)
        #expect(try PhotoFrame(all.bytes) == all)
    }
}
