import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
public import BluethroatLiveLoop
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation

/// Everything that can be asked of the panel of a live stage.
public final class PanelAPI<Owner: StageOwner>: Sendable {
    let live: LiveLoop<Owner>
    /// Whom the page and other programs listen to.
    public let hub = EventHub()
    /// When the world began.
    let epoch: CaptureEpoch

    let parts: [PanelPart<Owner>]
    private let hasPhones: Bool

    /// Takes over the panel's side of a stage: from now on what happens there is told.
    ///
    /// - Parameters:
    ///   - parts: what this panel shows besides the usual views.
    ///   - hasPhones: whether there may be phones on this stage.
    public init(_ live: LiveLoop<Owner>, parts: [PanelPart<Owner>] = [], hasPhones: Bool = false) async {
        precondition(Set(parts.map(\.name)).count == parts.count, "two parts of a panel have the same name")
        self.live = live
        self.parts = parts
        self.hasPhones = hasPhones
        let hub = hub
        epoch = await live.perform { owner in
            owner.stage.add(PanelOnlooker(hub: hub, isVirtual: owner.isVirtual, parts: parts.map(\.view)))
            for part in parts { owner.stage.add(part.onlooker(owner, hub)) }
            guard !owner.isVirtual else { return CaptureEpoch.unix }
            return CaptureEpoch(
                unixNanoseconds: Captures.epochNow.unixNanoseconds - owner.stage.world.now.nanoseconds
            )
        }
    }

    public var endpoints: [Endpoint] {
        worldEndpoints + deviceEndpoints + (hasPhones ? phoneEndpoints : []) + centralEndpoints + attributeEndpoints
            + airEndpoints + captureEndpoints + parts.flatMap { $0.allEndpoints(self) }
    }

    // MARK: On the stage's thread

    /// Does something on the stage; what has changed is told at once.
    public func perform<Answer: Sendable, Failure: Error>(
        _ body: @Sendable (Owner) throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await live.perform { owner throws(Failure) in
            defer {
                // Apps may have ordered something.
                owner.stage.world.runExternalWork()
                owner.stage.ran()
            }
            return try body(owner)
        }
    }

    func player(_ call: Call) throws(PanelError) -> DeviceID {
        DeviceID(rawValue: UInt32(exactly: try call.number("device", "device")) ?? .max)
    }

    static func noDevice(_ id: DeviceID) -> PanelError {
        PanelError(.notFound, "no-such-device", "there is no device \(id.rawValue); /api/devices lists those there are")
    }

    // MARK: The world

    private var worldEndpoints: [Endpoint] {
        [
            .asking("/api/world", tag: "World", "The world as a whole.") { [self] _ throws(PanelError) in
                await perform { owner in worldView(owner) }
            },
            .ordering(
                .post,
                "/api/world/advance",
                tag: "World",
                "Lets virtual time pass, as fast as it can be computed."
            ) {
                [self] (_, body: Advance) throws(PanelError) in
                guard let span = TimeSpan(seconds: body.seconds), (0...86_400).contains(body.seconds) else {
                    throw .badRequest("\"seconds\" has to be from 0 to 86400")
                }
                return try await perform { owner throws(PanelError) in
                    guard owner.isVirtual else {
                        throw PanelError(
                            .conflict,
                            "time-is-real",
                            "time passes by itself here; start bluethroat with --virtual-time to decide about it"
                        )
                    }
                    owner.advance(by: span)
                    return worldView(owner)
                }
            },
            .events(
                "/api/events",
                tag: "Events",
                """
                What happens: first what is so now, then each change. Topics and their data: world (World), devices \
                (DeviceList), fob (KeyFob), air (PacketList), central:N (Central), sightings:N (SightingList), \
                values:N (SampleList), log:N (Log), where N is a central\(ownTopics). Whoever reads too slowly is told by \
                the event lost (Lost) how many were left out.
                """,
                queries: [.init("topics", .string("Joined by commas; all if it is left out."))]
            ) { [self] call throws(PanelError) in
                let queue = hub.listen(to: call.query("topics").map { Set($0.split(separator: ",").map(String.init)) })
                await live.perform { [hub, parts] owner in
                    PanelOnlooker(hub: hub, isVirtual: owner.isVirtual, parts: parts.map(\.view))
                        .greet(queue, owner.stage)
                    for part in parts where queue.topics?.contains(part.name) ?? true { part.greet(owner, hub, queue) }
                }
                return queue
            },
        ]
    }

