import BluethroatBluetoothValues
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

/// Looks at the stage for all pages that are open, and says what has changed since it last looked.
///
/// It looks at most so often as somebody can see, and not at all where nobody listens. It lives on the thread that owns
/// the stage.
final class PanelOnlooker: Onlooker {
    /// How long it waits before it looks again, where time is real.
    private static let pause = TimeSpan.milliseconds(33)
    private static let pauseOfLists = TimeSpan.milliseconds(250)
    private static let pauseOfAir = TimeSpan.milliseconds(100)
    /// How many packets are shown at once; of more the rest is counted.
    static let packetsAtOnce = 400
    /// How long a central stays after the last sign of life of its page, whose browser may wake it once a minute only.
    private static let patience = TimeSpan.seconds(180)

    private let hub: EventHub
    private let isVirtual: Bool
    private let parts: [PartView]
    private var isBehind = false
    private var lastLook = Instant.zero - PanelOnlooker.pause
    private var lastLists = Instant.zero - PanelOnlooker.pauseOfLists
    private var lastAir = Instant.zero - PanelOnlooker.pauseOfAir
    private var lastSecond: Int64 = -1
    private var lastPacket = 0
    private var devices: DeviceList?
    private var fobs: [DeviceID: FobView] = [:]
    private var phones: [DeviceID: PhoneView] = [:]
    private var centrals: [DeviceID: SeenCentral] = [:]

    private struct SeenCentral {
        var view: CentralView?
        var sightingCount = -1
        var lastEntry = 0
        /// Entries that were shown without their end.
        var openEntries: [Int] = []
        var wasListenedTo = false
        var lastListener = Instant.zero
    }

    init(hub: EventHub, isVirtual: Bool, parts: [PartView] = []) {
        self.hub = hub
        self.isVirtual = isVirtual
        self.parts = parts
    }

    var nextLook: Instant? {
        guard !isVirtual, hub.listenerCount > 0 else { return nil }
        // A second passes even where nothing else happens.
        let second = Instant(nanoseconds: (lastSecond + 1) * 1_000_000_000)
        return isBehind ? min(second, lastLook + Self.pause) : second
    }

    func look(at stage: Stage) {
        let now = stage.world.now
        guard isVirtual || now - lastLook >= Self.pause else {
            isBehind = true
            return
        }
        isBehind = false
        lastLook = now
        dismissCentrals(stage)
        guard hub.listenerCount > 0 else {
            lastPacket = stage.air.lastNumber
            return
        }
        sayFobs(stage)
        sayPhones(stage)
        if isVirtual || now - lastLists >= Self.pauseOfLists {
            lastLists = now
            sayDevices(stage)
            saySightings(stage)
        } else {
            isBehind = true
        }
        for player in stage.players { if case .central(let central) = player.part { say(central, player.id, stage) } }
        if isVirtual || now - lastAir >= Self.pauseOfAir {
            lastAir = now
            sayAir(stage)
        }
        // Whoever hears of a time has heard what was so until then.
        sayTime(stage)
    }

    /// Tells a new listener what is so now.
    func greet(_ queue: EventQueue, _ stage: Stage) {
        func wants(_ topic: String) -> Bool { queue.topics?.contains(topic) ?? true }
        if wants("devices") { hub.say("devices", stage.deviceList, to: queue) }
        for player in stage.players {
            let number = Int(player.id.rawValue)
            switch player.part {
            case .keyFob: if wants("fob"), let view = stage.fobView(player.id) { hub.say("fob", view, to: queue) }
            case .central(let central):
                if wants("central:\(number)"), let view = stage.centralView(player.id) {
                    hub.say("central:\(number)", view, to: queue)
                }
                if wants("sightings:\(number)"), let list = stage.sightings(of: player.id) {
                    hub.say("sightings:\(number)", list, to: queue)
                }
                if wants("log:\(number)") {
                    let entries = central.log.entries.suffix(200).map { LogView.Entry($0) }
                    hub.say("log:\(number)", LogView(entries: entries), to: queue)
                }
                if wants("values:\(number)") {
                    let samples = central.links.flatMap { link in
                        link.subscriptions.keys.sorted().flatMap { handle in
                            (link.history[handle] ?? []).map { SampleView(link, handle, $0, isPushed: true) }
                        }
                    }
                    hub.say("values:\(number)", SampleList(samples: samples), to: queue)
                }
            case .phone: if wants("phone"), let view = stage.phoneView(player.id) { hub.say("phone", view, to: queue) }
            case .client, .device: break
            }
        }
        if wants("world") { hub.say("world", worldView(stage), to: queue) }
    }

    func worldView(_ stage: Stage) -> WorldView {
        WorldView(
            time: stage.world.now.seconds,
            isVirtual: isVirtual,
            seed: "\(stage.world.seed)",
            parts: parts.isEmpty ? nil : parts
        )
    }

