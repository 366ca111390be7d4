import BluethroatEvents
import BluethroatLive
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import BluethroatWorkstationLogin
import Testing

@testable import BluethroatWorkstationWorld

/// A desk and a phone in one world, and what both are told in lines.
private final class Dialogue {
    let session = LiveSession(seed: 1, isVirtual: true, drawsSecrets: false)
    let world: LoginWorld
    private let items: AsyncStream<EventSink<LoginEvent>.Item>
    private let continuation: AsyncStream<EventSink<LoginEvent>.Item>.Continuation

    init(
        hasPhone: Bool = true,
        hasDesk: Bool = true,
        _ adjust: (inout LoginWorld.PhoneSetup) -> Void = { _ in }
    ) throws {
        (items, continuation) = AsyncStream.makeStream(of: EventSink<LoginEvent>.Item.self)
        var users = UserList()
        _ = users.set(
            Credentials(user: "alice", password: "correct horse"),
            cost: ScryptCost(logarithm: 1)!,
            random: .seeded(1)
        )
        let identifier = DeskIdentifier("4711")!
        let key = DeskKey(random: .seeded(7))
        let desk = LoginWorld.DeskSetup(identifier: identifier, key: key, verifier: users)
        var phone = LoginWorld.PhoneSetup(storage: .memory)
        adjust(&phone)
        let setup = LoginWorld.Setup(desk: hasDesk ? desk : nil, phone: hasPhone ? phone : nil)
        world = try LoginWorld(session, EventSink(continuation), setup)
        world.begin()
    }

    var phone: LoginPhone { world.phones[0].app }
    var desk: Desk { world.desks[0].app }

    func run(_ span: TimeSpan = .seconds(30), until condition: () -> Bool = { false }) {
        session.workbench.world.run(for: span, until: condition)
        world.ran()
    }

    /// All that was written: lines of events, refusals after an exclamation mark, and how it ended.
    func lines() async -> [String] {
        continuation.finish()
        var lines: [String] = []
        for await item in items {
            switch item {
            case .event(let event): if let line = event.line { lines += line.split(separator: "\n").map(String.init) }
            case .failed(let why, _): lines.append("! \(why)")
            case .ended(let failure): lines.append("ended: \(failure.map { "\($0.message)" } ?? "well")")
            default: break
            }
        }
        return lines
    }
}

@Suite("What phone and desk are told in lines")
struct LoginDialogueTests {
    private let id = DeskIdentifier("4711")!

    @Test("Answers that come before they are asked for wait, and the desk that the command names is used")
    func early() async throws {
        let scene = try Dialogue { phone in
            phone.desk = DeskIdentifier("4711")
            phone.isOnce = true
        }
        scene.world.take("alice")
        scene.world.take("correct horse")
        scene.world.take(nil)
        scene.run { scene.desk.screen.code != nil }
        scene.run(.seconds(1))
        let lines = await scene.lines()
        #expect(!lines.contains { $0.hasPrefix("Which desk") || $0.hasPrefix("!") }, "\(lines)")
        #expect(
            lines.contains("Desk 4711 is looked for") && lines.contains("User name:") && lines.contains("Password:")
        )
        #expect(scene.desk.screen.code != nil)
        #expect(lines.last == "ended: there is nobody to answer: standard input has ended")
    }

    @Test("A word counts at once where nothing waits, and cancel drops what waits")
    func earlyWords() async throws {
        let scene = try Dialogue { $0.desk = DeskIdentifier("4711") }
        for line in ["alice", "correct horse"] { scene.world.take(line) }
        scene.run { scene.desk.screen.code != nil }
        scene.run(.seconds(1))
        let code: String = try #require(scene.desk.screen.code)
        scene.world.take(code)
        scene.run { scene.desk.screen.session != nil }
        scene.run(.seconds(1))
        scene.world.take("lock")
        scene.run { scene.desk.screen.session?.isLocked == true }
        #expect(scene.desk.screen.session?.isLocked == true)
        scene.world.take("end")
        scene.run { scene.desk.screen.session == nil }
        scene.run(.seconds(1))
        for line in ["4711", "wait", "cancel"] { scene.world.take(line) }
        #expect(scene.phone.screen.page == .start)
        scene.run(.seconds(30))
        #expect(scene.desk.screen.session == nil && scene.phone.screen.page == .start)
    }

    @Test("What waited for an attempt that has failed answers nothing any more")
    func earlyForNothing() async throws {
        let scene = try Dialogue(hasDesk: false) { $0.desk = DeskIdentifier("4711") }
        scene.world.take("alice")
        scene.run()
        let lines = await scene.lines()
        #expect(lines.last == "Desk 4711 was not found; its four digits once more, or others:", "\(lines)")
    }

    @Test("quit ends where a name is asked for, and is a password where that is asked for")
    func quit() async throws {
        let scene = try Dialogue()
        scene.run(.seconds(5))
        scene.world.take("4711")
        scene.world.take("quit")
        let lines = await scene.lines()
        #expect(lines.suffix(2) == ["User name:", "ended: well"])

        let other = try Dialogue()
        other.run(.seconds(5))
        for line in ["4711", "alice", "quit"] { other.world.take(line) }
        #expect(other.phone.screen.page == .connecting(id))
    }

    @Test("Letters where digits of the monitor are asked for are no code, and no unknown word")
    func code() async throws {
        let scene = try Dialogue()
        scene.run(.seconds(5))
        for line in ["4711", "alice", "correct horse"] { scene.world.take(line) }
        scene.run { scene.phone.screen.page.word == "code" }
        scene.world.take("12ab")
        let lines = await scene.lines()
        #expect(lines.contains("The desk shows six digits; look at its monitor again"), "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("!") })
    }

    @Test("The last try at the PIN is one try")
    func lastTry() async throws {
        let scene = try Dialogue()
        scene.run(.seconds(1))
        scene.world.take("pin 1234")
        scene.world.take("app-lock")
        for _ in 0..<9 { scene.world.take("9999") }
        let lines = await scene.lines()
        #expect(lines.last == "PIN (1 try):", "\(lines)")
    }

    @Test("The text of a desk's QR code is as good as its digits; the code is drawn where it is asked for")
    func scanned() async throws {
        let scene = try Dialogue()
        scene.run(.seconds(5))
        scene.world.take("bluethroat-desk:4711")
        #expect(scene.phone.screen.page == .credentials(id, fault: nil))
        let desk = try Dialogue(hasPhone: false)
        desk.world.take("qr")
        let lines = await desk.lines()
        #expect(lines.joined(separator: "\n") == id.qrCode.halfBlocks)
    }

    @Test("login NAME at a desk asks for the password, and opens a session without a phone")
    func typed() async throws {
        let scene = try Dialogue(hasPhone: false)
        scene.run(.seconds(1))
        scene.world.take("login alice")
        scene.world.take("wrong")
        #expect(scene.desk.screen.session == nil)
        scene.world.take("login alice")
        scene.world.take("correct horse")
        #expect(scene.desk.screen.session?.user == "alice")
        scene.world.take("login bob")
        scene.world.take("x")
        scene.world.take("end")
        let lines = await scene.lines()
        #expect(lines.contains("Desk 4711: alice was not let in: name or password is wrong"))
        #expect(lines.contains("Desk 4711: alice is logged in") && lines.contains("Password:"))
        #expect(lines.contains("! alice is logged in; that session has to end first"))
        #expect(lines.last == "Desk 4711: alice is logged out: at-desk")
    }
}
