import BluethroatByteCoding
import Testing

@Suite("Writing bytes")
struct AppendTests {
    @Test("Fields and what follows them are the bytes that are appended one after the other", arguments: 1...8)
    func fieldsThenBytes(count: Int) {
        let value: UInt64 = 0x8877_6655_4433_2211
        for length in [0, 1, 7, 27, 251, 2_000] {
            let rest = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            var appended: [UInt8] = []
            appended.append(lowBytes: count, of: value)
            appended += rest
            #expect([UInt8](lowBytes: count, of: value, then: rest.span.bytes) == appended)
            #expect(appended.prefix(count) == [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88][..<count])
        }
        #expect([UInt8](lowBytes: count, of: value, then: RawSpan()).count == count)
    }

    @Test("Bytes that are written by a closure, on the stack or not", arguments: [0, 1, 16, 1_024, 5_000])
    func filled(count: Int) {
        let bytes = unsafe [UInt8](byteCount: count) { out in
            for place in 0..<count {
                unsafe out.storeBytes(of: UInt8(truncatingIfNeeded: place), toByteOffset: place, as: UInt8.self)
            }
        }
        #expect(bytes == (0..<count).map { UInt8(truncatingIfNeeded: $0) })
    }
}
