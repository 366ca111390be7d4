import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatEvents
@testable import BluethroatKeyFobConsole

@Suite("What keyfob --json prints")
struct KeyFobJSONTests {
    private static let peer = DeviceAddress("C0:11:22:33:44:55", kind: .random)!
    private static let central = #""peer":"C0:11:22:33:44:55","addressType":"random""#

    @Test("The first two objects")
    func heading() throws {
        let address = try #require(DeviceAddress("78:C5:E5:9B:76:0D", kind: .public))
        #expect(
            KeyFobJSON.fob(address) == #"{"event":"fob","address":"78:C5:E5:9B:76:0D","addressType":"public"}"#
        )
        #expect(
            KeyFobJSON.listening(on: "tcp:127.0.0.1:6402") == #"{"event":"listening","hci":"tcp:127.0.0.1:6402"}"#
        )
        #expect(KeyFobJSON.controller("pty:/dev/pts/3") == #"{"event":"controller","hci":"pty:/dev/pts/3"}"#)
    }

    @Test(
        "Every change is one object",
        arguments: [
            (.advertising(true), #""advertising","time":1.25,"on":true"#),
            (.advertising(false), #""advertising","time":1.25,"on":false"#),
            (.passkey(peer, Passkey(42)!), #""passkey","time":1.25,"# + central + #","passkey":"000042""#),
            (
                .pairingFailed(peer, .refused(.confirmValueFailed)),
                #""pairingFailed","time":1.25,"# + central
                    + #","message":"the confirm value does not match","smpReason":4"#
            ),
            (
                .pairingFailed(peer, .timedOut),
                #""pairingFailed","time":1.25,"# + central + #","message":"nothing was sent for 30 s""#
            ),
            (.encrypted(peer, LinkSecurity()), #""encrypted","time":1.25,"# + central + #","on":false"#),
            (
                .recognised(peer, identity: DeviceAddress("78:C5:E5:9B:76:0D", kind: .public)!),
                #""recognised","time":1.25,"# + central + #","identity":"78:C5:E5:9B:76:0D","identityType":"public""#
            ),
            (.keyMissing(peer), #""keyMissing","time":1.25,"# + central),
            (.bondRemoved(peer), #""bondRemoved","time":1.25,"# + central),
            (.connected(peer), #""connected","time":1.25,"# + central),
            (
                .disconnected(peer, reason: .connectionTimeout),
                #""disconnected","time":1.25,"# + central + #","reason":"connectionTimeout","code":8"#
            ),
            (
                .disconnected(peer, reason: .remoteUserTerminatedConnection),
                #""disconnected","time":1.25,"# + central + #","reason":"remoteUserTerminatedConnection","code":19"#
            ),
            (
                .disconnected(peer, reason: .connectionTerminatedByLocalHost),
                #""disconnected","time":1.25,"# + central + #","reason":"connectionTerminatedByLocalHost","code":22"#
            ),
            (.keys([]), #""key","time":1.25,"state":0"#),
            (.keys([.left, .right]), #""key","time":1.25,"state":3"#),
            (.alert(.none, nil), #""alert","time":1.25,"level":"none""#),
            (.alert(.mild, .immediate), #""alert","time":1.25,"level":"mild","source":"immediate""#),
            (.alert(.high, .linkLoss), #""alert","time":1.25,"level":"high","source":"linkLoss""#),
            (.tone(hertz: 4_096), #""beep","time":1.25,"on":true,"hertz":4096"#),
            (.tone(hertz: nil), #""beep","time":1.25,"on":false"#),
            (.led(.led1, on: true), #""led","time":1.25,"name":"LED1","on":true"#),
            (.led(.led2, on: false), #""led","time":1.25,"name":"LED2","on":false"#),
            (.battery(percent: 80), #""battery","time":1.25,"percent":80"#),
            (.transmitPower(dBm: -6), #""txPower","time":1.25,"dBm":-6"#),
            (.accelerometer(enabled: true), #""accelerometer","time":1.25,"enabled":true"#),
            (
                .subscribed(peer, 0xFFE1, 0x0047, on: true),
                #""subscribed","time":1.25,"# + central + #","uuid":"FFE1","handle":71,"on":true"#
            ),
            (
                .radioFailed(.lowEnergyMissing),
                #""error","time":1.25,"message":"the controller has no Low Energy radio""#
            ),
        ] as [(KeyFobNotice.Change, String)]
    )
    func changes(change: KeyFobNotice.Change, body: String) throws {
        let notice = KeyFobNotice(time: Instant(nanoseconds: 1_250_000_000), change: change)
        let text = KeyFobJSON.notice(notice)
        #expect(text == #"{"event":"# + body + "}")
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    @Test("An error's message survives, whatever is in it")
    func escaping() throws {
        var scalars = String.UnicodeScalarView()
        for value in Array(UInt32(0)...0x17F) + [0x2028, 0x2029, 0xFFFD, 0x1F600] {
            if let scalar = Unicode.Scalar(value) { scalars.append(scalar) }
        }
        let message = String(scalars)
        let text = KeyFobJSON.error(message, at: .zero)
        #expect(!text.utf8.contains { $0 < 0x20 })
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?["message"] as? String == message)
        #expect(object?["event"] as? String == "error")
    }

    @Test(
        "Times are exact",
        arguments: [
            (0, "0.0"), (1, "0.000000001"), (999_999_999, "0.999999999"), (1_000_000_000, "1.0"),
            (30_720_000_000, "30.72"), (-1_500_000_000, "-1.5"), (.max, "9223372036.854775807"),
        ] as [(Int64, String)]
    )
    func times(nanoseconds: Int64, text: String) {
        #expect(JSONLine.seconds(TimeSpan(nanoseconds: nanoseconds)) == text)
    }
}

@Suite("Text in JSON lines")
struct JSONTextTests {
    @Test("A stranger's name moves no cursor and turns no writing, and is read back as it was")
    func hidden() throws {
        let hidden: [Unicode.Scalar] = [
            "\u{1B}", "\u{7F}", "\u{9B}", "\u{61C}", "\u{200B}", "\u{200F}", "\u{2028}", "\u{202E}", "\u{2066}",
            "\u{FEFF}", "\u{E000}", "\u{E0041}", "\u{10FFFF}",
        ]
        let name = "fob" + hidden.map { "\($0)[2J" }.joined() + " é 👩‍👧 \"\\"
        var line = JSONLine(event: "bond")
        line.add("name", name)
        #expect(!line.text.unicodeScalars.contains(where: hidden.contains))
        let read = try JSONDecoder().decode([String: String].self, from: Data(line.text.utf8))
        #expect(read["name"] == name)
    }
}
