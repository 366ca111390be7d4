import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHost
import BluethroatLive
import BluethroatOverflowAnalyser
import BluethroatVirtualTime
import Synchronization
import Testing

@testable import BluethroatOverflowWorld

@Suite("What happens in the overflow demonstration")
struct OverflowEventTests {
    @Test(
        "A run in virtual time writes what the phones say, the same for the same seed, and says if nobody has read"
    )
    func virtualRun() async {
        func run(_ screen: OverflowPlan.Screen) async -> (lines: [String], failure: OperationFailure?) {
            var plan = OverflowPlan()
            plan.screen = screen
            let shown = plan
            var settings = LiveSessionSettings()
            (settings.seed, settings.length, settings.isFast) = (7, .seconds(60), true)
            let lines = Mutex<[String]>([])
            let writer = LineWriter<OverflowEvent>(
                isJSON: false,
                to: LineOutput(result: { line in lines.withLock { $0.append(line) } }, error: { _ in }, hint: { _ in })
            ) { $0.text(json: false) }
            do throws(OperationFailure) {
                try await LiveSessionRunner<OverflowWorld, OverflowEvent>(settings).run(writer) { session, events in
                    OverflowWorld(session, events, shown)
                }
            } catch {
                return (lines.withLock(\.self), error)
            }
            return (lines.withLock(\.self), nil)
        }
        let lit = await run(.on)
        let again = await run(.on)
        #expect(lit.failure == nil && lit.lines == again.lines)
        #expect(lit.lines.contains { $0.hasPrefix("phone 1: ") && $0.contains(" sends 01020304, read ") })
        for phone in ["phone 1", "phone 2"] {
            #expect(lit.lines.contains { $0.hasSuffix("\(phone): I just read beacon bytes: [1, 2, 3, 4]") })
        }
        let dark = await run(.off)
        #expect(dark.failure?.message == "nobody has read a payload in 60 s")
        #expect(dark.failure?.kind == .nothingFound && !dark.lines.contains { $0.contains("I just read") })
    }

    private final class Lines {
        var all: [String] = []
    }

    @Test("What an analyser finds is told with how much is known, and with the table in the end")
    func findings() {
        let lines = Lines()
        var writer = OverflowFindingsWriter(
            OverflowAnalyser(),
            json: false,
            write: { lines.all.append($0) },
            hint: { _ in }
        )
        func advertise(_ byte: UInt8, _ milliseconds: Int64) {
            let mask: [UInt8] = [byte] + Array(repeating: 0, count: 15)
            writer.hear(
                AdvertisingReport(
                    kind: .connectable,
                    address: DeviceAddress(value: 0x0102_0304_0506, kind: .random),
                    data: [20, 0xFF, 0x4C, 0, 1] + mask,
                    signalStrength: SignalStrength(dBm: -20)
                ),
                at: .zero + .milliseconds(milliseconds)
            )
        }
        for (byte, time) in [(0x80, 0), (0x01, 1_000), (0x03, 2_000), (0x80, 3_000), (0x80, 4_800)]
            as [(UInt8, Int64)]
        {
            advertise(byte, time)
        }
        writer.end(at: .zero + .seconds(5))
        let name = "01:02:03:04:05:06"
        #expect(
            lines.all == [
                "\(name): 00000000-0000-0000-0000-000000000000 sets bit 0. Found 1 of 128",
                "\(name): 00000000-0000-0000-0000-000000000001 sets bit 7. Found 2 of 128",
                "\(name): 2 bits are set at once",
                "\(name): 00000000-0000-0000-0000-000000000003 sets bit 0, as does "
                    + "00000000-0000-0000-0000-000000000000",
                "\(name): missing change: nothing is different after 1800 ms", "\(name): Found 2 of 128",
                "  0  byte  0 value 80  00000000-0000-0000-0000-000000000000",
                "  7  byte  0 value 01  00000000-0000-0000-0000-000000000001",
                // Four of five advertisements with one bit alone, and two of eight bits known.
                "\(name): confidence in bytes 0 to 15: 20 %" + String(repeating: " 0 %", count: 15),
            ]
        )
        #expect(writer.shortfall(in: .seconds(5)).message.hasPrefix("found 2 of 128 bits in 5 s"))
    }
}
