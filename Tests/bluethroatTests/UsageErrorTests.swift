import ArgumentParser
import BluethroatEvents
import BluethroatHCITransports
import Testing

@testable import bluethroat

@Suite("What is said of a command line that cannot be understood")
struct UsageErrorTests {
    private func said(of arguments: [String]) -> String? {
        do {
            _ = try Bluethroat.parseCommand(arguments)
            return nil
        } catch {
            return UsageError.line(Bluethroat.message(for: error), of: Bluethroat.self, arguments)
        }
    }

    @Test(
        "It names the help of the very command",
        arguments: [
            (["scan", "--timeout", "soon"], "bluethroat scan"), (["bonds", "remove"], "bluethroat bonds remove"),
            (["l2cap", "listen", "--psm", "x"], "bluethroat l2cap listen"),
            (["overflow", "analyse", "--devices", "0"], "bluethroat overflow analyse"),
            (["--sideways"], "bluethroat"), (["overflow", "--sideways"], "bluethroat overflow"),
        ]
    )
    func help(arguments: [String], command: String) throws {
        let line = try #require(said(of: arguments))
        #expect(line.hasSuffix("; see \(command) --help") && !line.contains("\n"), "\(line)")
    }

    @Test(
        "So do those that need phones",
        arguments: [
            (["overflow", "demo", "--phones", "x"], "bluethroat overflow demo"),
            (["overflow", "demo", "--phones", "0"], "bluethroat overflow demo"),
            (["text", "serve", "--name", ""], "bluethroat text serve"),
            (["moneydrop", "send"], "bluethroat moneydrop send"),
            (["desk", "list-users", "--nothing"], "bluethroat desk list-users"),
            (["desk", "--id", "x"], "bluethroat desk run"), (["login", "--once"], "bluethroat login"),
        ]
    )
    func phones(arguments: [String], command: String) throws {
        let line = try #require(said(of: arguments))
        #expect(line.hasSuffix("; see \(command) --help"), "\(line)")
    }

    @Test(
        "A number that does not fit is said with its range; a negative one behind an option is its value",
        arguments: [
            (["--major", "70000", "--minor", "1"], "70000 is no whole number from 0 to 65535"),
            (["--major", "1", "--minor", "-1"], "-1 is no whole number from 0 to 65535"),
            (["--major", "1", "--minor", "2", "--power", "-129"], "-129 is no whole number from -128 to 127"),
        ]
    )
    func ranges(arguments: [String], sentence: String) throws {
        let group = "5A4BCFCE-174E-4BAC-A814-092E77F6B7E5"
        let line = try #require(said(of: ["ibeacon", "--uuid", group] + arguments))
        #expect(line.contains(sentence), "\(line)")
        #expect(said(of: ["ibeacon", "--uuid", group, "--major", "1", "--minor", "2", "--power", "-70"]) == nil)
        let send = try #require(said(of: ["moneydrop", "send", "--to", "Anna", "--amount", "-3"]))
        #expect(!send.contains("Missing value") && send.contains("amount"), "\(send)")
        let options = try #require(said(of: ["moneydrop", "send", "--to", "Anna", "--amount", "--name", "B"]))
        #expect(options.contains("Missing value for '--amount"), "\(options)")
    }

    @Test(
        "A value that is no number is said with what the option is for",
        arguments: [
            (["overflow", "demo", "--phones", "x"], "'--phones <n>', which says: How many phones, 1 to 50 ("),
            (["keyfob", "--seed", "-1"], "'--seed <n>', which says: What randomness begins with, 0 or more ("),
            (["desk", "--link-loss", "x"], "'--link-loss <seconds>', which says: "),
            (["desk", "demo", "--people", "2.5"], "'--people <people>', which says: People, as many as desks at most"),
            (["login", "--near-above", "loud"], "'--near-above <dBm>', which says: From this strength on it is near"),
        ]
    )
    func explained(arguments: [String], sentence: String) throws {
        let line = try #require(said(of: arguments))
        #expect(line.contains(sentence) && !line.contains("\n") && !line.contains(".;"), "\(line)")
        // Those that have a reason keep it.
        let reason = try #require(said(of: ["keyfob", "--mtu", "5"]))
        #expect(reason.contains("is no ATT MTU") && !reason.contains("which says"), "\(reason)")
    }

    @Test("An option that is none is said to be none, also where bytes are expected")
    func noOption() throws {
        let line = try #require(said(of: ["overflow", "decode", "558040C0200000000000000000000000", "--mode", "bch"]))
        #expect(line.contains("Unknown option '--mode'"), "\(line)")
    }

    @Test("Of a word that is no command it says which ones there are")
    func unknown() {
        #expect(
            said(of: ["bonds", "sell"])
                == "bluethroat bonds has no \"sell\"; there are list, remove, export; see bluethroat bonds --help"
        )
        #expect(said(of: ["fly"])?.hasPrefix("bluethroat has no \"fly\"; there are keyfob, scan, inspect, ") == true)
        #expect(said(of: ["raed", "Fob"]) == "bluethroat has no \"raed\"; did you mean read?; see bluethroat --help")
        #expect(said(of: ["overflow", "de\nmo"])?.contains("\n") == false)
    }

    @Test(
        "So is help about it an error",
        arguments: [["help", "fly"], ["fly", "--help"], ["bonds", "sell", "--help"], ["help", "bonds", "sell"]]
    )
    func helpAboutNone(arguments: [String]) {
        #expect(throws: Never.self, "the parser takes it for help") { try Bluethroat.parseCommand(arguments) }
        #expect(UsageError.unknown(in: Bluethroat.self, arguments)?.hasPrefix("bluethroat") == true)
    }

    @Test("Help about one that there is remains help", arguments: [["help"], ["help", "bonds"], ["desk", "--help"]])
    func helpAboutOne(arguments: [String]) { #expect(UsageError.unknown(in: Bluethroat.self, arguments) == nil) }

    @Test("What is right is no error, and no sentence has a full stop in front of a semicolon")
    func sentences() {
        #expect(said(of: ["scan"]) == nil)
        #expect(said(of: ["read", "fob", "2A19", "--phy", "coded"])?.contains(".;") == false)
    }

    @Test("Where nobody listens it says what to start, as suits the command")
    func opener() async throws {
        let error = await #expect(throws: HCITransportError.self) {
            _ = try await HCIEndpoint(parsing: "tcp:127.0.0.1:1").open(
                HCITransportCallbacks(received: { _ in }, ended: { _ in })
            )
        }
        let failure = try OperationFailure(#require(error).advised(opener: "bluethroat text serve"))
        #expect(
            failure.message
                == "nothing listens on 127.0.0.1:1; start `bluethroat text serve` or give another controller"
        )
        let other = await #expect(throws: HCITransportError.self) {
            _ = try await HCIEndpoint(parsing: "serial:/dev/null").open(
                HCITransportCallbacks(received: { _ in }, ended: { _ in })
            )
        }
        #expect(!(try #require(other)).advised(opener: "bluethroat text serve").contains("text serve"))
        let joined = try SessionOptions.parse([]).joining("bluethroat desk")
        #expect(joined.opener == "bluethroat desk" && joined.controller == .standard)
        let own = try SessionOptions.parse(["--controller", "tcp:a:1"]).joining("bluethroat desk")
        #expect(own.opener == "bluethroat desk" && own.controller != .standard)
    }
}
