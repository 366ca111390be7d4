import ArgumentParser
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
        ]
    )
    func options(arguments: [String], says: String) {
        let error = #expect(throws: (any Error).self) { try SessionOptions.parse(arguments) }
        #expect(error.map { SessionOptions.message(for: $0).contains(says) } == true)
        #expect(throws: (any Error).self) { try KeyFobCommand.parse(arguments) }
    }
}