    private func worldView(_ owner: Owner) -> WorldView {
        PanelOnlooker(hub: hub, isVirtual: owner.isVirtual, parts: parts.map(\.view)).worldView(owner.stage)
    }

    /// The topics that only this panel has, for the description.
    private var ownTopics: String {
        let topics = (hasPhones ? ["phone (Phone)"] : []) + parts.map(\.topic)
        return topics.isEmpty ? "" : "; and here " + topics.joined(separator: ", ")
    }

    // MARK: Devices

    private var deviceEndpoints: [Endpoint] {
        [
            .asking("/api/devices", tag: "Devices", "All devices.") { [self] _ throws(PanelError) in
                await perform { $0.stage.deviceList }
            },
            .ordering(.post, "/api/devices", tag: "Devices", "Puts one more key fob into the world.") {
                [self] (_, body: NewDevice) throws(PanelError) in
                guard let kind = FobLook.Kind(rawValue: body.kind) else {
                    throw .badRequest("\"kind\" has to be keyfob or keyfob-phone")
                }
                if let name = body.name, name.isEmpty || name.count > 64 {
                    throw .badRequest("\"name\" has to have 1 to 64 characters")
                }
                return try await perform { owner throws(PanelError) in
                    guard owner.stage.players.count < 200 else {
                        throw PanelError(.conflict, "too-many-devices", "there are 200 devices already; remove some")
                    }
                    let place = Position.metres(x: body.x ?? 1, y: body.y ?? 0)
                    guard let id = owner.addKeyFob(kind, named: body.name, at: place) else {
                        throw PanelError(.conflict, "no-phones", "phones are simulated on Linux only")
                    }
                    guard let view = owner.stage.fobView(id) else { throw Self.noDevice(id) }
                    return view
                }
            },
            .asking("/api/devices/{device}", tag: "Devices", "A device; of a key fob everything that is seen of it.") {
                [self] call throws(PanelError) in
                let id = try player(call)
                return try await perform { owner throws(PanelError) in
                    guard let view = owner.stage.fobView(id) else { throw Self.noFob(id, owner.stage) }
                    return view
                }
            },
            .ordering(.patch, "/api/devices/{device}", tag: "Devices", "Moves a device.") {
                [self] (call, body: Move) throws(PanelError) in
                let id = try player(call)
                return try await perform { owner throws(PanelError) in
                    let place = try Self.place(of: id, owner.stage)
                    owner.stage.move(
                        id,
                        to: .metres(x: body.x ?? Double(place.x) / 1000, y: body.y ?? Double(place.y) / 1000)
                    )
                    guard let view = owner.stage.deviceList.devices.first(where: { $0.device == Int(id.rawValue) })
                    else {
                        throw Self.noDevice(id)
                    }
                    return view
                }
            },
            .doing(
                .delete,
                "/api/devices/{device}",
                tag: "Devices",
                "Takes a device out of the world, as if its battery had failed."
            ) {
                [self] call throws(PanelError) in
                let id = try player(call)
                try await perform { owner throws(PanelError) in
                    _ = try Self.place(of: id, owner.stage)
                    owner.stage.remove(id)
                }
            },
            fobOrder("power", "Takes the battery out or puts it in; of a phone, switches Bluetooth off or on.") {
                (fob, wish: OnOff, stage) in
                fob.setPower(wish.isOn, in: stage.world)
            },
            fobOrder("keys", "Holds exactly these keys from now on.") {
                (fob, keys: FobView.Keys, stage) throws(PanelError) in
                try Self.checkPower(fob, stage)
                var held: KeyFobKeys = []
                if keys.left { held.insert(.left) }
                if keys.right { held.insert(.right) }
                fob.hold(held, in: stage.world)
            },
            fobOrder("battery", "Sets the battery's level.") { (fob, level: BatteryLevel, stage) throws(PanelError) in
                guard (0...100).contains(level.percent) else {
                    throw .badRequest("\"percent\" has to be from 0 to 100")
                }
                fob.setBattery(percent: level.percent, in: stage.world)
            },
            fobOrder("tilt", "Holds the fob so that its accelerometer measures this.") {
                (fob, tilt: FobView.Tilt, stage) throws(PanelError) in
                guard [tilt.x, tilt.y, tilt.z].allSatisfy({ (-8...8).contains($0) }) else {
                    throw .badRequest("\"x\", \"y\" and \"z\" have to be from -8 to 8 g")
                }
                fob.tilt(x: tilt.x, y: tilt.y, z: tilt.z, in: stage.world)
            },
            fobOrder("advertising", "Switches advertising on or off.") { (fob, wish: OnOff, stage) throws(PanelError) in
                try Self.checkPower(fob, stage)
                guard fob.advertise(wish.isOn, in: stage.world) else {
                    throw PanelError(.conflict, "cannot-advertise", "the fob cannot change that at the moment")
                }
            },
        ]
    }

