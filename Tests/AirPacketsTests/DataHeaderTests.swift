import BluethroatAirPackets
import Testing

@Suite("Data headers")
struct DataHeaderTests {
    @Test("Each field has its own bits")
    func bits() {
        #expect(DataHeader(.start).rawValue == 0x0002)
        #expect(DataHeader(.control, length: 0x1B).rawValue == 0x1B03)
        #expect(DataHeader(.continuation, nextExpectedSequenceNumber: true).rawValue == 0x0005)
        #expect(DataHeader(.continuation, sequenceNumber: true).rawValue == 0x0009)
        #expect(DataHeader(.continuation, moreData: true).rawValue == 0x0011)
        #expect(DataHeader(rawValue: 0x0020).hasCTEInfo)
    }

    @Test("Setting one field leaves the others, from any beginning")
    func independence() {
        for raw in UInt16(0)...UInt16.max {
            var header = DataHeader(rawValue: raw)
            header.nextExpectedSequenceNumber.toggle()
            header.sequenceNumber.toggle()
            header.moreData.toggle()
            header.hasCTEInfo.toggle()
            if header.rawValue != raw ^ 0x3C { Issue.record("flags of \(raw)") }
            header.length = ~header.length
            header.logicalLink = .control
            if header.rawValue != (raw ^ 0xFF3C) | 3 { Issue.record("length and link of \(raw)") }
        }
    }

    @Test("All four LLIDs are read")
    func logicalLinks() {
        #expect(
            (UInt16(0)..<4).map { DataHeader(rawValue: $0).logicalLink } == [
                .reserved, .continuation, .start, .control,
            ]
        )
    }

    @Test("Only a continuation of length zero is the empty PDU, whatever its flags")
    func empty() {
        #expect(DataHeader(rawValue: 0x001D).isEmpty)
        #expect(!DataHeader(rawValue: 0x0002).isEmpty)
        #expect(!DataHeader(rawValue: 0x0003).isEmpty)
        #expect(!DataHeader(rawValue: 0x0101).isEmpty)
    }
}
