import ArgumentParser
import BluethroatCentral
import BluethroatHost
import Testing

@testable import bluethroat

@Suite("l2cap")
struct ChannelArgumentsTests {
    @Test("l2cap listen and connect")
    func arguments() throws {
        let listen = try L2CAPCommand.Listen.parse(["--name", "Printer", "--psm", "0x25", "--no-input", "--json"])
        #expect(listen.name == "Printer" && listen.psm?.rawValue == 0x25)
        #expect(listen.terms.hasNoInput && listen.central.json)
        let connect = try L2CAPCommand.Connect.parse(["Printer", "--psm", "128", "--mtu", "512", "--credits", "9"])
        #expect(connect.psm.rawValue == 0x80 && connect.target.device == .name("Printer"))
        #expect(connect.terms.options.mtu == 512 && connect.terms.options.window == 9)
        #expect(connect.terms.options.mps == 1_502 && connect.terms.options.crediting == .whenConsumed)
        for psm in ["0", "0x100", "x", "-1", "0x", ""] {
            #expect(throws: (any Error).self) { try L2CAPCommand.Connect.parse(["Printer", "--psm", psm]) }
        }
    }
}
