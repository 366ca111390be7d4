import ArgumentParser
import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatOverflowArea
import BluethroatOverflowStudy
import BluethroatStudies
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatOverflowWorld
@testable import BluethroatTerminal
@testable import bluethroat

@Suite("bluethroat overflow study")
struct StudyCommandTests {
    @Test("A study of nothing in particular is one crowd")
    func plain() throws {
        let command = try #require(try Bluethroat.parseAsRoot(["overflow", "study"]) as? StudyCommand)
        #expect(try command.crowd.varied() == nil)
        let crowds = command.crowd.crowds(nil, minutes: command.minutes)
        #expect(crowds == [CrowdSettings()])
    }

    @Test("A list makes a row of each value, in its order")
    func list() throws {
        let command = try StudyCommand.parse([
            "--interval", "200, 100,1022.5", "--phones", "7", "--pollution", "0.25", "--minutes", "0.5",
        ])
        let varied = try command.crowd.varied()
        #expect(varied == .interval)
        let crowds = command.crowd.crowds(varied, minutes: command.minutes)
        #expect(
            crowds.map { $0.interval.span } == [.milliseconds(200), .milliseconds(100), .microseconds(1_022_500)]
        )
        #expect(crowds.allSatisfy { $0.phones == 7 && $0.length == .seconds(30) && $0.systemVersion == 13 })
        #expect(crowds.allSatisfy { $0.pollution == .percent(25) })
    }

    @Test("All options together")
    func full() throws {
        let command = try StudyCommand.parse([
            "--phones", "10,20", "--scanners", "2", "--area", "50", "--rotation", "2.5", "--speed", "0", "--ios",
            "14",
            "--within", "5,1", "--since", "contact", "--seed", "18446744073709551615", "--worlds", "3", "--threads",
            "2",
            "--csv", "a.csv", "--svg", "a.svg", "--json",
        ])
        #expect(command.within == [5, 1] && command.since == .contact && command.seed == .max)
        #expect(command.worlds == 3 && command.output.threads == 2 && command.output.json)
        #expect(command.output.csv == "a.csv" && command.output.svg == "a.svg")
        let crowd = command.crowd.crowds(.phones, minutes: 2)[1]
        #expect(crowd.phones == 20 && crowd.scanners == 2 && crowd.side == 50 && crowd.speed == 0)
        #expect(crowd.rotation == .milliseconds(2_500) && crowd.systemVersion == 14)
        #expect(crowd.air == CrowdSettings().air)
        let city = try StudyCommand.parse(["--phones", "1000000", "--scanners", "2000", "--air", "crowd"])
        let air = try CrowdSettings.air("crowd")
        #expect(city.crowd.crowds(nil, minutes: 10).map(\.air) == [air] && air != CrowdSettings().air)
        let coded = try StudyCommand.parse(["--mode", "bch", "--foreign", "0,14"])
        #expect(try coded.crowd.varied() == .foreign)
        #expect(coded.crowd.crowds(.foreign, minutes: 2).map(\.foreignBits) == [0, 14])
        #expect(coded.crowd.crowds(.foreign, minutes: 2).allSatisfy { $0.sending == .code(.bch) })
    }

    @Test(
        "Wrong values are one line that says what would be right",
        arguments: [
            (["--phones", "0"], "0 is not possible; give a whole number from 1 to 2000000"),
            (["--phones", "1.5"], "1.5 is not possible; give a whole number from 1 to 2000000"),
            (["--phones", "10,,20"], "nothing is not possible"),
            (["--phones", "10,x"], "x is not possible"),
            (["--phones", "10,10"], "10 is there twice"),
            (["--scanners", "10001"], "10001 is not possible; give a whole number from 1 to 10000"),
            (["--interval", "19"], "19 is not possible; give a number from 20 to 10240"),
            (["--pollution", "1.1"], "1.1 is not possible; give a number from 0 to 1"),
            (["--pollution", "nan"], "nan is not possible"),
            (["--rotation", "0"], "0 is not possible; give a number from 0.1 to 3600"),
            (["--area", "inf"], "inf is not possible"),
            (["--minutes", "0"], "0 is not possible"),
            (["--minutes", "1", "--within", "61"], "--within 61 is longer than it is listened"),
            (["--phones", "1,2", "--area", "3,4"], "--phones and --area are lists; only one option may be one"),
            (["--air", "thin"], "thin is not possible; give exact or crowd"),
            (["--since", "yesterday"], "give start or contact"),
            (["--seed", "-1"], "seed"),
            (["--foreign", "65"], "65 is not possible; give a whole number from 0 to 64"),
            (["--mode", "sequential"], "--mode sequential sends no payload to be studied"),
            (["--foreign", "1,2", "--speed", "3,4"], "--speed and --foreign are lists; only one option may be one"),
            (
                ["--mode", "conversation"],
                "--mode conversation has numbers for 16 phones; give fewer, as in --phones 2,4,8,16"
            ),
            (
                ["--mode", "conversation", "--phones", "4", "--scanners", "1,2"],
                "--mode conversation has no scanners, who walk about; leave --scanners out"
            ),
            (["--threads", "0"], "0 is not possible"),
            (["--csv", "-", "--svg", "-"], "only one of --csv -, --svg - and --json can be on standard output"),
            (["--csv", "-", "--json"], "only one of --csv -, --svg - and --json can be on standard output"),
        ]
    )
    func wrong(arguments: [String], message: String) {
        do {
            _ = try StudyCommand.parse(arguments)
            Issue.record("\(arguments) was taken")
        } catch {
            #expect(StudyCommand.message(for: error).contains(message), "\(StudyCommand.message(for: error))")
        }
    }

    @Test("A --within as long as it is listened is taken, also where 8.2 minutes are not quite 492 seconds")
    func longestWithin() throws {
        #expect(try StudyCommand.parse(["--minutes", "8.2", "--within", "492"]).within == [492])
    }

    @Test("Files that cannot be written are found before anything is computed")
    func files() {
        #expect(throws: OperationFailure.self) { try StudyFiles(csv: "/nonexistent/a.csv", svg: nil).check() }
        #expect(throws: OperationFailure.self) { try StudyFiles(csv: nil, svg: "/").check() }
        #expect(throws: Never.self) { try StudyFiles(csv: "-", svg: nil).check() }
        #expect(throws: Never.self) {
            try StudyFiles(csv: FileManager.default.temporaryDirectory.path + "/new.csv", svg: nil).check()
        }
    }

    @Test("Progress says how long it will take as soon as that can be told")
    func progress() {
        #expect(ShareProgress.line(0.005, after: .seconds(9)) == "0 %")
        #expect(ShareProgress.line(0.25, after: .seconds(10)) == "25 %, about 30 s to go")
    }
}
