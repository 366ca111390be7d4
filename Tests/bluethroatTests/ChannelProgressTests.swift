import ArgumentParser
import Host
import Testing
import VirtualTime

@testable import bluethroat

@Suite("l2cap")
struct ChannelProgressTests {
    @Test("A transfer of known length shows how much of it is done, and any other what went which way")
    func lines() {
        var file = ChannelProgress(total: 2_000_000, at: .zero, shows: false)
        #expect(file.line(at: .zero) == "[--------------------]   0 %  0 B of 2.0 MB, 0 B/s")
        file.add(sent: 600_000, at: .zero)
        #expect(file.line(at: .zero + .seconds(6)) == "[######--------------]  30 %  600.0 kB of 2.0 MB, 100.0 kB/s")
        file.add(sent: 1_400_000, at: .zero)
        #expect(file.line(at: .zero + .seconds(20)).hasPrefix("[####################] 100 %  2.0 MB"))
        var pipe = ChannelProgress(total: nil, at: .zero + .seconds(1), shows: false)
        pipe.add(sent: 512, received: 1_488, at: .zero)
        #expect(pipe.line(at: .zero + .seconds(3)) == "sent 512 B, received 1.4 kB, 1.0 kB/s")
        #expect(pipe.summary(at: .zero + .seconds(3)) == "sent 512 bytes, received 1488 bytes in 2.0 s (1.0 kB/s)")
    }

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
