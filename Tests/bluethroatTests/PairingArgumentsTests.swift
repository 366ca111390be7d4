import ArgumentParser
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatCentral
import BluethroatHCITransports
import BluethroatHost
import BluethroatKeyFob
import Testing

@testable import bluethroat

@Suite("What can be written on the command line about pairing")
struct PairingArgumentsTests {
    @Test("pair, plain: whatever the device can, safe if possible, nothing kept")
    func plain() throws {
        let pair = try #require(try Bluethroat.parseAsRoot(["pair", "Keyfobdemo"]) as? Pair)
        let settings = pair.pairing.settings
        #expect(pair.target.device == .name("Keyfobdemo"))
        #expect(settings.inputOutput == .keyboardDisplay)
        #expect(settings.protection == .wanted)
        #expect(settings.secureConnections == .preferred)
        #expect(!settings.bonding)
        #expect((settings.minimumKeySize, settings.maximumKeySize) == (7, 16))
        #expect(settings.passkey == .fresh)
    }

    @Test("Each flag is a setting")
    func settings() throws {
        func settings(_ arguments: String...) throws -> PairingSettings {
            try Pair.parse(["fob"] + arguments).pairing.settings
        }
        #expect(try settings("--io", "display-yes-no").inputOutput == .displayYesNo)
        #expect(try settings("--io", "keyboard-only").inputOutput == .keyboardOnly)
        #expect(try settings("--io", "display-only").inputOutput == .displayOnly)
        #expect(try settings("--io", "none").inputOutput == .noInputNoOutput)
        #expect(try settings("--io", "none").protection == .notWanted)
        #expect(try settings("--io", "none", "--oob", "file").protection == .wanted)
        #expect(try settings("--mitm").protection == .required)
        #expect(try settings("--legacy").secureConnections == .never)
        #expect(try settings("--bond").bonding)
        #expect(try settings("--minimum-key-size", "12").minimumKeySize == 12)
        #expect(try settings("--maximum-key-size", "8").maximumKeySize == 8)
        #expect(try settings("--passkey", "4711").passkey == .fixed(#require(Passkey(4711))))
        let only = try settings("--sc-only")
        #expect(only.secureConnections == .only && only.protection == .required)
        #expect((only.minimumKeySize, only.maximumKeySize) == (16, 16))
    }

    @Test("A fob can be told to demand more of a pairing than TI's does")
    func fobDemands() throws {
        func pairing(_ arguments: String...) throws -> KeyFobPairing {
            try KeyFobCommand.parse(arguments).pairing.pairing
        }
        #expect(try pairing() == KeyFobPairing())
        #expect(try pairing("--minimum-key-size", "12").minimumKeySize == 12)
        #expect(try pairing("--sc-only").demandsSecureConnections)
        for arguments in [
            ["--minimum-key-size", "6"], ["--minimum-key-size", "17"], ["--personality", "phone", "--sc-only"],
            ["--personality", "phone", "--minimum-key-size", "16"],
        ] {
            let error = #expect(throws: (any Error).self) { try KeyFobCommand.parse(arguments) }
            #expect(error.map { KeyFobCommand.exitCode(for: $0) } == .validationFailure)
        }
    }

    @Test(
        "Settings that the host would not take are refused here",
        arguments: [
            ["--legacy", "--sc-only"], ["--sc-only", "--io", "none"], ["--mitm", "--io", "none"],
            ["--passkey", "1000000"], ["--passkey", ""], ["--passkey", "-1"], ["--passkey", "0", "--io", "none"],
            ["--minimum-key-size", "6"], ["--maximum-key-size", "17"], ["--maximum-key-size", "0"],
            ["--minimum-key-size", "16", "--maximum-key-size", "15"], ["--sc-only", "--maximum-key-size", "15"],
            ["--io", "telepathy"], ["--bonds", ""],
        ]
    )
    func refused(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Pair.parse(["fob"] + arguments) }
        #expect(error.map { Pair.exitCode(for: $0) } == .validationFailure)
    }

    @Test("keyfob: TI's settings, unless somebody says otherwise")
    func keyFob() throws {
        let plain = try KeyFobCommand.parse([])
        #expect(plain.pairing.pairing == KeyFobPairing())
        let strict = try KeyFobCommand.parse(["--require-pairing", "--passkey", "123456", "--bonds", "file"])
        #expect(strict.pairing.pairing.demand == .encryption)
        #expect(strict.pairing.pairing.passkey == 123_456)
        #expect(strict.bonds.bonds == "file")
        let stricter = try KeyFobCommand.parse([
            "--require-pairing", "--require-authentication", "--secure-connections",
        ])
        #expect(stricter.pairing.pairing.demand == .authentication)
        #expect(stricter.pairing.pairing.usesSecureConnections)
    }

    @Test("The HCI port is open to other machines only if somebody says so")
    func exposure() throws {
        for address in ["0.0.0.0:1", "[::]:1", "192.168.0.1:1", "fob.local:1", "127.0.0.1.example.org:1", "127.1:1"] {
            #expect(throws: (any Error).self, "\(address)") { try KeyFobCommand.parse(["--hci-listen", address]) }
            _ = try KeyFobCommand.parse(["--hci-listen", address, "--expose-hci"])
        }
        for address in ["127.0.0.1:1", "127.255.0.9:1", "[::1]:1", "localhost:1", ":1"] {
            _ = try KeyFobCommand.parse(["--hci-listen", address])
        }
    }

    @Test("bonds")
    func bonds() throws {
        #expect(try Bluethroat.parseAsRoot(["bonds", "list", "--json"]) is ListBonds)
        let remove = try #require(try Bluethroat.parseAsRoot(["bonds", "remove", "Keyfobdemo"]) as? RemoveBonds)
        #expect(remove.device == .name("Keyfobdemo"))
        for wrong in [["remove"], ["remove", "fob", "--all"], ["export", "--keys"], ["lend"]] {
            #expect(throws: (any Error).self) { try Bluethroat.parseAsRoot(["bonds"] + wrong) }
        }
    }

    @Test("What is advised can be pasted into a shell")
    func advice() throws {
        let plain = try Read.parse(["fob", "2A19"]).central
        #expect(plain.pairingAdvice(for: "Keyfobdemo") == "bluethroat pair Keyfobdemo --bond")
        let other = try Read.parse(["fob", "2A19", "--hci", "tcp:127.0.0.1:9", "--bonds", "my bonds"]).central
        #expect(
            other.pairingAdvice(for: "Bird's fob; rm")
                == #"bluethroat pair 'Bird'\''s fob; rm' --bond --hci tcp:127.0.0.1:9 --bonds 'my bonds'"#
        )
    }
}
