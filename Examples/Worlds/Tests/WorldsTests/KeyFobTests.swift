#if os(Linux)
    import BluethroatEvents
    import BluethroatHCITransports
    import BluethroatKeyFob
    import BluethroatKeyFobConsole
    import BluethroatKeyFobWorld
    import BluethroatLive
    import BluethroatLiveLoop
    import BluethroatVirtualTime
    import Central
    import Live
    import Testing

    @Suite("A key fob in real time, and the asynchronous central", .timeLimit(.minutes(2)))
    struct KeyFobTests {
        private func runner(_ settings: LiveSessionSettings = .realTime) -> LiveSessionRunner<
            KeyFobWorld, KeyFobWorldEvent
        > {
            LiveSessionRunner(settings)
        }

        private var options: KeyFobOptions {
            var options = KeyFobOptions()
            options.advertisesAtStart = true
            return options
        }

        @Test("The fob is found at its port, its battery is read, and its keys are told of")
        func readAndTold() async throws {
            try await runner().run { [options] session, events in
                KeyFobWorld(session, events, fob: .hardware(options))
            } during: { open in
                await open.loop.perform { $0.obey(.word(.battery(percent: 80))) }
                let port = try #require(open.endpoint)
                let reader = try await FobReader(at: port)
                #expect(try await reader.battery() == 80)
                try await reader.listenToKeys()
                open.loop.post { $0.obey(.word(.click(.left))) }
                #expect(try await reader.nextKeys() == 1)
                #expect(try await reader.nextKeys() == 0)
                await reader.leave()

                // The fob has noticed, too.
                var notices: [KeyFobNotice.Change] = []
                for await case .changed(let changes) in open.events {
                    for case .fob(let change) in changes.map(\.change) { notices.append(change) }
                    if notices.contains(where: { if case .disconnected = $0 { true } else { false } }) { break }
                }
                #expect(notices.contains(.battery(percent: 80)))
                #expect(notices.contains(.keys(.left)))
                #expect(notices.contains { if case .connected = $0 { true } else { false } })
            }
        }

        @Test("In virtual time an hour passes when it is told to, and the fob has given up advertising in it")
        func anHour() async throws {
            let changes = try await runner(.virtualTime).run { [options] session, events in
                KeyFobWorld(session, events, fob: .hardware(options))
            } during: { open in
                await open.loop.perform { $0.advance(by: .seconds(3_600)) }
                let present = await open.loop.perform { $0.present }
                #expect(present == .zero + .seconds(3_600))
                var states: [Bool] = []
                for await case .changed(let notices) in open.events {
                    for case .fob(.advertising(let isOn)) in notices.map(\.change) { states.append(isOn) }
                    if states.last == false { break }
                }
                return states
            }
            #expect(changes == [true, false])
        }

        @Test("What the work throws ends the session and comes out of it; a port that is taken is a failure")
        func failures() async throws {
            struct Enough: Error {}
            var place: RadioPlace?
            await #expect(throws: Enough.self) {
                try await runner().run { [options] session, events in
                    KeyFobWorld(session, events, fob: .hardware(options))
                } during: { _ in
                    throw Enough()
                }
            }
            place = try await runner().run { [options] session, events in
                KeyFobWorld(session, events, fob: .hardware(options))
            } during: { [options] open in
                var settings = LiveSessionSettings(radio: open.radio)
                settings.panel = nil
                await #expect(throws: OperationFailure.self) {
                    try await LiveSessionRunner<KeyFobWorld, KeyFobWorldEvent>(settings).run { session, events in
                        KeyFobWorld(session, events, fob: .hardware(options))
                    } during: { _ in
                    }
                }
                return open.radio
            }
            guard case .air(let port)? = place else {
                Issue.record("\(String(describing: place))")
                return
            }
            #expect(port.address?.port != 0)
            // The port is closed with the session.
            await #expect(throws: OperationFailure.self) { _ = try await FobReader(at: port.endpoint) }
        }
    }
#endif
