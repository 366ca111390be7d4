import BluethroatAttributeText
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost
import BluethroatLiveLoop
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

/// Centrals, of which each page has one.
extension PanelAPI {
    static func noCentral(_ id: DeviceID) -> PanelError {
        PanelError(
            .notFound,
            "no-such-central",
            "there is no central \(id.rawValue); POST to /api/centrals to have one"
        )
    }

    func centralID(_ call: Call) throws(PanelError) -> DeviceID { try call.device("central") }

    /// The device that a central knows by this address. One that it has not heard of is taken for a public address.
    func peer(_ text: String, of id: DeviceID) async throws(PanelError) -> DeviceAddress {
        try await order(id) { central, _, _, _ throws(PanelError) in
            let known = central.links.map(\.peer) + central.sightings.entries.map(\.address)
            if let address = known.first(where: { "\($0)" == text }) { return address }
            guard let address = DeviceAddress(text, kind: .public) else {
                throw .badRequest("\"\(text)\" is no address; take it from a sighting")
            }
            return address
        }
    }

    /// Gives a central an order that is done at once.
    func order<Answer: Sendable>(
        _ id: DeviceID,
        _ body: @Sendable (WorkbenchCentral, Host, Instant, inout HostActions) throws(PanelError) -> Answer
    ) async throws(PanelError) -> Answer {
        try await perform { owner throws(PanelError) in
            owner.workbench.central(id)?.noteUse(at: owner.workbench.world.now)
            guard let answer = try owner.workbench.order(id, body) else { throw Self.noCentral(id) }
            return answer
        }
    }

    /// Gives a central an order and waits for what comes of it. Where time is virtual, `within` lets it pass until the
    /// answer is there; without that, other requests have to.
    func wait<Answer: Sendable>(
        for id: DeviceID,
        _ call: Call,
        _ body:
            @escaping @Sendable (
                WorkbenchCentral, Host, Instant, inout HostActions, @escaping WorkbenchCentral.Answer<Answer>
            )
            -> Void
    ) async throws(PanelError) -> Answer {
        let patience = try patience(call)
        let outcome: Outcome<Answer> = await withCheckedContinuation { continuation in
            live.post { owner in
                let waiting = Waiting(continuation)
                let isThere: Void? = owner.workbench.order(id) { central, host, now, actions in
                    body(central, host, now, &actions) { waiting.end(.answered($0)) }
                }
                if isThere == nil { waiting.end(.noCentral) }
                if let patience, owner.isVirtual {
                    owner.workbench.world.run(for: patience) { waiting.isOver }
                    owner.advance(by: .zero)
                    waiting.end(.stillWaiting)
                }
                owner.workbench.ran()
            }
        }
        switch outcome {
        case .answered(.success(let answer)): return answer
        case .answered(.failure(let refusal)): throw PanelError(refusal)
        case .noCentral: throw Self.noCentral(id)
        case .stillWaiting:
            throw PanelError(.timeout, "timeout", "no answer within that time; it is still waited for, see the log")
        }
    }

    private func patience(_ call: Call) throws(PanelError) -> TimeSpan? {
        guard let text = call.query(Self.within) else { return nil }
        guard let seconds = Double(decimal: text), (0...86_400).contains(seconds), let span = TimeSpan(seconds: seconds)
        else {
            throw .badRequest("\"\(Self.within)\" has to be a number of seconds from 0 to 86400")
        }
        return span
    }

    private static var within: String { "within" }

    /// Of everything that has to be waited for.
    private var waitQueries: [Endpoint.Query] {
        [
            .init(
                Self.within,
                .number(
                    "Where time is virtual: lets so many seconds pass at most, until the answer is there.",
                    0...86_400
                )
            )
        ]
    }

    /// A page cannot know whether it is closed or reloaded; a reload takes its event stream up again, or asks.
    private func leave(_ central: WorkbenchCentral, _ id: DeviceID, _ workbench: Workbench) {
        central.noteUse(at: workbench.world.now)
        let count = central.useCount
        workbench.world.schedule(at: workbench.world.now + .seconds(10)) { [weak workbench, hub] _ in
            guard let workbench, let central = workbench.central(id), central.useCount == count,
                !hub.isAskedFor("central:\(id.rawValue)")
            else { return }
            workbench.retire(id)
        }
    }

