import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost
import BluethroatKeyFob
public import BluethroatLiveLoop
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation

/// Everything that can be asked of the panel of a live workbench.
public final class PanelAPI<Owner: WorkbenchOwner>: Sendable {
    let live: LiveLoop<Owner>
    /// The events for the page and other programs.
    public let hub = EventHub()
    /// When the world began.
    let epoch: CaptureEpoch

    let parts: [PanelPart<Owner>]
    private let hasPhones: Bool

    /// Takes over the panel's side of a workbench: from now on what happens there is sent to the pages.
    ///
    /// - Parameters:
    ///   - parts: what this panel shows besides the usual views.
    ///   - hasPhones: whether there may be phones on this workbench.
    public init(_ live: LiveLoop<Owner>, parts: [PanelPart<Owner>] = [], hasPhones: Bool = false) async {
        precondition(Set(parts.map(\.name)).count == parts.count, "two parts of a panel have the same name")
        self.live = live
        self.parts = parts
        self.hasPhones = hasPhones
        let hub = hub
        epoch = await live.perform { owner in
            owner.workbench.add(PanelObserver(hub: hub, isVirtual: owner.isVirtual, parts: parts.map(\.view)))
            for part in parts { owner.workbench.add(part.observer(owner, hub)) }
            guard !owner.isVirtual else { return CaptureEpoch.unix }
            return CaptureEpoch(
                unixNanoseconds: Captures.epochNow.unixNanoseconds - owner.workbench.world.now.nanoseconds
            )
        }
    }

    public var endpoints: [Endpoint] {
        worldEndpoints + deviceEndpoints + (hasPhones ? phoneEndpoints : []) + centralEndpoints + attributeEndpoints
            + airEndpoints + captureEndpoints + parts.flatMap { $0.allEndpoints(self) }
    }

    // MARK: On the workbench's thread

    /// Does something on the workbench; what has changed is sent at once.
    public func perform<Answer: Sendable, Failure: Error>(
        _ body: @Sendable (Owner) throws(Failure) -> Answer
    ) async throws(Failure) -> Answer {
        try await live.perform { owner throws(Failure) in
            defer {
                // Apps may have ordered something.
                owner.workbench.world.runExternalWork()
                owner.workbench.ran()
            }
            return try body(owner)
        }
    }

