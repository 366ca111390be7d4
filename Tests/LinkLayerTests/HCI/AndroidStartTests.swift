import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// What Android sends when it starts, whether the controller names it as supported or not, and asserts on.
@Suite("Commands that hosts of dual mode controllers send")
struct AndroidStartTests {
    @Test("Read Local Name is answered with 248 octets, none of which is a name")
    func localName() throws {
        let bench = try Bench()
        guard case .commandComplete(let complete) = try bench.command(.readLocalName) else {
            Issue.record("no Command Complete")
            return
        }
        #expect(complete.returnParameters == [UInt8](repeating: 0, count: 249))
        #expect(try complete.returned(ReadLocalNameReturn.self).name.isEmpty)
    }

    @Test("Page 0 of the extended features is what Read Local Supported Features says, and there is no other")
    func extendedFeatures() throws {
        let bench = try Bench()
        guard case .commandComplete(let first) = try bench.command(.readLocalSupportedFeatures),
            case .commandComplete(let page) = try bench.command(
                .readLocalExtendedFeatures(ReadLocalExtendedFeatures(page: 0))
            ),
            case .commandComplete(let none) = try bench.command(
                .readLocalExtendedFeatures(ReadLocalExtendedFeatures(page: 1))
            )
        else {
            Issue.record("no Command Complete")
            return
        }
        let features = try first.returned(ReadLocalSupportedFeaturesReturn.self).features
        #expect(!features.contains(.extendedFeatures))
        #expect(
            try page.returned(ReadLocalExtendedFeaturesReturn.self)
                == ReadLocalExtendedFeaturesReturn(page: 0, maximumPage: 0, features: features.rawValue)
        )
        #expect(none.returnParameters == [0x12, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test("Simple Pairing Mode and LE Host Support can be written, on and off; other values are refused")
    func modes() throws {
        let bench = try Bench()
        for isOn in [true, false] {
            #expect(
                try bench.status(of: .writeSimplePairingMode(WriteSimplePairingMode(isEnabled: isOn))) == .success
            )
            #expect(try bench.status(of: .writeLEHostSupport(WriteLEHostSupport(isSupported: isOn))) == .success)
        }
        _ = bench.takePackets()
        bench.send([1, 0x56, 0x0C, 1, 2])
        bench.send([1, 0x6D, 0x0C, 2, 2, 0])
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x56, 0x0C, 0x12], [4, 0x0E, 4, 1, 0x6D, 0x0C, 0x12]])
    }

    @Test("A host that has sent them finds the controller as it was: it advertises under its address")
    func harmless() throws {
        let bench = try Bench()
        for command in [
            Command.readLocalName, .readLocalExtendedFeatures(ReadLocalExtendedFeatures(page: 0)),
            .writeSimplePairingMode(WriteSimplePairingMode(isEnabled: true)),
            .writeLEHostSupport(WriteLEHostSupport(isSupported: true)),
        ] {
            #expect(try bench.status(of: command) == .success, "\(command.opcode)")
        }
        bench.run(for: .seconds(1))
        #expect(bench.takeFrames().isEmpty)
        #expect(
            try bench.status(of: .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true))) == .success
        )
        bench.run(for: .seconds(2))
        #expect(!bench.takeFrames().isEmpty)
    }
}
