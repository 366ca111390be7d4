import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("Words for a phone that plays a fob, and its output")
struct PhoneOutputTests {
    private let address = DeviceAddress("B2:0E:F0:B0:00:01", kind: .public)!
    private let peer = DeviceAddress("C0:00:00:00:00:01", kind: .random)!

    private func output(_ mode: KeyFobOutput.Mode) -> KeyFobOutput {
        KeyFobOutput(mode, of: .phone, radio: .air(listeningOn: "tcp:127.0.0.1:6402"), distance: 1)
    }

    private let all: [FobNotice] = [
        .status("Bluetooth Powered On - Ready", colour: "green"), .lamp(.alert, on: true), .tone(.high, on: true),
        .background(true), .about(true), .fob(.alert(.none, .linkLoss)), .fob(.battery(percent: 7)),
    ].map { FobNotice(time: Instant(nanoseconds: 500_000_000), change: $0) }

    @Test("Its words are those of the hardware and five more, which the hardware does not know")
    func words() throws {
        for (line, word) in [
            ("bluetooth on", .bluetooth(true)), ("bluetooth off", .bluetooth(false)), ("background", .background(true)),
            ("foreground", .background(false)), ("about", .about(true)), ("back", .about(false)), ("l", .click(.left)),
        ] as [(String, KeyFobWord)] {
            #expect(try KeyFobWord(line: line, of: .phone) == word)
            if line != "l" { #expect(throws: KeyFobWordError.self) { try KeyFobWord(line: line) } }
        }
        for (line, part) in [("bluetooth", "on or by off"), ("about us", "stands alone"), ("fly", "foreground, about")]
        {
            let error = #expect(throws: KeyFobWordError.self) { try KeyFobWord(line: line, of: .phone) }
            #expect(error?.description.contains(part) == true)
        }
    }

    @Test("As JSON")
    func json() {
        var output = output(.json)
        #expect(
            output.begin(address: address).output
                == """
                {"event":"fob","address":"B2:0E:F0:B0:00:01","addressType":"public","personality":"phone"}
                {"event":"listening","hci":"tcp:127.0.0.1:6402"}

                """
        )
        #expect(
            output.changed(all).output
                == """
                {"event":"status","time":0.5,"text":"Bluetooth Powered On - Ready","colour":"green"}
                {"event":"led","time":0.5,"name":"alert","on":true}
                {"event":"tone","time":0.5,"name":"high","on":true}
                {"event":"background","time":0.5,"on":true}
                {"event":"about","time":0.5,"on":true}
                {"event":"alert","time":0.5,"level":"none","source":"linkLoss"}
                {"event":"battery","time":0.5,"percent":7}

                """
        )
        #expect(output.changed([]) == .init())
    }

    @Test("As lines")
    func plain() {
        var output = output(.plain)
        #expect(
            output.begin(address: address).output
                == "Key Fob Simulator B2:0E:F0:B0:00:01\nHCI listening on tcp:127.0.0.1:6402\n"
        )
        #expect(
            output.changed(all).output.split(separator: "\n").map { $0.drop { $0 == " " } } == [
                "0.500 s  the screen says: Bluetooth Powered On - Ready", "0.500 s  alert LED on",
                "0.500 s  high tone on", "0.500 s  in the background", "0.500 s  About is shown",
                "0.500 s  alert: none", "0.500 s  battery: 7 %",
            ]
        )
    }

    @Test("At a terminal: always equally many lines, with what the phone's screen shows")
    func terminal() {
        var view = PhoneView(transport: "HCI listening on tcp:127.0.0.1:6402", distance: 1)
        let height = view.lines(width: 79, colours: false).count
        view.address = address
        for notice in all { view.apply(notice) }
        let changes: [KeyFobNotice.Change] = [
            .advertising(true), .connected(peer), .keys(.left),
            .subscribed(peer, 0xFFAA, 0x0025, on: true),
            .transmitPower(dBm: -6), .accelerometer(enabled: true),
        ]
        for change in changes { view.apply(FobNotice(time: .zero, change: .fob(change))) }
        view.obeyed(.tiltInG(x: 0.5, y: -1, z: 0), chip: .cma3000)
        view.obeyed(.distance(metres: 2.5), chip: .cma3000)
        let lines = view.lines(width: 79, colours: false)
        #expect(lines.count == height && lines.allSatisfy { $0.count <= 79 })
        let text = lines.joined(separator: "\n")
        for part in [
            "Key Fob Simulator B2:0E:F0:B0:00:01", "Bluetooth Powered On - Ready   (in the background, About)",
            "LEDs left ○ alert ● right ○   tones high", "[left] [right]   Advertise on   centrals C0:00:00:00:00:01",
            "Battery Level: 7   Transmit Power= -6 dBm   distance 2.5 m", "accelerometer on   x 0.5  y -1.0  z 0.0  g",
            "subscribed to FFAA",
        ] { #expect(text.contains(part), "\(part) in\n\(text)") }
        view.apply(FobNotice(time: .zero, change: .fob(.disconnected(peer, reason: .connectionTimeout))))
        view.message = "no such word"
        let after = view.lines(width: 79, colours: false).joined(separator: "\n")
        #expect(after.contains("centrals none") && after.contains("subscribed to nothing"))
        #expect(after.hasSuffix("no such word"))
        #expect(view.lines(width: 79, colours: true).joined().contains("\u{1B}[32mBluetooth Powered On"))
        #expect(view.lines(width: 3, colours: false).allSatisfy { $0.count <= 3 })
    }
}
