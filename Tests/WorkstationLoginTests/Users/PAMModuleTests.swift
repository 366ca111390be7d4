#if os(Linux)
    import Foundation
    import BluethroatPhones
    import BluethroatRadioMedium
    import BluethroatSimulation
    import Synchronization
    import Testing
    import BluethroatVirtualTime

    @testable import BluethroatWorkstationLogin

    @Suite("PAM with modules of the test's own", .enabled(if: PAMVerifier.isThere && PAMModule.compiler != nil))
    struct PAMModuleTests {
        private let alice = LoginScene.alice

        @Test(
            "What a module says is what the desk is told",
            arguments: [
                ("permit", CredentialVerdict.accepted), ("fail", .rejected), ("twice", .accepted), ("many", .rejected),
                ("none", .rejected), ("echo", .rejected),
            ]
        )
        func verdicts(behaviour: String, verdict: CredentialVerdict) throws {
            let module = try PAMModule(behaviour)
            defer { module.remove() }
            #expect(try PAMVerifier(service: "desk", folder: module.folder.path).verify(alice) == verdict)
        }

        @Test("A module that asks twice gets the password twice, and the wrong one twice is wrong")
        func twice() throws {
            let module = try PAMModule("twice")
            defer { module.remove() }
            let verifier = try PAMVerifier(service: "desk", folder: module.folder.path)
            #expect(verifier.verify(Credentials(user: "alice", password: "wrong")) == .rejected)
        }

        @Test("A module that cannot reach what it asks is no rejection")
        func unavailable() throws {
            let module = try PAMModule("unavailable")
            defer { module.remove() }
            guard
                case .undecided(let why) = try PAMVerifier(service: "desk", folder: module.folder.path).verify(alice)
            else { return _ = Issue.record("not told of") }
            #expect(why.hasPrefix("PAM's service desk: "))
        }

        @Test(
            "A module that hangs keeps neither the desk nor more than three threads; what it says later opens nothing"
        )
        func hanging() throws {
            let module = try PAMModule("hang")
            defer { module.remove() }
            let threads = HangingWork()
            let scene = LoginScene()
            let verifier = try PAMVerifier(service: "desk", folder: module.folder.path)
            let desk = scene.addDesk(users: verifier, work: threads.work), phone = scene.addPhone()
            scene.run(for: .seconds(5))
            phone.app.choose(LoginScene.identifier)
            phone.app.submit(alice)
            scene.run { phone.app.screen.page.isCode && desk.desk.screen.code != nil }
            phone.app.enterCode(try #require(desk.desk.screen.code))
            for number in 1...4 {
                scene.run(for: .seconds(40)) { phone.app.screen.page.wantsAnswer }
                let fault = "The desk cannot check passwords at the moment; try again later"
                #expect(phone.app.screen.page == .credentials(LoginScene.identifier, fault: fault), "\(number)")
                #expect(threads.started == min(number, 3))
                if number < 4 { phone.app.submit(alice) }
            }
            // All three say yes now, to what was given up long ago.
            try Data().write(to: module.release)
            threads.finish()
            scene.run(for: .seconds(3))
            #expect(desk.desk.screen.session == nil && !phone.app.screen.page.isConnected)
            // And the desk has its threads back.
            phone.app.submit(alice)
            scene.run(for: .seconds(3)) { threads.started == 4 }
            threads.finish()
            scene.run(for: .seconds(3)) { phone.app.screen.page.isConnected }
            #expect(desk.desk.screen.session?.user == "alice")
        }
    }

    /// Work on threads of its own, whose results arrive when the test wants them.
    private final class HangingWork {
        private var waiting: [(done: DispatchSemaphore, then: () -> Void)] = []
        private(set) var started = 0

        var work: SlowWork {
            SlowWork { [unowned self] work, then in
                let done = DispatchSemaphore(value: 0)
                started += 1
                waiting.append((done, then))
                Thread.detachNewThread {
                    work()
                    done.signal()
                }
            }
        }

        /// Waits for what was begun, and hands in the results.
        func finish() {
            let all = waiting
            waiting = []
            for one in all {
                guard one.done.wait(timeout: .now() + 60) == .success else { fatalError("a check has not ended") }
                one.then()
            }
        }
    }
#endif