    private func sayTime(_ stage: Stage) {
        let second = stage.world.now.nanoseconds / 1_000_000_000
        guard isVirtual || second != lastSecond else { return }
        lastSecond = second
        hub.say("world", worldView(stage))
    }

    private func sayDevices(_ stage: Stage) {
        guard hub.isListenedTo("devices") else { return }
        let list = stage.deviceList
        guard list != devices else { return }
        devices = list
        hub.say("devices", list)
    }

    private func sayFobs(_ stage: Stage) {
        guard hub.isListenedTo("fob") else { return }
        for player in stage.players {
            guard var view = stage.fobView(player.id) else { continue }
            let time = view.time
            view.time = fobs[player.id]?.time ?? time
            // While it senses, each look is a point of the chart.
            guard view != fobs[player.id] || view.accelerometer.isEnabled else { continue }
            view.time = time
            fobs[player.id] = view
            hub.say("fob", view)
        }
    }

    private func sayPhones(_ stage: Stage) {
        guard hub.isListenedTo("phone") else { return }
        for player in stage.players {
            guard let view = stage.phoneView(player.id), view != phones[player.id] else { continue }
            phones[player.id] = view
            hub.say("phone", view)
        }
    }

    private func saySightings(_ stage: Stage) {
        for player in stage.players {
            guard case .central(let central) = player.part else { continue }
            let topic = "sightings:\(player.id.rawValue)"
            guard hub.isListenedTo(topic), central.sightingCount != centrals[player.id]?.sightingCount else { continue }
            centrals[player.id, default: SeenCentral()].sightingCount = central.sightingCount
            if let list = stage.sightings(of: player.id) { hub.say(topic, list) }
        }
    }

    private func say(_ central: StageCentral, _ id: DeviceID, _ stage: Stage) {
        var seen = centrals[id] ?? SeenCentral()
        defer { centrals[id] = seen }
        let number = id.rawValue
        if hub.isListenedTo("central:\(number)"), let view = stage.centralView(id), view != seen.view {
            seen.view = view
            hub.say("central:\(number)", view)
        }
        let entries =
            seen.openEntries.compactMap { number in central.log.entries(after: number - 1).first }
            .filter { $0.ended != nil } + central.log.entries(after: seen.lastEntry)
        guard !entries.isEmpty else { return }
        seen.openEntries.removeAll { number in entries.contains { $0.number == number } }
        seen.openEntries += entries.filter { $0.ended == nil }.map(\.number)
        seen.lastEntry = max(seen.lastEntry, entries.last?.number ?? 0)
        hub.say("log:\(number)", LogView(entries: entries.map { LogView.Entry($0) }))
        let samples = entries.compactMap { entry -> SampleView? in
            guard [.read, .notification, .indication].contains(entry.kind), !entry.hasFailed, let value = entry.value,
                let ended = entry.ended, let handle = entry.handle,
                let link = central.links.first(where: { $0.peer == entry.peer })
            else { return nil }
            return SampleView(link, handle, .init(time: ended, value: value), isPushed: entry.kind != .read)
        }
        if !samples.isEmpty { hub.say("values:\(number)", SampleList(samples: samples)) }
    }

    private func sayAir(_ stage: Stage) {
        guard hub.isListenedTo("air") else {
            lastPacket = stage.air.lastNumber
            return
        }
        let packets = stage.air.packets(after: lastPacket, endedBy: stage.world.now)
        guard let last = packets.last else { return }
        let skipped = last.number - lastPacket - min(packets.count, Self.packetsAtOnce)
        lastPacket = last.number
        let shown = packets.suffix(Self.packetsAtOnce).map { PacketView($0) }
        let list = PacketList(
            time: stage.world.now.seconds,
            skipped: max(0, skipped),
            first: stage.air.firstNumber,
            last: stage.air.lastNumber,
            packets: shown
        )
        hub.say("air", list)
    }

    /// The central of a page that has gone without a word goes a while later.
    private func dismissCentrals(_ stage: Stage) {
        guard !isVirtual else { return }
        let now = stage.world.now
        if centrals.count > stage.players.count { centrals = centrals.filter { stage.central($0.key) != nil } }
        for player in stage.players {
            guard case .central(let central) = player.part else { continue }
            var seen = centrals[player.id] ?? SeenCentral()
            if hub.isAskedFor("central:\(player.id.rawValue)") {
                seen.wasListenedTo = true
                seen.lastListener = now
            }
            centrals[player.id] = seen
            let lastSign = max(seen.lastListener, central.lastUse ?? .zero)
            guard seen.wasListenedTo, now - lastSign > Self.patience else { continue }
            centrals[player.id] = nil
            stage.retire(player.id)
        }
    }
}
