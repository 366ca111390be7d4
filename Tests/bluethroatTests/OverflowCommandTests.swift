import ArgumentParser
import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHost
import BluethroatOverflowAnalyser
import BluethroatOverflowArea
import BluethroatOverflowWorld
import BluethroatVirtualTime
import Testing

@testable import bluethroat

@Suite("The overflow area at the command line")
struct OverflowCommandTests {
    @Test("demo takes phones, payloads, a mode, a version, screens and pollution")
    func demo() throws {
        let plain = try OverflowDemoCommand.parse([])
        #expect(plain.mode == .demo && plain.ios == 13 && plain.screen == .on && plain.cycle == .documented)
        let full = try OverflowDemoCommand.parse([
            "--phones", "5", "--payload", "0a0b", "--mode", "demo", "--ios", "14", "--screen", "off", "--pollute",
            "69",
            "--cycle", "31", "--spare-watches", "--for", "30", "--seed", "7",
        ])
        #expect(full.phones == 5 && full.payload == ["0a0b"] && full.ios == 14 && full.screen == .off)
        #expect(full.pollute.map(\.index) == [69] && full.session.length?.span == .seconds(30))
        #expect(full.frame.positions == .sparingWatches)
    }

    @Test("A code word's payload is that of --help, too; random is for code words alone")
    func payloads() throws {
        let usual = try OverflowDemoCommand.parse(["--mode", "hamming"]).plan()
        #expect(usual.payloads.isEmpty && !usual.drawsPayloads && usual.extent == .frame)
        let words = ["--mode", "hamming", "--payload", "random", "--bank", "whole"]
        let drawn = try OverflowDemoCommand.parse(words).plan()
        #expect(drawn.payloads.isEmpty && drawn.drawsPayloads && drawn.extent == .whole)
        #expect(try OverflowDemoCommand.parse(["--mode", "bch", "--payload", "random"]).plan().drawsPayloads)
        #expect(throws: (any Error).self) { try OverflowDemoCommand.parse(["--payload", "random"]) }
        #expect(throws: (any Error).self) { try OverflowDemoCommand.parse(["--bank", "half"]) }
    }

    @Test("A conversation has messages of any length up to 1024 bytes, and sixteen phones at most")
    func conversation() throws {
        let words = ["--mode", "conversation", "--payload", String(repeating: "0A", count: 1_024), "--phones", "16"]
        let plan = try OverflowDemoCommand.parse(words).plan()
        #expect(try OverflowDemoCommand.parse(["--mode", "conversation", "--number", "1"]).plan().firstNumber == 1)
        #expect(throws: (any Error).self) { try OverflowDemoCommand.parse(words + ["--number", "1"]) }
        #expect(plan.mode == .conversation && plan.payloads.first?.count == 1_024 && !plan.disturbsWatches)
        #expect(throws: (any Error).self) {
            try OverflowDemoCommand.parse(["--mode", "conversation", "--phones", "17"])
        }
        #expect(throws: (any Error).self) { try OverflowDemoCommand.parse(words + ["--payload", words[3] + "00"]) }
    }

    @Test("Bytes may have spaces, colons and 0x; they are whole ones, and not too many")
    func bytes() throws {
        for text in ["01020a", "01 02 0A", "01:02:0a", "0x01020A", " 0X01 02 0a"] {
            #expect(try OverflowInput.bytes(text, upTo: 3, what: "payload") == [1, 2, 10])
        }
        for text in ["", "0x", "1", "0x1", "0102030", "01020304", "zz", "00x1"] {
            #expect(throws: InvalidText.self) { try OverflowInput.bytes(text, upTo: 3, what: "payload") }
        }
    }

    @Test(
        "A demonstration knows whether watches are disturbed, by its matching byte and its places",
        arguments: [
            ([], true), (["--payload", "00"], true), (["--spare-watches"], false),
            (["--matching-byte", "8A"], false),
            (["--mode", "hamming"], false), (["--mode", "hamming", "--matching-byte", "AE"], true),
            (["--mode", "hamming", "--matching-byte", "AE", "--spare-watches"], false),
            (["--mode", "bch"], false), (["--mode", "bch", "--matching-byte", "AE"], false),
            (["--mode", "sequential"], false),
        ]
    )
    func watches(words: [String], expected: Bool) throws {
        #expect(try OverflowDemoCommand.parse(words).plan().disturbsWatches == expected)
    }
}