    private func fobOrder<Body: Described>(
        _ name: String,
        _ summary: String,
        _ body: @escaping @Sendable (any StageFob, Body, Stage) throws(PanelError) -> Void
    ) -> Endpoint {
        .ordering(.put, "/api/devices/{device}/\(name)", tag: "Key fobs", summary) {
            [self] (call, value: Body) throws(PanelError) in
            let id = try player(call)
            return try await perform { owner throws(PanelError) in
                guard let fob = owner.stage.fob(id) else { throw Self.noFob(id, owner.stage) }
                try body(fob, value, owner.stage)
                owner.stage.world.runExternalWork()
                guard let view = owner.stage.fobView(id) else { throw Self.noDevice(id) }
                return view
            }
        }
    }

    /// Where a device is that this world has on its air.
    private static func place(of id: DeviceID, _ stage: Stage) throws(PanelError) -> Position {
        guard let player = stage[id] else { throw noDevice(id) }
        guard let place = stage.world.position(of: id) else {
            throw PanelError(
                .conflict,
                "real-radio",
                "\(player.name) is on a real radio; somebody has to carry it, or switch it off"
            )
        }
        return place
    }

    private static func checkPower(_ fob: any StageFob, _ stage: Stage) throws(PanelError) {
        let look = fob.look(in: stage.world)
        guard !look.isPowered, look.kind == .hardware else { return }
        throw PanelError(.conflict, "no-power", "the fob has no battery; PUT {\"isOn\": true} to its power first")
    }

    private static func noFob(_ id: DeviceID, _ stage: Stage) -> PanelError {
        guard let player = stage[id] else { return noDevice(id) }
        return PanelError(.conflict, "no-key-fob", "device \(id.rawValue), \(player.name), is no key fob")
    }

    // MARK: The air

    private var airEndpoints: [Endpoint] {
        [
            .asking(
                "/api/air/packets",
                tag: "Air",
                "Packets on the air, the oldest first.",
                queries: [
                    .init("after", .integer("Only those behind the packet with this number.")),
                    .init("limit", .integer("How many at most; 1000 unless said otherwise.", 1...10_000)),
                ]
            ) { [self] call throws(PanelError) in
                let after = try call.wholeNumber("after", 0...Int(Int32.max)) ?? 0
                let limit = try call.wholeNumber("limit", 1...10_000) ?? 1000
                return await perform { owner in
                    let air = owner.stage.air
                    return PacketList(
                        time: owner.stage.world.now.seconds,
                        skipped: max(0, air.firstNumber - after - 1),
                        first: air.firstNumber,
                        last: air.lastNumber,
                        packets: air.packets(after: after, endedBy: owner.stage.world.now, limit: limit)
                            .map { PacketView($0) }
                    )
                }
            },
            .asking("/api/air/packets/{packet}", tag: "Air", "One packet, field by field.") {
                [self] call throws(PanelError) in
                let number = try call.number("packet", "packet")
                return try await perform { owner throws(PanelError) in
                    guard let packet = owner.stage.air[number] else {
                        throw PanelError(
                            .notFound,
                            "no-such-packet",
                            "packet \(number) is not remembered any more; the oldest is \(owner.stage.air.firstNumber)"
                        )
                    }
                    return PacketDetail(packet)
                }
            },
        ]
    }
}
