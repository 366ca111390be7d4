import BluethroatBluetoothValues
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("A script of a key fob, and what it says of a central")
struct KeyFobScriptTests {
    @Test("Each word has its time, or that of the line before; comments and empty lines do nothing")
    func times() throws {
        let script = try KeyFobScript(
            parsing: "# all of it\n\nl\n@2.5 r down\r\n  # in between\nr up\n\n@1 b 50\n@9 q\n@12 q",
            named: "words"
        )
        #expect(
            script.items == [
                .timed(.zero, .click(.left)), .timed(.milliseconds(2_500), .hold(.right)),
                .timed(.milliseconds(2_500), .release(.right)), .timed(.seconds(1), .battery(percent: 50)),
                .timed(.seconds(9), .quit), .timed(.seconds(12), .quit),
            ]
        )
        #expect(script.end == .seconds(9))
        #expect(try KeyFobScript(parsing: "@1 l", named: "words").end == nil)
        #expect(try KeyFobScript(parsing: "", named: "words").items.isEmpty)
    }

    @Test("With several fobs a number counts until the next one")
    func several() throws {
        let script = try KeyFobScript(parsing: "@1 2 l\n3\nr\n@2 q", named: "words", fobs: 3)
        #expect(
            script.items == [
                .of(fob: 2, .timed(.seconds(1), .click(.left))), .of(fob: 3, .timed(.seconds(1), .click(.right))),
                .of(fob: 3, .timed(.seconds(2), .quit)),
            ]
        )
        #expect(script.end == .seconds(2))
    }

    @Test(
        "What is no word is one line with the file and the line",
        arguments: ["@1 l\nfly", "# a\n@x l", "l\nb 101", "l\n" + String(repeating: "l", count: 2_000)]
    )
    func errors(text: String) {
        let error = #expect(throws: KeyFobWordError.self) { try KeyFobScript(parsing: text, named: "my words") }
        #expect(error?.description.hasPrefix("my words, line 2: ") == true, "\(String(describing: error))")
        #expect(error?.description.contains("\n") == false)
    }

    @Test("A script without an end is refused")
    func length() {
        let text = String(repeating: "\n", count: KeyFobScript.lineLimit + 1)
        #expect(throws: KeyFobWordError.self) { try KeyFobScript(parsing: text, named: "words") }
    }

    @Test("Orders to the central")
    func central() throws {
        func word(_ line: String) throws -> KeyFobWord? { try KeyFobWord(line: line) }
        #expect(try word("central connect") == .central(.connect))
        #expect(try word("central disconnect") == .central(.disconnect))
        #expect(try word("central read 2a19") == .central(.read(CharacteristicName(0x2A19))))
        #expect(
            try word("central write 1803/2A06 02") == .central(.write(CharacteristicName(0x2A06, in: 0x1803), [2]))
        )
        #expect(try word("central write FFA1 01FFa0") == .central(.write(CharacteristicName(0xFFA1), [1, 0xFF, 0xA0])))
        #expect(try word("  central  subscribe\tFFE1\r") == .central(.subscribe(CharacteristicName(0xFFE1))))
        #expect(try word("central d 2.5") == .central(.distance(metres: 2.5)))
        #expect("\(CharacteristicName(0x2A06, in: 0x1803))" == "1803/2A06")
    }

    @Test(
        "An order that is none is one line that says which there are",
        arguments: [
            "central", "central fly", "central connect now", "central write 2A06", "central write 2A06 2",
            "central write 2A06 0x", "central write 1803/2A06/2901 02", "central write /2A06 02", "central read",
            "central read battery", "central d", "central d -1", "central d far", "central subscribe",
            "central write FFA1 " + String(repeating: "00", count: 513),
        ]
    )
    func wrongOrders(line: String) {
        let error = #expect(throws: KeyFobWordError.self) { try KeyFobWord(line: line) }
        #expect(error?.description.contains("central is followed by") == true)
    }

    @Test("What the central has done is a line, or an object")
    func output() {
        let peer = DeviceAddress("78:C5:E5:9B:76:0D", kind: .public)!
        func notice(_ change: CentralNotice.Change) -> CentralNotice {
            CentralNotice(time: Instant(nanoseconds: 1_500_000_000), peer: peer, change: change)
        }
        var plain = KeyFobOutput(.plain, radio: nil, distance: 1)
        var json = KeyFobOutput(.json, radio: nil, distance: 1)
        _ = (plain.begin(address: peer), json.begin(address: peer))
        for (change, line, object) in [
            (.connected, "connected with \(peer)", #""did":"connect","peer":"78:C5:E5:9B:76:0D""#),
            (
                .disconnected("connection timeout"), "disconnected from \(peer): connection timeout",
                #""did":"disconnect","peer":"78:C5:E5:9B:76:0D","reason":"connection timeout""#
            ),
            (
                .wrote("2A06", [2]), "wrote 02 to 2A06",
                #""did":"write","peer":"78:C5:E5:9B:76:0D","attribute":"2A06","value":"02""#
            ),
            (
                .read("2A19", [100]), "2A19 is 64",
                #""did":"read","peer":"78:C5:E5:9B:76:0D","attribute":"2A19","value":"64""#
            ),
            (
                .notified("FFE1", [1]), "FFE1 notifies 01",
                #""did":"notification","peer":"78:C5:E5:9B:76:0D","attribute":"FFE1","value":"01""#
            ),
            (
                .subscribed("FFE1"), "subscribed to FFE1",
                #""did":"subscribe","peer":"78:C5:E5:9B:76:0D","attribute":"FFE1""#
            ),
            (.failed("no"), "no", #""did":"failed","peer":"78:C5:E5:9B:76:0D","message":"no""#),
        ] as [(CentralNotice.Change, String, String)] {
            #expect(plain.happened(notice(change)).output == "   1.500 s  central: \(line)\n")
            #expect(json.happened(notice(change)).output == #"{"event":"central","time":1.5,"# + object + "}\n")
        }
    }
}
