import BluethroatBluetoothValues
import BluethroatCentral
import Testing

@Suite("Values to be written, as a command line has them")
struct AttributeAssignmentTests {
    @Test("An attribute, an equals sign, and hexadecimal digits")
    func readable() throws {
        let enable = try AttributeAssignment(parsing: "FFA1=01")
        #expect(enable.path == .characteristic(0xFFA1, service: nil) && enable.bytes == [1])
        let alert = try AttributeAssignment(parsing: "1802/2A06=0a 0B")
        #expect(alert.path == .characteristic(0x2A06, service: 0x1802) && alert.bytes == [0x0A, 0x0B])
        #expect(try AttributeAssignment(parsing: "0x0034=").bytes == [])
    }

    @Test("Anything else is refused in one line that says how to write it")
    func unreadable() {
        for (text, hint) in [("FFA1", "FFA1=01"), ("=01", "2A19"), ("FFA1=1", "two digits"), ("zz=01", "2A19")] {
            let error = #expect(throws: (any Error).self) { _ = try AttributeAssignment(parsing: text) }
            #expect(error.map { "\($0)" }?.contains(hint) == true, "\(text): \(String(describing: error))")
        }
    }
}