    var centralEndpoints: [Endpoint] {
        [
            .ordering(.post, "/api/centrals", tag: "Centrals", "Puts one more central into the world.") {
                [self] (_, _: NewCentral) throws(PanelError) in
                try await perform { owner throws(PanelError) in
                    guard owner.workbench.entries.count < 200 else {
                        throw PanelError(.conflict, "too-many-devices", "there are 200 devices already; remove some")
                    }
                    let id = owner.workbench.addCentral()
                    guard let view = owner.workbench.centralView(id) else { throw Self.noCentral(id) }
                    return view
                }
            },
            .asking("/api/centrals/{central}", tag: "Centrals", "A central and its connections.") {
                [self] call throws(PanelError) in
                let id = try centralID(call)
                return try await perform { owner throws(PanelError) in
                    owner.workbench.central(id)?.noteUse(at: owner.workbench.world.now)
                    guard let view = owner.workbench.centralView(id) else { throw Self.noCentral(id) }
                    return view
                }
            },
            .doing(.delete, "/api/centrals/{central}", tag: "Centrals", "Takes a central out of the world.") {
                [self] call throws(PanelError) in
                let id = try centralID(call)
                try await perform { owner throws(PanelError) in
                    guard owner.workbench.central(id) != nil else { throw Self.noCentral(id) }
                    owner.workbench.remove(id)
                }
            },
            .doing(
                .post,
                "/api/centrals/{central}/leave",
                tag: "Centrals",
                """
                Says that a central's page closes: if it is not asked for again within 10 s, as by a reload, it ends its \
                connections and leaves the world.
                """
            ) { [self] call throws(PanelError) in
                let id = try centralID(call)
                try await perform { owner throws(PanelError) in
                    guard let central = owner.workbench.central(id) else { throw Self.noCentral(id) }
                    leave(central, id, owner.workbench)
                }
            },
            .ordering(.put, "/api/centrals/{central}/scan", tag: "Centrals", "Starts or stops scanning.") {
                [self] (call, setting: OnOff) throws(PanelError) in
                try await order(try centralID(call)) { central, host, now, actions throws(PanelError) in
                    central.scan(setting.isOn, host: host, at: now, into: &actions)
                    return setting
                }
            },
            .asking("/api/centrals/{central}/sightings", tag: "Centrals", "Who was heard.") {
                [self] call throws(PanelError) in
                let id = try centralID(call)
                return try await perform { owner throws(PanelError) in
                    guard let list = owner.workbench.sightings(of: id) else { throw Self.noCentral(id) }
                    return list
                }
            },
            .asking(
                "/api/centrals/{central}/log",
                tag: "Centrals",
                "What the central has done, and what came of it.",
                queries: [.init("after", .integer("Only what is behind the entry with this number."))]
            ) { [self] call throws(PanelError) in
                let after = try call.wholeNumber("after", 0...Int(Int32.max)) ?? 0
                return try await order(try centralID(call)) { central, _, _, _ throws(PanelError) in
                    LogView(entries: central.log.entries(after: after).map { LogView.Entry($0) })
                }
            },
            .ordering(
                .post,
                "/api/centrals/{central}/connections",
                tag: "Centrals",
                "Connects; answered when that is done.",
                queries: waitQueries
            ) {
                [self] (call, body: PeerAddress) throws(PanelError) in
                let id = try centralID(call)
                let peer = try await peer(body.address, of: id)
                _ = try await wait(for: id, call) { central, host, now, actions, answer in
                    central.connect(to: peer, host: host, at: now, into: &actions, answer)
                }
                return body
            },
            .doing(.delete, "/api/centrals/{central}/connections/{address}", tag: "Centrals", "Disconnects.") {
                [self] call throws(PanelError) in
                let id = try centralID(call)
                let peer = try await peer(call["address"], of: id)
                try await order(id) { central, host, now, actions throws(PanelError) in
                    do throws(WorkbenchCentral.Refusal) {
                        try central.disconnect(peer, host: host, at: now, into: &actions)
                    } catch {
                        throw PanelError(error)
                    }
                }
            },
            .asking(
                "/api/centrals/{central}/connections/{address}/database",
                tag: "Centrals",
                "The services that were found."
            ) { [self] call throws(PanelError) in
                let id = try centralID(call)
                let peer = try await peer(call["address"], of: id)
                return try await order(try centralID(call)) { central, _, _, _ throws(PanelError) in
                    guard let link = central.links.first(where: { $0.peer == peer }), let database = link.database
                    else {
                        throw PanelError(.conflict, "not-discovered", "POST to …/discover first")
                    }
                    return DatabaseView(database, of: link)
                }
            },
            finding("discover", "Finds all services and what is in them.") {
                peer,
                central,
                host,
                now,
                actions,
                answer in
                central.discover(peer, host: host, at: now, into: &actions) {
                    answer(Self.view($0, of: peer, central))
                }
            },
            finding("pair", "Pairs and bonds; answered when that is done. Questions are in the central's connection.") {
                peer,
                central,
                host,
                now,
                actions,
                answer in
                central.pair(peer, host: host, at: now, into: &actions) { result in
                    answer(result.map { OnOff(isOn: $0.isEncrypted) })
                }
            },
            .ordering(
                .put,
                "/api/centrals/{central}/connections/{address}/answer",
                tag: "Centrals",
                "Answers the question of a pairing."
            ) { [self] (call, body: PersonsAnswer) throws(PanelError) in
                let id = try centralID(call)
                let peer = try await peer(call["address"], of: id)
                let word: PairingAnswer
                switch (body.agrees, body.passkey) {
                case (_, let digits?):
                    guard let passkey = Passkey(digits: digits) else {
                        throw .badRequest("\"passkey\" has to be six digits")
                    }
                    word = .passkey(passkey)
                case (true?, nil): word = .agree
                case (false?, nil): word = .refuse
                case (nil, nil): throw .badRequest("\"agrees\" or \"passkey\" is missing")
                }
                return try await order(id) { central, host, now, actions throws(PanelError) in
                    do throws(WorkbenchCentral.Refusal) {
                        try central.answer(word, to: peer, host: host, at: now, into: &actions)
                    } catch {
                        throw PanelError(error)
                    }
                    return body
                }
            },
        ]
    }

