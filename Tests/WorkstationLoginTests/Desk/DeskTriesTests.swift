import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("Tries and locks of a desk that survive its restart")
struct DeskTriesTests {
    private let guess = Credentials(user: "alice", password: "no")
    private let bob = Credentials(user: "bob", password: "battery staple")

    @Test("A name that has to wait has to wait after a restart, from the beginning; and then one try doubles it")
    func nameWaits() {
        let tries = KeptTries()
        let scene = LoginScene()
        let desk = scene.addDesk(tries: tries)
        for _ in 0..<5 { #expect(desk.desk.logIn(guess) == nil) }
        // Restarted as often as one likes: no try is won.
        for _ in 0..<3 {
            let other = LoginScene()
            let again = other.addDesk(tries: tries)
            #expect(again.desk.logIn(LoginScene.alice) == "too many failures of alice, who has to wait 30 s")
            other.run(for: .seconds(29))
            #expect(again.desk.logIn(guess) == "too many failures of alice, who has to wait 1 s")
        }
        let last = LoginScene()
        let again = last.addDesk(tries: tries)
        last.run(for: .seconds(31))
        #expect(again.desk.logIn(guess) == nil && again.events.all.last == .closedFor(user: "alice", seconds: 60))
        // The other name is not concerned.
        #expect(again.desk.logIn(bob) == nil && again.desk.screen.session?.user == "bob")
    }

    @Test("Restarted after each try, a desk gives as many tries as one that runs on: five of a name, ten in all")
    func restartedEachTime() {
        for (names, most) in [(1, 5), (100, 10)] {
            let tries = KeptTries()
            var rejected = 0
            for number in 0..<20 {
                let scene = LoginScene()
                let desk = scene.addDesk(tries: tries)
                desk.desk.logIn(Credentials(user: "user\(number % names)", password: "no"))
                rejected += desk.events.all.count { if case .rejected = $0 { true } else { false } }
            }
            #expect(rejected == most)
        }
    }

    @Test("Wrong passwords from phones are kept like those that are typed at the desk")
    func fromPhones() throws {
        let tries = KeptTries()
        let scene = LoginScene()
        let desk = scene.addDesk(key: 7, tries: tries), phone = scene.addPhone(storage: try LoginScene.knowing())
        phone.app.forgetCredentials()
        scene.run(for: .seconds(5))
        phone.app.choose(LoginScene.identifier)
        for number in 1...3 {
            scene.run { phone.app.screen.page.wantsAnswer }
            phone.app.submit(guess)
            scene.run { desk.events.all.count { $0 == .rejected(user: "alice") } == number }
        }
        #expect(tries.failures.users["alice"]?.failures == 3 && tries.failures.desk.failures == 3)
    }

    @Test("A login makes the failures of its name forgotten after a restart, too, and an hour without one makes one")
    func forgotten() {
        let tries = KeptTries()
        let scene = LoginScene()
        let desk = scene.addDesk(tries: tries)
        for _ in 0..<4 { desk.desk.logIn(guess) }
        desk.desk.logIn(LoginScene.alice)
        #expect(tries.failures.users["alice"] == nil && tries.failures.desk.failures == 0)
        desk.desk.endSession()
        for _ in 0..<4 { desk.desk.logIn(guess) }
        // The time that the desk was off is not counted, that for which it runs is.
        var watch = DeskGuard(tries.failures, at: 1_000)
        #expect(watch.failed(user: "alice", at: 4_601).user == nil, "the fourth")
        #expect(watch.failed(user: "alice", at: 4_601).user == 30)
        watch = DeskGuard(tries.failures, at: 1_000)
        #expect(watch.failed(user: "alice", at: 4_599).user == 30, "the fifth")
    }

    @Test("What a desk keeps while it is closed can be read when it starts again, whenever that was")
    func keptAtAnyTime() throws {
        let random = RandomBytes.seeded(3)
        for _ in 0..<500 {
            var now = Double(random(4).reduce(0) { $0 << 8 | Int($1) }) / 1_009
            var watch = DeskGuard()
            for _ in 0..<20 {
                _ = watch.failed(user: "alice", at: now)
                let kept = try JSONEncoder().encode(watch.failures(at: now))
                let read = try JSONDecoder().decode(DeskFailures.self, from: kept)
                #expect((0...900).contains(read.desk.wait) && read.desk.age == 0, "\(now)")
                watch = DeskGuard(read, at: now)
                now += 0.1
            }
            #expect(watch.failures(at: now - 0.1).desk == .init(failures: 15, age: 0, wait: 900), "\(now)")
        }
        // What earlier versions have kept.
        let old = #"{"age":-0.0000001,"failures":15,"wait":900.0000000000002}"#
        let text = #"{"desk":\#(old),"held":0,"users":{}}"#
        let watch = DeskGuard(try JSONDecoder().decode(DeskFailures.self, from: Data(text.utf8)), at: 7)
        #expect(watch.wait(at: 7) == 900)
    }

    @Test("What cannot be kept is no reason to give more tries: no password is checked until it can be")
    func cannotBeKept() {
        let tries = KeptTries()
        let scene = LoginScene()
        let desk = scene.addDesk(tries: tries)
        tries.refuse("the disk is full; make room")
        let refusal = "passwords cannot be checked: the disk is full; make room"
        #expect(desk.desk.logIn(guess) == refusal)
        #expect(desk.events.all.last == .unavailable("the disk is full; make room"))
        #expect(desk.desk.logIn(LoginScene.alice) == refusal && desk.desk.logIn(bob) == refusal)
        #expect(desk.desk.screen.session == nil && !desk.events.all.contains(.rejected(user: "alice")))
        tries.refuse(nil)
        #expect(desk.desk.logIn(bob) == nil && desk.desk.screen.session?.user == "bob")
        #expect(tries.failures.users["alice"] == nil)
    }

    @Test("A try is kept before it is checked: a desk that is ended meanwhile has counted it")
    func countedBefore() {
        let tries = KeptTries()
        for number in 1...4 {
            let scene = LoginScene(), answers = HeldAnswers()
            let desk = scene.addDesk(tries: tries, work: answers.work)
            #expect(desk.desk.logIn(guess) == nil && answers.count == 1)
            #expect(tries.failures.users["alice"]?.failures == number && tries.failures.desk.failures == number)
        }
        // The fifth, and what comes of it cannot be kept: it has been, before.
        let scene = LoginScene(), answers = HeldAnswers()
        let desk = scene.addDesk(tries: tries, work: answers.work)
        #expect(desk.desk.logIn(guess) == nil)
        tries.refuse("the disk is full; make room")
        answers.release()
        let again = LoginScene().addDesk(tries: tries)
        #expect(again.desk.logIn(LoginScene.alice) == "too many failures of alice, who has to wait 30 s")
        // One that was right leaves nothing.
        let last = KeptTries(), other = LoginScene()
        #expect(other.addDesk(tries: last).desk.logIn(LoginScene.alice) == nil && last.failures == DeskFailures())
    }

    private struct Undecided: CredentialVerifier {
        func verify(_ credentials: Credentials) -> CredentialVerdict { .undecided("System error") }
    }

    @Test(
        "A check without a verdict counts as a failure, since a wrong password may be why; nobody hears that it was wrong"
    )
    func undecided() {
        let tries = KeptTries()
        let scene = LoginScene()
        let desk = scene.addDesk(users: Undecided(), tries: tries)
        for _ in 0..<5 { #expect(desk.desk.logIn(guess) == nil) }
        #expect(desk.desk.logIn(guess) == "too many failures of alice, who has to wait 30 s")
        #expect(desk.events.all.count { $0 == .unavailable("System error") } == 5)
        #expect(!desk.events.all.contains(.rejected(user: "alice")))
        #expect(tries.failures.users["alice"]?.failures == 5)
    }
}

@Suite("The file of a desk's key and of its count")
struct DeskKeyFileTests {
    /// A file of the test's own, in a folder that only it may enter.
    private func withFile(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("desk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("key"))
    }

    private func put(_ bytes: Data, _ file: URL) throws {
        try bytes.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private var counted: DeskFailures {
        var failures = DeskFailures()
        failures.users["alice"] = .init(failures: 5, age: 0, wait: 30)
        failures.desk = .init(failures: 5, age: 1.5, wait: 0)
        failures.held = 12.5
        return failures
    }

    @Test("Key and count are there after a restart, in a file of mode 0600, and one desk at a time has them")
    func kept() throws {
        try withFile { file in
            var key = Data()
            do {
                let desk = try DeskKeyFile(file)
                key = desk.key.bytes
                #expect(desk.failures == DeskFailures() && desk.keep(counted) == nil && desk.failures == counted)
                withExtendedLifetime(desk) {
                    let failure = #expect(throws: DeskKeyFile.Failure.inUse(file.path)) { try DeskKeyFile(file) }
                    #expect(failure?.description.contains("\n") == false)
                }
            }
            let again = try DeskKeyFile(file)
            #expect(again.key.bytes == key && again.failures == counted)
            #expect(try DeskKeyFile.key(in: file)?.bytes == key, "to look only")
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("How many entries each log has is kept with the count, and each outlives a change of the other")
    func logs() throws {
        try withFile { file in
            let log = URL(fileURLWithPath: "/var/log/desk"), other = URL(fileURLWithPath: "/var/log/../log/other")
            do {
                let desk = try DeskKeyFile(file)
                #expect(desk.entries(ofLog: log) == 0 && desk.keep(counted) == nil)
                try desk.keep(entries: 4, ofLog: log)
                try desk.keep(entries: 7, ofLog: other)
                #expect(desk.keep(counted) == nil)
            }
            let again = try DeskKeyFile(file)
            #expect(again.failures == counted && again.entries(ofLog: log) == 4)
            #expect(again.entries(ofLog: URL(fileURLWithPath: "/var/log/other")) == 7)
            #expect(try DeskKeyFile.entries(ofLog: log, accordingTo: file) == 4)
        }
    }

    @Test("A key that an older version has kept is used, and its count begins with nothing")
    func old() throws {
        try withFile { file in
            let key = DeskKey(random: .seeded(7))
            try put(Data((key.bytes.base64EncodedString() + "\n").utf8), file)
            #expect(try DeskKeyFile(file).key.bytes == key.bytes)
            #expect(try Data(contentsOf: file).first == UInt8(ascii: "{"))
            #expect(try DeskKeyFile(file).keep(counted) == nil)
            #expect(try DeskKeyFile(file).failures == counted)
        }
    }

    @Test("A count that was changed in any bit, cut or taken away is refused with an error, and the file is left alone")
    func forged() throws {
        try withFile { file in
            #expect(try DeskKeyFile(file).keep(counted) == nil)
            let sound = try Data(contentsOf: file)
            let object = try #require(JSONSerialization.jsonObject(with: sound) as? [String: Any])
            var damages = (0..<sound.count - 1).map { sound.prefix($0) }
            for (name, value) in [
                (
                    "failures",
                    Data(#"{"desk":{"age":0,"failures":0,"wait":0},"held":0,"users":{}}"#.utf8).base64EncodedString()
                ),
                ("failures", ""), ("seal", Data(count: 32).base64EncodedString()), ("seal", ""),
                ("key", DeskKey(random: .seeded(1)).bytes.base64EncodedString()), ("version", 1 as Any),
                ("version", 3 as Any),
            ] {
                var forged = object
                forged[name] = value
                damages.append(try JSONSerialization.data(withJSONObject: forged))
                forged[name] = nil
                damages.append(try JSONSerialization.data(withJSONObject: forged))
            }
            for damage in damages {
                try put(damage, file)
                let failure = #expect(throws: DeskKeyFile.Failure.self) { try DeskKeyFile(file) }
                #expect([.noKey(file.path), .changedCount(file.path)].contains(failure), "\(damage.count) bytes")
                #expect(failure?.description.contains("\n") == false)
                #expect(try Data(contentsOf: file) == damage)
            }
            for index in sound.indices {
                var flipped = sound
                flipped[index] ^= 1
                try put(flipped, file)
                // Something that means the same is fine; anything else must be an error.
                if let opened = try? DeskKeyFile(file) { #expect(opened.failures == counted) }
            }
        }
    }

    @Test(
        "Numbers that no desk counts are refused, even sealed",
        arguments: [
            #"{"desk":{"age":0,"failures":-1,"wait":0},"held":0,"users":{}}"#,
            #"{"desk":{"age":0,"failures":99,"wait":0},"held":0,"users":{}}"#,
            #"{"desk":{"age":-1,"failures":0,"wait":0},"held":0,"users":{}}"#,
            #"{"desk":{"age":1e300,"failures":0,"wait":0},"held":0,"users":{}}"#,
            #"{"desk":{"age":0,"failures":0,"wait":1e9},"held":0,"users":{}}"#,
            #"{"desk":{"age":0,"failures":0,"wait":0},"held":-5,"users":{}}"#,
            #"{"desk":{"age":0,"failures":0,"wait":0},"held":0,"users":{"a":{"age":0,"failures":11,"wait":0}}}"#,
        ]
    )
    func impossible(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(DeskFailures.self, from: Data(text.utf8)) }
    }
}
