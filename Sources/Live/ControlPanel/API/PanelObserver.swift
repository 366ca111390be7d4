import BluethroatBluetoothValues
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

/// Looks at the workbench for all pages that are open, and says what has changed since it last looked.
///
/// It looks at most as often as a person can see, and for each new listener; not at all without listeners. It lives on the thread that owns
/// the workbench.
final class PanelObserver: EventTeller {
    /// How long it waits before it looks again, where time is real.
    private static let pause = TimeSpan.milliseconds(33)
    private static let pauseOfLists = TimeSpan.milliseconds(250)
    private static let pauseOfAir = TimeSpan.milliseconds(100)
    /// How many packets are shown at once; of more the rest is counted.
    static let packetsAtOnce = 400
    /// How long a central stays after the last sign of life of its page, whose browser may wake it once a minute only.
    private static let patience = TimeSpan.seconds(180)

    let hub: EventHub
    private let isVirtual: Bool
    private let parts: [PartView]
    private var isBehind = false
    private var lastLook = Instant.zero - PanelObserver.pause
    private var lastLists = Instant.zero - PanelObserver.pauseOfLists
    private var lastAir = Instant.zero - PanelObserver.pauseOfAir
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

    func look(at workbench: Workbench) {
        let now = workbench.world.now
        guard isVirtual || now - lastLook >= Self.pause else {
            isBehind = true
            return
        }
        isBehind = false
        lastLook = now
        dismissCentrals(workbench)
        guard hub.listenerCount > 0 else {
            lastPacket = workbench.air.lastNumber
            return
        }
        sayFobs(workbench)
        sayPhones(workbench)
        if isVirtual || now - lastLists >= Self.pauseOfLists {
            lastLists = now
            sayDevices(workbench)
            saySightings(workbench)
        } else {
            isBehind = true
        }
        sayCentrals(workbench)
        if isVirtual || now - lastAir >= Self.pauseOfAir {
            lastAir = now
            sayAir(workbench)
        }
        // A listener that receives a time has received all changes until then.
        sayTime(workbench)
    }

    func tellChanges(of workbench: Workbench) {
        sayFobs(workbench)
        sayPhones(workbench)
        sayDevices(workbench)
        saySightings(workbench)
        sayCentrals(workbench)
        sayAir(workbench)
    }

    func greet(_ queue: EventQueue, _ workbench: Workbench) {
        if queue.wants("devices") {
            let list = workbench.deviceList
            devices = list
            hub.say("devices", list, to: queue)
        }
        for entry in workbench.entries {
            let number = Int(entry.id.rawValue)
            switch entry.role {
            case .keyFob:
                guard queue.wants("fob"), let view = workbench.fobView(entry.id) else { break }
                fobs[entry.id] = view
                hub.say("fob", view, to: queue)
            case .central(let central):
                if queue.wants("central:\(number)"), let view = workbench.centralView(entry.id) {
                    centrals[entry.id, default: SeenCentral()].view = view
                    hub.say("central:\(number)", view, to: queue)
                }
                if queue.wants("sightings:\(number)"), let list = workbench.sightings(of: entry.id) {
                    centrals[entry.id, default: SeenCentral()].sightingCount = central.sightingCount
                    hub.say("sightings:\(number)", list, to: queue)
                }
                if queue.wants("log:\(number)") {
                    let entries = central.log.entries.suffix(200).map { LogView.Entry($0) }
                    hub.say("log:\(number)", LogView(entries: entries), to: queue)
                }
                if queue.wants("values:\(number)") {
                    let samples = central.links.flatMap { link in
                        link.subscriptions.keys.sorted().flatMap { handle in
                            (link.history[handle] ?? []).map { SampleView(link, handle, $0, isPushed: true) }
                        }
                    }
                    hub.say("values:\(number)", SampleList(samples: samples), to: queue)
                }
            case .phone:
                guard queue.wants("phone"), let view = workbench.phoneView(entry.id) else { break }
                phones[entry.id] = view
                hub.say("phone", view, to: queue)
            case .client, .device: break
            }
        }
        if queue.wants("world") { hub.say("world", worldView(workbench), to: queue) }
    }