    func entry(_ call: Call) throws(PanelError) -> DeviceID { try call.device("device") }

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
                let pause = body.hostSeconds ?? 0
                guard (0...10).contains(pause) else { throw .badRequest("\"hostSeconds\" has to be from 0 to 10") }
                return try await advance(by: span, pausingForHosts: pause)
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
                let topics = call.query("topics").map { Set($0.split(separator: ",").map(String.init)) }
                return await live.perform { [hub] in hub.listen(to: topics, on: $0.workbench) }
            },
        ]
    }

    func worldView(_ owner: Owner) -> WorldView {
        PanelObserver(hub: hub, isVirtual: owner.isVirtual, parts: parts.map(\.view)).worldView(owner.workbench)
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
                await perform { $0.workbench.deviceList }
            },
            .ordering(.post, "/api/devices", tag: "Devices", "Puts one more key fob into the world.") {
                [self] (_, body: NewDevice) throws(PanelError) in
                guard let kind = FobLook.Kind(rawValue: body.kind) else {
                    throw .badRequest("\"kind\" has to be keyfob or keyfob-phone")
                }
                if let name = body.name, !(1...64).contains(name.unicodeScalars.count) || name.firstUnshown != nil {
                    throw .badRequest("\"name\" has to have 1 to 64 characters that can be shown")
                }
                return try await perform { owner throws(PanelError) in
                    guard owner.workbench.entries.count < 200 else {
                        throw PanelError(.conflict, "too-many-devices", "there are 200 devices already; remove some")
                    }
                    let place = Position.metres(x: body.x ?? 1, y: body.y ?? 0)
                    guard let id = owner.addKeyFob(kind, named: body.name, at: place) else {
                        throw PanelError(.conflict, "no-phones", "phones are simulated on Linux only")
                    }
                    guard let view = owner.workbench.fobView(id) else { throw Self.noDevice(id) }
                    return view
                }
            },
            .asking("/api/devices/{device}", tag: "Devices", "A device; of a key fob everything that is seen of it.") {
                [self] call throws(PanelError) in
                let id = try entry(call)
                return try await perform { owner throws(PanelError) in
                    guard let view = owner.workbench.fobView(id) else { throw Self.noFob(id, owner.workbench) }
                    return view
                }
            },
            .ordering(.patch, "/api/devices/{device}", tag: "Devices", "Moves a device.") {
                [self] (call, body: Move) throws(PanelError) in
                let id = try entry(call)
                return try await perform { owner throws(PanelError) in
                    let place = try Self.place(of: id, owner.workbench)
                    owner.workbench.move(
                        id,
                        to: .metres(x: body.x ?? Double(place.x) / 1000, y: body.y ?? Double(place.y) / 1000)
                    )
                    guard let view = owner.workbench.deviceList.devices.first(where: { $0.device == Int(id.rawValue) })
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
                let id = try entry(call)
                try await perform { owner throws(PanelError) in
                    _ = try Self.place(of: id, owner.workbench)
                    owner.workbench.remove(id)
                }
            },
            fobOrder("power", "Takes the battery out or puts it in; of a phone, switches Bluetooth off or on.") {
                (fob, setting: OnOff, workbench) in
                fob.setPower(setting.isOn, in: workbench.world)
            },
            fobOrder("keys", "Holds exactly these keys from now on.") {
                (fob, keys: FobView.Keys, workbench) throws(PanelError) in
                try Self.checkPower(fob, workbench)
                var held: KeyFobKeys = []
                if keys.left { held.insert(.left) }
                if keys.right { held.insert(.right) }
                fob.hold(held, in: workbench.world)
            },
            fobOrder("battery", "Sets the battery's level.") {
                (fob, level: BatteryLevel, workbench) throws(PanelError) in
                guard (0...100).contains(level.percent) else {
                    throw .badRequest("\"percent\" has to be from 0 to 100")
                }
                fob.setBattery(percent: level.percent, in: workbench.world)
            },
            fobOrder("tilt", "Holds the fob so that its accelerometer measures this.") {
                (fob, tilt: FobView.Tilt, workbench) throws(PanelError) in
                guard [tilt.x, tilt.y, tilt.z].allSatisfy({ (-8...8).contains($0) }) else {
                    throw .badRequest("\"x\", \"y\" and \"z\" have to be from -8 to 8 g")
                }
                fob.tilt(x: tilt.x, y: tilt.y, z: tilt.z, in: workbench.world)
            },
            fobOrder("advertising", "Switches advertising on or off.") {
                (fob, setting: OnOff, workbench) throws(PanelError) in
                try Self.checkPower(fob, workbench)
                guard fob.advertise(setting.isOn, in: workbench.world) else {
                    throw PanelError(.conflict, "cannot-advertise", "the fob cannot change that at the moment")
                }
            },
        ]
    }

    private func fobOrder<Body: Described>(
        _ name: String,
        _ summary: String,
        _ body: @escaping @Sendable (any WorkbenchFob, Body, Workbench) throws(PanelError) -> Void
    ) -> Endpoint {
        .ordering(.put, "/api/devices/{device}/\(name)", tag: "Key fobs", summary) {
            [self] (call, value: Body) throws(PanelError) in
            let id = try entry(call)
            return try await perform { owner throws(PanelError) in
                guard let fob = owner.workbench.fob(id) else { throw Self.noFob(id, owner.workbench) }
                try body(fob, value, owner.workbench)
                owner.workbench.world.runExternalWork()
                guard let view = owner.workbench.fobView(id) else { throw Self.noDevice(id) }
                return view
            }
        }
    }

    /// Where a device is that this world has on its air.
    private static func place(of id: DeviceID, _ workbench: Workbench) throws(PanelError) -> Position {
        guard let entry = workbench[id] else { throw noDevice(id) }
        guard let place = workbench.world.position(of: id) else {
            throw PanelError(
                .conflict,
                "real-radio",
                "\(entry.name) is on a real radio; somebody has to carry it, or switch it off"
            )
        }
        return place
    }

    private static func checkPower(_ fob: any WorkbenchFob, _ workbench: Workbench) throws(PanelError) {
        let look = fob.look(in: workbench.world)
        guard !look.isPowered, look.kind == .hardware else { return }
        throw PanelError(.conflict, "no-power", "the fob has no battery; PUT {\"isOn\": true} to its power first")
    }

    private static func noFob(_ id: DeviceID, _ workbench: Workbench) -> PanelError {
        guard let entry = workbench[id] else { return noDevice(id) }
        return PanelError(.conflict, "no-key-fob", "device \(id.rawValue), \(entry.name), is no key fob")
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
                    let air = owner.workbench.air
                    return PacketList(
                        time: owner.workbench.world.now.seconds,
                        skipped: max(0, air.firstNumber - after - 1),
                        first: air.firstNumber,
                        last: air.lastNumber,
                        packets: air.packets(after: after, endedBy: owner.workbench.world.now, limit: limit)
                            .map { PacketView($0) }
                    )
                }
            },
            .asking("/api/air/packets/{packet}", tag: "Air", "One packet, field by field.") {
                [self] call throws(PanelError) in
                let number = try call.number("packet", "packet")
                return try await perform { owner throws(PanelError) in
                    guard let packet = owner.workbench.air[number] else {
                        throw PanelError(
                            .notFound,
                            "no-such-packet",
                            "packet \(number) is not remembered any more; the oldest is \(owner.workbench.air.firstNumber)"
                        )
                    }
                    return PacketDetail(packet)
                }
            },
        ]
    }
}
