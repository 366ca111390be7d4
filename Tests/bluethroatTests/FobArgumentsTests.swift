import ArgumentParser
import BluethroatKeyFobPhone
import BluethroatLive
import Testing

@testable import bluethroat

@Suite("Which fob, on the command line")
struct FobArgumentsTests {
    @Test("A phone, with all limits of iOS 6, some, or none")
    func limits() throws {
        let plain = try KeyFobCommand.parse(["--personality", "phone"])
        #expect(plain.fob.phone(waits: false).limits == [] && plain.fob.phone(waits: true).advertisesAtStart == false)
        for (arguments, limits) in [
            (["--ios6-limits"], .all), (["--ios6-limits", "--json"], .all), (["--ios6-limits", "all"], .all),
            (["--ios6-limits", "--seed", "4"], .all), (["--ios6-limits", "linkLoss"], .linkLoss),
            (["--ios6-limits=deviceName,writeWithoutResponse"], [.deviceName, .writeWithoutResponse]),
            (["--ios6-limits", "backgroundServices"], .backgroundServices),
        ] as [([String], IOS6Limits)] {
            let command = try KeyFobCommand.parse(["--personality", "phone"] + arguments)
            #expect(command.fob.phone(waits: false).limits == limits, "\(arguments)")
        }
    }

    @Test("One fob, or as many as are wanted, of either kind; one of them on a controller")
    func count() throws {
        #expect(try KeyFobCommand.parse([]).count == 1)
        #expect(try KeyFobCommand.parse(["--fobs", "3", "--personality", "phone"]).count == 3)
        #expect(try KeyFobCommand.parse(["--fobs", "1", "--controller", "pty:/dev/pts/9"]).count == 1)
    }

    @Test(
        "What only the other fob understands is refused by name",
        arguments: [
            (["--personality", "phone", "--firmware", "1.4"], "--firmware"),
            (["--personality", "phone", "--no-parameter-request"], "--no-parameter-request"),
            (["--personality", "phone", "--mtu", "100"], "--mtu"), (["--mtu", "22"], "23 to 517"),
            (["--mtu", "518"], "23 to 517"), (["--personality", "phone", "--require-pairing"], "--require-pairing"),
            (["--personality", "phone", "--passkey", "1"], "--passkey"),
            (["--personality", "phone", "--ios6-limits", "linkloss"], "linkloss"),
            (["--personality", "phone", "--ios6-limits", "linkLoss,,deviceName"], "\"\""),
            (["--ios6-limits"], "--personality phone"), (["--personality", "pigeon"], "phone"),
            (["--fobs", "0"], "1 to 9"), (["--fobs", "10"], "1 to 9"), (["--fobs", "many"], "1 to 9"),
            (["--fobs", "2", "--controller", "pty:/dev/pts/9"], "leave out --fobs"),
        ]
    )
    func refused(arguments: [String], word: String) {
        let error = #expect(throws: (any Error).self) { try KeyFobCommand.parse(arguments) }
        let message = error.map { KeyFobCommand.message(for: $0) } ?? ""
        #expect(message.contains(word), "\(message)")
    }
}
