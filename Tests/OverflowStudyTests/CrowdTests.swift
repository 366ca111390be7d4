import BluethroatBluetoothValues
import BluethroatOverflowArea
import BluethroatRadioMedium
import BluethroatStudies
import BluethroatVirtualTime
import Testing

@testable import BluethroatOverflowStudy

/// Crowds so small that what must come of them can be told beforehand.
@Suite("A small crowd")
struct CrowdTests {
    /// Everybody within a few metres of each other for half a minute; advertisements every 300 ms.
    static var nearby: CrowdSettings {
        var crowd = CrowdSettings()
        crowd.phones = 1
        crowd.scanners = 1
        crowd.side = 5
        crowd.length = .seconds(30)
        crowd.interval = AdvertisingInterval(steps: 480)!
        return crowd
    }

    static func rows(_ crowd: CrowdSettings, seed: UInt64 = 1, worlds: Int = 1) throws -> StudyRow {
        var study = Study([crowd])
        study.seed = seed
        study.worlds = worlds
        return try #require(study.run(threads: 2) { _ in true }?.first)
    }

    @Test("A phone nearby is heard at once and read after its next rotation", arguments: [5, 12] as [Int64])
    func oneRotation(rotation: Int64) throws {
        var crowd = Self.nearby
        crowd.rotation = .seconds(rotation)
        let row = try Self.rows(crowd, worlds: 12)
        for (world, result) in row.results.enumerated() {
            let heard = try #require(result.phones[0].heard, "world \(world)")
            let wait = try #require(result.waits.first, "world \(world)")
            // An advertisement every 300 to 310 ms; the first that is heard counts as seen, one after the rotation is believed.
            #expect(heard <= .milliseconds(650), "world \(world)")
            #expect(wait > .zero && wait <= crowd.rotation + .milliseconds(950), "world \(world): \(wait)")
            #expect(result.phones[0].got.map { $0 - heard } == wait, "world \(world)")
        }
        // The rotation is anywhere when a phone is heard first: on average half of it is still to come.
        let mean = row.results.flatMap(\.waits).map(\.inSeconds).reduce(0, +) / 12
        #expect((0.25...0.75).contains(mean / Double(rotation)), "on average \(mean) s")
        #expect(row.mistakes == 0)
    }

    @Test("A phone that is out of range is neither heard nor read")
    func outOfRange() throws {
        var crowd = Self.nearby
        crowd.side = 100_000
        let row = try Self.rows(crowd, worlds: 5)
        #expect(row.heard.count == 0 && row.heard.total == 5)
        #expect(row.got(within: crowd.length).count == 0)
        #expect(row.medianWait == nil && row.meetings.total == 0)
        #expect(row.results.allSatisfy { $0.transmissions > 290 })
    }

    @Test("Where both banks of all phones are polluted every phone is heard and none is read")
    func allPolluted() throws {
        var crowd = Self.nearby
        crowd.phones = 10
        crowd.pollution = .always
        let row = try Self.rows(crowd)
        #expect(row.heard.count == 10)
        #expect(row.got(within: crowd.length).count == 0)
        #expect(row.mistakes == 0)
    }

    @Test("One polluted bank is no harm: half of the banks polluted leave three phones out of four")
    func halfPolluted() throws {
        var crowd = Self.nearby
        crowd.phones = 40
        crowd.side = 40
        crowd.interval = AdvertisingInterval(steps: 1_636)!
        crowd.pollution = .percent(50)
        let row = try Self.rows(crowd, worlds: 2)
        #expect(row.heard.count == 80)
        #expect((48...72).contains(row.got(within: crowd.length).count), "\(row.got(within: crowd.length))")
        #expect(row.mistakes == 0)
    }

    @Test(
        "Fourteen foreign bits on each phone leave all BCH code words, and next to nothing of two positions",
        arguments: [13, 16]
    )
    func foreignBits(version: Int) throws {
        var crowd = Self.nearby
        crowd.phones = 10
        crowd.foreignBits = 14
        crowd.sending = .code(.bch)
        crowd.systemVersion = version
        let row = try Self.rows(crowd)
        #expect(row.heard.count == 10 && row.got(within: crowd.length).count == 10)
        let without = try #require(row.gotWithoutCode)
        #expect(without.total == 10 && without.count <= 2, "\(without)")
        crowd.sending = .code(.hamming(start: HammingFrame.usualStart))
        let hamming = try Self.rows(crowd)
        #expect(hamming.got(within: crowd.length).count < 8 && hamming.gotWithoutCode == without)
        #expect(row.mistakes == 0)
    }