    private static func view(
        _ found: Result<RemoteDatabase, WorkbenchCentral.Refusal>,
        of peer: DeviceAddress,
        _ central: WorkbenchCentral
    ) -> Result<DatabaseView, WorkbenchCentral.Refusal> {
        found.flatMap { database in
            guard let link = central.links.first(where: { $0.peer == peer }) else {
                return .failure(.notConnected(peer))
            }
            return .success(DatabaseView(database, of: link))
        }
    }

    private func finding<Answer: Described>(
        _ name: String,
        _ summary: String,
        _ body:
            @escaping @Sendable (
                DeviceAddress, WorkbenchCentral, Host, Instant, inout HostActions,
                @escaping WorkbenchCentral.Answer<Answer>
            ) -> Void
    ) -> Endpoint {
        .ordering(
            .post,
            "/api/centrals/{central}/connections/{address}/\(name)",
            tag: "Centrals",
            summary,
            queries: waitQueries
        ) {
            [self] (call, _: NewCentral) throws(PanelError) in
            let id = try centralID(call)
            let peer = try await peer(call["address"], of: id)
            return try await wait(for: id, call) { central, host, now, actions, answer in
                body(peer, central, host, now, &actions, answer)
            }
        }
    }

    var attributeEndpoints: [Endpoint] {
        let path = "/api/centrals/{central}/connections/{address}/attributes/{handle}"
        return [
            .asking(path, tag: "Attributes", "Reads a value, however long.", queries: waitQueries) {
                [self] call throws(PanelError) in
                let (id, handle) = (try centralID(call), try handle(call))
                let peer = try await peer(call["address"], of: id)
                _ = try await wait(for: id, call) { central, host, now, actions, answer in
                    central.read(handle, of: peer, host: host, at: now, into: &actions, answer)
                }
                return try await order(id) { central, _, _, _ throws(PanelError) in
                    guard let link = central.links.first(where: { $0.peer == peer }),
                        let sample = link.history[handle]?.last
                    else { throw PanelError(.conflict, "not-connected", "the connection is lost") }
                    return SampleView(link, handle, sample, isPushed: false)
                }
            },
            .ordering(.put, path, tag: "Attributes", "Writes a value.", queries: waitQueries) {
                [self] (call, body: NewValue) throws(PanelError) in
                let (id, handle) = (try centralID(call), try handle(call))
                let peer = try await peer(call["address"], of: id)
                guard let bytes = [UInt8](hex: body.value), bytes.count <= 512 else {
                    throw .badRequest("\"value\" has to be hexadecimal digits, two a byte, for 512 bytes at most")
                }
                if body.withResponse ?? true {
                    try await wait(for: id, call) { central, host, now, actions, answer in
                        central.write(bytes, to: handle, of: peer, host: host, at: now, into: &actions, answer)
                    }
                } else {
                    try await order(try centralID(call)) { central, host, now, actions throws(PanelError) in
                        do throws(WorkbenchCentral.Refusal) {
                            try central.writeCommand(bytes, to: handle, of: peer, host: host, at: now, into: &actions)
                        } catch {
                            throw PanelError(error)
                        }
                    }
                }
                return body
            },
            .ordering(
                .put,
                path + "/subscription",
                tag: "Attributes",
                "Has the peer send each new value, or not any more.",
                queries: waitQueries
            ) {
                [self] (call, setting: OnOff) throws(PanelError) in
                let (id, handle) = (try centralID(call), try handle(call))
                let peer = try await peer(call["address"], of: id)
                _ = try await wait(for: id, call) { central, host, now, actions, answer in
                    central.subscribe(setting.isOn, to: handle, of: peer, host: host, at: now, into: &actions, answer)
                }
                return setting
            },
            .asking(path + "/history", tag: "Attributes", "The latest values, the newest last.") {
                [self] call throws(PanelError) in
                let (id, handle) = (try centralID(call), try handle(call))
                let peer = try await peer(call["address"], of: id)
                return try await order(try centralID(call)) { central, _, _, _ throws(PanelError) in
                    guard let link = central.links.first(where: { $0.peer == peer }) else {
                        throw PanelError(.conflict, "not-connected", "there is no connection to \(peer)")
                    }
                    let isPushed = link.subscriptions[handle] != nil
                    return SampleList(
                        samples: (link.history[handle] ?? []).map { SampleView(link, handle, $0, isPushed: isPushed) }
                    )
                }
            },
        ]
    }

