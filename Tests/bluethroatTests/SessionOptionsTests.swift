import ArgumentParser
import BluethroatLive
import BluethroatVirtualTime
import Testing

@testable import bluethroat

@Suite("What can be said of any live session")
struct SessionOptionsTests {
    @Test(
        "What cannot be is refused before anything is done, in one line",
        arguments: [
            (["--hci-listen", "0.0.0.0:1"], "--expose-hci"), (["--virtual-time", "--no-panel"], "--no-panel"),
            (["--controller", "tcp:a:1", "--virtual-time"], "real time"),
            (["--controller", "tcp:a:1", "--hci-listen", "127.0.0.1:1"], "nothing listens"),
            (["--fast", "--virtual-time"], "nobody can come"),
            (["--fast", "--controller", "tcp:a:1"], "nobody can come"),
            (["--fast", "--hci-listen", "127.0.0.1:1"], "nobody can come"),
            (["--fast", "--panel-listen", "127.0.0.1:1"], "nobody can come"), (["--for", "0"], "above 0"),
        ]
    )
    func options(arguments: [String], says: String) {
        let error = #expect(throws: (any Error).self) { try SessionOptions.parse(arguments) }
        #expect(error.map { SessionOptions.message(for: $0).contains(says) } == true)
        #expect(throws: (any Error).self) { try KeyFobCommand.parse(arguments) }
    }

    @Test("--for is the world's time in every live world, and --fast how that passes")
    func length() throws {
        let fast = ["--for", "30", "--fast"]
        let options = [
            try SessionOptions.parse(fast), try KeyFobCommand.parse(fast).session,
            try OverflowDemoCommand.parse(fast).session, try MoneyDemo.parse(fast).session,
            try DeskCommand.Demo.parse(fast).session, try SensorTagCommand.parse(fast).session,
        ]
        for settings in options.map(\.settings) {
            #expect(settings.length == .seconds(30) && settings.isFast && !settings.isVirtual)
        }
        let usual = try SessionOptions.parse([]).settings
        #expect(usual.length == nil && !usual.isFast)
    }
}
