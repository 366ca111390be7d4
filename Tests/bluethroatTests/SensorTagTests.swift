import ArgumentParser
import BluethroatLiveLoop
import BluethroatPeripheralApps
import BluethroatPeripheralFutures
import BluethroatVirtualTime
import Testing

@testable import BluethroatLive
@testable import BluethroatSensorTagWorld
@testable import bluethroat

@Suite("SensorTag and iBeacon on the command line")
struct SensorTagCommandTests {
    @Test("Words")
    func words() throws {
        #expect(try SensorTagWord("a 0.5 -0.25 1") == .hold(x: 0.5, y: -0.25, z: 1))
        #expect(try SensorTagWord(" move  shaking ") == .move(.shaking))
        #expect(try SensorTagWord("key two") == .press(.buttonTwo) && SensorTagWord("key none") == .press(.none))
        #expect(try SensorTagWord("set test resultRaw=7") == .set(sensor: "test", value: ["resultRaw": "7"]))
        #expect(try SensorTagWord("set test a=b=c d=") == .set(sensor: "test", value: ["a": "b=c", "d": ""]))
        #expect(try SensorTagWord("bluetooth off") == .bluetooth(false) && SensorTagWord("q") == .quit)
        #expect(try SensorTagWord("") == nil && SensorTagWord("   ") == nil)
    }

    @Test(
        "What means nothing is said in one line, with what could be said",
        arguments: [
            "fly", "a", "a 1 2", "a 1 2 nan", "a 1 2 inf", "a 1 2 3 4", "move", "move up", "key three", "key",
            "set", "set test", "set test x", "bluetooth", "bluetooth maybe", "q now", "\u{1B}[2J",
        ]
    )
    func nonsense(line: String) {
        let error = #expect(throws: SensorTagWord.Nonsense.self) { try SensorTagWord(line) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("move still|turning|shaking") && !text.contains("\u{1B}") && !text.contains("\n"))
    }

    @Test("Arguments")
    func arguments() throws {
        let tag = try SensorTagCommand.parse(["--motion", "turning", "--name", "Tag", "--seed", "7"])
        #expect(tag.motion == .turning && tag.name == "Tag" && tag.session.seed == 7)
        let words = ["--uuid", "5a4bcfce-174e-4bac-a814-092e77f6b7e5", "--major", "65535", "--minor", "0"]
        let beacon = try IBeaconCommand.parse(words + ["--power=-70"])
        #expect(beacon.major == 65_535 && beacon.power == -70)
        #expect(try IBeaconCommand.parse(words).power == nil)
        #expect(throws: (any Error).self) { try IBeaconCommand.parse([]) }
        #expect(throws: (any Error).self) { try SensorTagCommand.parse(["--name", ""]) }
    }

    @Test("In a session of virtual time the tag is on the air, obeys, and tells what cannot be")
    func world() async {
        let (items, continuation) = AsyncStream.makeStream(of: EventSink<SensorTagEvent>.Item.self)
        let live = LiveLoop(
            SensorTagWorld(
                LiveSession(seed: 1, isVirtual: true, drawsSecrets: false),
                EventSink(continuation),
                name: "Tag",
                motion: .still
            )
        )
        await live.perform { owner in
            owner.begin()
            owner.advance(by: .seconds(1))
            for line in ["a 9 0 0", "set thermometer x=1", "dance", "bluetooth off", "", "q"] { owner.obey(line) }
            owner.advance(by: .seconds(1))
        }
        continuation.finish()
        var told: [String] = []
        for await item in items {
            switch item {
            case .event(let event): told.append(event.line ?? "")
            case .failed(let message, _): told.append("failed: " + message.prefix(12))
            case .ended(nil): told.append("end")
            default: told.append("?")
            }
        }
        #expect(
            told == [
                "Bluetooth is unknown", "Bluetooth is poweredOn", "Advertising", "failed: the accelero",
                "failed: there is no ",
                "failed: what is \"dan", "end", "Bluetooth is poweredOff",
            ]
        )
    }
}