    @Test(
        "Phones in pairs exchange messages: half a second and half a change for each byte, or somewhat more",
        arguments: [2, 6]
    )
    func conversations(phones: Int) throws {
        var crowd = Self.nearby
        crowd.phones = phones
        crowd.length = .seconds(60)
        crowd.sending = .conversation
        let row = try Self.rows(crowd)
        #expect(row.heard.count == phones && row.got(within: crowd.length).count == phones)
        #expect(row.meetings == StudyRow.Share(count: phones, total: phones) && row.mistakes == 0)
        let time = try #require(row.timePerByte), changes = try #require(row.changesPerByte)
        #expect(time >= .milliseconds(400) && time < .seconds(2) && changes >= 0.5 && changes < 2)
        crowd.systemVersion = 14
        #expect(try Self.rows(crowd).timePerByte == nil)
    }

    @Test("A payload of four bytes costs its wait, and the changes of all phones")
    func cost() throws {
        var crowd = Self.nearby
        let turning = try Self.rows(crowd)
        let wait = try #require(turning.results[0].waits.first)
        #expect(turning.timePerByte == wait / 4 && turning.results[0].waited == wait)
        // It begins within five seconds, and changes every five seconds for the rest of 36 s.
        #expect((7...8).contains(turning.results[0].changes) && turning.gotWithoutCode == nil)
        #expect(turning.changesPerByte == Double(turning.results[0].changes) / 4)
        crowd.sending = .code(.bch)
        let still = try Self.rows(crowd)
        #expect(still.changesPerByte == 1 / 4 && still.gotWithoutCode?.count == 1)
        #expect(try #require(still.timePerByte) <= wait / 4)
        crowd.pollution = .always
        crowd.sending = .positions
        let none = try Self.rows(crowd)
        let heard = try #require(none.results[0].phones[0].heard)
        #expect(none.timePerByte == nil && none.changesPerByte == nil)
        #expect(none.results[0].waited == crowd.length - heard)
    }

    @Test("From iOS 14 on nothing rotates in the background, and nothing is read")
    func newSystem() throws {
        var crowd = Self.nearby
        crowd.phones = 5
        crowd.systemVersion = 14
        let row = try Self.rows(crowd)
        #expect(row.heard.count == 5)
        #expect(row.got(within: crowd.length).count == 0)
    }

    @Test("People who walk find phones that those who stand do not")
    func walking() throws {
        var crowd = Self.nearby
        crowd.phones = 20
        crowd.side = 400
        crowd.length = .seconds(60)
        crowd.speed = 0
        let standing = try Self.rows(crowd, worlds: 3)
        crowd.speed = 5
        let walking = try Self.rows(crowd, worlds: 3)
        #expect(standing.heard.count < walking.heard.count)
        #expect(standing.heard.count > 0 && walking.heard.count < 60)
    }

    @Test("Somebody who walks keeps to the square and to the speed", arguments: 1...20 as ClosedRange<UInt64>)
    func walker(seed: UInt64) {
        var walker = Walker(side: 10_000, speed: 1.5, random: SeededRandom(seed: seed, purpose: "walk"))
        var places = Set([walker.position])
        for _ in 0..<200 {
            let before = walker.position
            walker.walk(for: 1)
            let dx = Double(walker.position.x - before.x), dy = Double(walker.position.y - before.y)
            // A corner makes it less; whole millimetres may make it a little more.
            #expect((dx * dx + dy * dy).squareRoot() <= 1_502, "seed \(seed)")
            #expect(
                (0...10_000).contains(walker.position.x) && (0...10_000).contains(walker.position.y),
                "seed \(seed)"
            )
            places.insert(walker.position)
        }
        #expect(places.count > 190, "seed \(seed)")
    }
}
