#if os(Linux)
    import BluethroatCentral
    import BluethroatEvents
    import BluethroatHCITransports
    import BluethroatHost
    import BluethroatLive
    import BluethroatLiveLoop
    import BluethroatOfficeDay
    import BluethroatOverflowWorld
    import BluethroatPeripheralApps
    import BluethroatSensorTagWorld
    import BluethroatVirtualTime
    import BluethroatWorkstationLogin
    import BluethroatWorkstationWorld
    import Foundation
    import Live
    import Testing

    @Suite("The other worlds begin, do something, and end", .timeLimit(.minutes(2)))
    struct OtherWorldsTests {
        @Test("SensorTag: a central at the port finds it by its name and sees its services")
        func sensorTag() async throws {
            let runner = LiveSessionRunner<SensorTagWorld, SensorTagEvent>(.realTime)
            try await runner.run { session, events in
                SensorTagWorld(session, events, name: "Attic", motion: .still)
            } during: { open in
                let port = try #require(open.endpoint)
                let central = try await Central.open(port) { _, _ in }
                let heard = try await central.find(.name("Attic"), toConnect: true, within: .seconds(10))
                let tag = try #require(heard)
                try await central.connect(to: tag, within: .seconds(10))
                let services = try await central.discover().services.map { "\($0.uuid)" }
                // The accelerometer.
                #expect(services.contains { $0.uppercased().hasPrefix("F000AA10") })
                await central.close()
            }
        }

        @Test("An iBeacon advertises")
        func beacon() async throws {
            let runner = LiveSessionRunner<BeaconWorld, BeaconEvent>(.virtualTime)
            let lines = try await runner.run { session, events in
                BeaconWorld(session, events, uuid: UUID(), major: 1, minor: 2, power: nil)
            } during: { open in
                await open.loop.perform { $0.advance(by: .seconds(2)) }
                var lines: [String] = []
                for await event in open.events {
                    if let line = event.line { lines.append(line) }
                    if case .advertising = event { break }
                }
                return lines
            }
            #expect(lines.last == "Advertising")
        }

        @Test("Overflow area: each of two phones reads the payload of the other")
        func overflow() async throws {
            let runner = LiveSessionRunner<OverflowWorld, OverflowEvent>(.virtualTime)
            let readers = try await runner.run { session, events in
                OverflowWorld(session, events, OverflowPlan())
            } during: { open in
                await open.loop.perform { $0.advance(by: .seconds(60)) }
                var readers: Set<String> = []
                for await case .happened(.read(let payload, _), let phone, _) in open.events {
                    #expect(payload == [1, 2, 3, 4])
                    readers.insert(phone)
                    if readers.count == 2 { break }
                }
                return readers
            }
            #expect(readers == ["phone 1", "phone 2"])
        }

        @Test("Workstation: a text goes from one phone to the other")
        func text() async throws {
            var client = TextWorld.Client()
            client.texts = ["See you at ten"]
            let runner = LiveSessionRunner<TextWorld, TextEvent>(.virtualTime)
            let line = try await runner.run { [client] session, events in
                TextWorld(session, events, server: TextWorld.Server(name: "Notes"), client: client)
            } during: { open in
                await open.loop.perform { $0.advance(by: .seconds(20)) }
                return await open.events.first {
                    if case .line(.server, let text, _) = $0 { text.contains("See you at ten") } else { false }
                }
            }
            #expect(line != nil)
        }

        @Test("Workstation: a desk says that it can be found")
        func desk() async throws {
            struct Nobody: CredentialVerifier {
                func verify(_ credentials: Credentials) -> CredentialVerdict { .rejected }
            }
            let identifier = try #require(DeskIdentifier("1234"))
            let desk = LoginWorld.DeskSetup(identifier: identifier, key: DeskKey(), verifier: Nobody())
            let runner = LiveSessionRunner<LoginWorld, LoginEvent>(.realTime)
            let line = try await runner.run { session, events throws(OperationFailure) in
                try LoginWorld(session, events, LoginWorld.Setup(desk: desk))
            } during: { open in
                LoginWorld.doSlowWorkElsewhere(open.loop)
                return await open.events.first { if case .desk(_, .advertising(true), _) = $0 { true } else { false } }
            }
            #expect(line?.line == "Desk 1234: can be found")
        }

        @Test("Workstation: two people come to the office, log in and go home")
        func office() throws {
            let plan = try #require(OfficePlan(desks: 2, people: 2, seconds: 60))
            let day = try OfficeRun(plan, seed: 1)
            #expect(day.isOver && day.report.peopleGone == 2 && day.report.logins >= 2)
        }
    }
#endif