    func worldView(_ workbench: Workbench) -> WorldView {
        WorldView(
            time: workbench.world.now.seconds,
            isVirtual: isVirtual,
            seed: "\(workbench.world.seed)",
            parts: parts.isEmpty ? nil : parts
        )
    }

    private func sayCentrals(_ workbench: Workbench) {
        for entry in workbench.entries {
            if case .central(let central) = entry.role { say(central, entry.id, workbench) }
        }
    }

    private func sayTime(_ workbench: Workbench) {
        let second = workbench.world.now.nanoseconds / 1_000_000_000
        guard isVirtual || second != lastSecond else { return }
        lastSecond = second
        hub.say("world", worldView(workbench))
    }

    private func sayDevices(_ workbench: Workbench) {
        guard hub.isListenedTo("devices") else { return }
        let list = workbench.deviceList
        guard list != devices else { return }
        devices = list
        hub.say("devices", list)
    }

    private func sayFobs(_ workbench: Workbench) {
        guard hub.isListenedTo("fob") else { return }
        for entry in workbench.entries {
            guard var view = workbench.fobView(entry.id) else { continue }
            let time = view.time
            view.time = fobs[entry.id]?.time ?? time
            // While it senses, each look is a point of the chart.
            guard view != fobs[entry.id] || view.accelerometer.isEnabled && time != fobs[entry.id]?.time else {
                continue
            }
            view.time = time
            fobs[entry.id] = view
            hub.say("fob", view)
        }
    }

    private func sayPhones(_ workbench: Workbench) {
        guard hub.isListenedTo("phone") else { return }
        for entry in workbench.entries {
            guard let view = workbench.phoneView(entry.id), view != phones[entry.id] else { continue }
            phones[entry.id] = view
            hub.say("phone", view)
        }
    }

    private func saySightings(_ workbench: Workbench) {
        for entry in workbench.entries {
            guard case .central(let central) = entry.role else { continue }
            let topic = "sightings:\(entry.id.rawValue)"
            guard hub.isListenedTo(topic), central.sightingCount != centrals[entry.id]?.sightingCount else { continue }
            centrals[entry.id, default: SeenCentral()].sightingCount = central.sightingCount
            if let list = workbench.sightings(of: entry.id) { hub.say(topic, list) }
        }
    }

    private func say(_ central: WorkbenchCentral, _ id: DeviceID, _ workbench: Workbench) {
        var seen = centrals[id] ?? SeenCentral()
        defer { centrals[id] = seen }
        let number = id.rawValue
        if hub.isListenedTo("central:\(number)"), let view = workbench.centralView(id), view != seen.view {
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

    private func sayAir(_ workbench: Workbench) {
        guard hub.isListenedTo("air") else {
            lastPacket = workbench.air.lastNumber
            return
        }
        let packets = workbench.air.packets(after: lastPacket, endedBy: workbench.world.now)
        guard let last = packets.last else { return }
        let skipped = last.number - lastPacket - min(packets.count, Self.packetsAtOnce)
        lastPacket = last.number
        let shown = packets.suffix(Self.packetsAtOnce).map { PacketView($0) }
        let list = PacketList(
            time: workbench.world.now.seconds,
            skipped: max(0, skipped),
            first: workbench.air.firstNumber,
            last: workbench.air.lastNumber,
            packets: shown
        )
        hub.say("air", list)
    }

    /// The central of a page that has gone without a word goes a while later.
    private func dismissCentrals(_ workbench: Workbench) {
        guard !isVirtual else { return }
        let now = workbench.world.now
        if centrals.count > workbench.entries.count { centrals = centrals.filter { workbench.central($0.key) != nil } }
        for entry in workbench.entries {
            guard case .central(let central) = entry.role else { continue }
            var seen = centrals[entry.id] ?? SeenCentral()
            if hub.isAskedFor("central:\(entry.id.rawValue)") {
                seen.wasListenedTo = true
                seen.lastListener = now
            }
            centrals[entry.id] = seen
            let lastSign = max(seen.lastListener, central.lastUse ?? .zero)
            guard seen.wasListenedTo, now - lastSign > Self.patience else { continue }
            centrals[entry.id] = nil
            workbench.retire(entry.id)
        }
    }
}
