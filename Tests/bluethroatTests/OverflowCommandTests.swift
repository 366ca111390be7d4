#if canImport(Phones)
    import ArgumentParser
    import BluetoothValues
    import Host
    import OverflowAnalyser
    import OverflowArea
    import Testing
    import VirtualTime

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
            #expect(full.pollute.map(\.index) == [69] && full.length?.span == .seconds(30))
            #expect(full.frame.positions == .sparingWatches)
        }

        @Test("Bytes may have spaces, colons and 0x; they are whole ones, and not too many")
        func bytes() throws {
            for text in ["01020a", "01 02 0A", "01:02:0a", "0x01020A", " 0X01 02 0a"] {
                #expect(try OverflowInput.bytes(text, upTo: 3, what: "payload") == [1, 2, 10])
            }
            for text in ["", "0x", "1", "0x1", "0102030", "01020304", "zz", "00x1"] {
                #expect(throws: ValidationError.self) { try OverflowInput.bytes(text, upTo: 3, what: "payload") }
            }
        }

        @Test(
            "A demonstration knows whether watches are disturbed, by its matching byte and its places",
            arguments: [
                ([], true), (["--payload", "00"], true), (["--spare-watches"], false),
                (["--matching-byte", "8A"], false),
                (["--mode", "hamming"], false), (["--mode", "hamming", "--matching-byte", "AE"], true),
                (["--mode", "hamming", "--matching-byte", "AE", "--spare-watches"], false),
                (["--mode", "sequential"], false),
            ]
        )
        func watches(words: [String], expected: Bool) throws {
            #expect(try OverflowDemoCommand.parse(words).plan().disturbsWatches == expected)
        }

        @Test(
            "A run in virtual time writes what the phones say, the same for the same seed, and says if nobody has read"
        )
        func virtualRun() throws {
            func run(_ screen: OverflowPlan.Screen) throws -> (lines: [String], status: bluethroat.ExitStatus?) {
                var plan = OverflowPlan()
                plan.screen = screen
                let lines = Lines()
                let run = OverflowVirtualRun(
                    options: try SceneOptions.parse(["--seed", "7"]),
                    plan: plan,
                    length: .seconds(60),
                    write: { lines.all.append($0) }
                )
                let status = run.perform()
                return (lines.all, status)
            }
            let lit = try run(.on)
            let again = try run(.on)
            #expect(lit.status == nil && lit.lines == again.lines)
            for phone in ["phone 1", "phone 2"] {
                #expect(lit.lines.contains { $0.hasSuffix("\(phone): I just read beacon bytes: [1, 2, 3, 4]") })
            }
            let dark = try run(.off)
            #expect(dark.status == .nothingFound && !dark.lines.contains { $0.contains("I just read") })
        }

        private final class Lines {
            var all: [String] = []
        }

        @Test("What an analyser finds is told with how much is known, and with the table in the end")
        func findings() {
            let lines = Lines()
            var teller = OverflowFindingsTeller(OverflowAnalyser(), json: false) { lines.all.append($0) }
            func advertise(_ byte: UInt8, _ milliseconds: Int64) {
                let mask: [UInt8] = [byte] + Array(repeating: 0, count: 15)
                teller.hear(
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
            teller.end(at: .zero + .seconds(5))
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
                ]
            )
            #expect(teller.shortfall(in: .seconds(5)).message.hasPrefix("found 2 of 128 bits in 5 s"))
        }
    }
#endif