    private func handle(_ call: Call) throws(PanelError) -> AttributeHandle {
        let text = call["handle"]
        let number = text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
        guard let handle = number.flatMap({ AttributeHandle(rawValue: $0) }) else {
            let sentence = "\"\(text)\" is no attribute handle: those are from 0x0001 to 0xFFFF, or 1 to 65535"
            throw PanelError(.notFound, "no-such-handle", sentence)
        }
        return handle
    }
}

extension PanelError {
    init(_ refusal: WorkbenchCentral.Refusal) {
        switch refusal.kind {
        case .notNow: self.init(.conflict, "not-now", refusal.sentence)
        case .noSuchThing: self.init(.notFound, "no-such-thing", refusal.sentence)
        case .refusedByPeer:
            self.init(.refused, "refused", refusal.sentence)
            attError = refusal.attError
        case .timeout: self.init(.timeout, "timeout", refusal.sentence)
        }
    }
}

/// What has become of an order.
private enum Outcome<Answer: Sendable>: Sendable {
    case answered(Result<Answer, WorkbenchCentral.Refusal>)
    case noCentral
    case stillWaiting
}

/// A caller that waits for the result of an order; only the first result counts. On the workbench's thread.
private final class Waiting<Answer: Sendable> {
    private var continuation: CheckedContinuation<Outcome<Answer>, Never>?

    init(_ continuation: CheckedContinuation<Outcome<Answer>, Never>) { self.continuation = continuation }

    var isOver: Bool { continuation == nil }

    func end(_ outcome: Outcome<Answer>) { continuation.take()?.resume(returning: outcome) }
}
