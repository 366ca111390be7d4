import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFobConsole
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench

/// The central that words speak of: it comes into the world with the first of them, and does one order after the other.
final class FobCentral {
    private let workbench: Workbench
    private let complain: (_ why: String, _ peer: DeviceAddress) -> Void
    private var id: DeviceID?
    private var waiting: [(word: CentralWord, peer: DeviceAddress)] = []
    private var isBusy = false
    /// The last entry of its log that was looked at, and those before that were not over then.
    private var lastEntry = 0
    private var openEntries: [Int] = []

    /// - Parameter complain: is told why an order could not be begun, in one line, and of the fob that it was about.
    init(_ workbench: Workbench, complain: @escaping (_ why: String, _ peer: DeviceAddress) -> Void) {
        self.workbench = workbench
        self.complain = complain
    }

    /// Does what a word says, with the fob of this address.
    func obey(_ word: CentralWord, with peer: DeviceAddress) {
        let id = id ?? workbench.addCentral()
        self.id = id
        guard workbench.central(id) != nil else {
            return complain("the central was taken out of the world at the control panel", peer)
        }
        if case .distance(let metres) = word { return workbench.move(id, to: .metres(x: -metres)) }
        waiting.append((word, peer))
        goOn()
    }

    private func goOn() {
        guard !isBusy, !waiting.isEmpty, let id, let central = workbench.central(id) else { return }
        isBusy = true
        // A host needs a moment until it is up.
        guard central.isUp else { return later(by: .milliseconds(10)) }
        let (word, peer) = waiting.removeFirst()
        begin(word, peer, id)
    }

    /// The next order begins when this one is done: not before its answer has been dealt with everywhere.
    private func finish() { later(by: .zero) }

    /// The same, when this link has come to its end: until then the fob cannot be connected with anew.
    private func finish(without link: ConnectionID, before limit: Instant) {
        let isThere = id.flatMap { workbench.central($0) }?.links.contains { $0.id == link } ?? false
        guard isThere, workbench.world.now < limit else { return finish() }
        workbench.world.schedule(at: workbench.world.now + Self.glance) { [weak self] _ in
            self?.finish(without: link, before: limit)
        }
    }

    /// From one look at a link that is to end to the next.
    private static let glance = TimeSpan.milliseconds(10)

    private func later(by pause: TimeSpan) {
        workbench.world.schedule(at: workbench.world.now + pause) { [weak self] _ in
            self?.isBusy = false
            self?.goOn()
        }
    }

    private func refuse(_ why: String, _ peer: DeviceAddress) {
        complain(why, peer)
        finish()
    }

    // MARK: Orders

    private func begin(_ word: CentralWord, _ peer: DeviceAddress, _ id: DeviceID) {
        switch word {
        case .connect:
            _ = workbench.order(id) { central, host, now, actions in
                central.connect(to: peer, host: host, at: now, into: &actions) { [weak self] _ in self?.finish() }
            }
        case .disconnect:
            let link = workbench.central(id)?.links.first { $0.peer == peer }
            let refusal: WorkbenchCentral.Refusal?? = workbench.order(id) { central, host, now, actions in
                do throws(WorkbenchCentral.Refusal) {
                    try central.disconnect(peer, host: host, at: now, into: &actions)
                    return nil
                } catch {
                    return error
                }
            }
            if let refusal = refusal ?? nil { return refuse(refusal.sentence, peer) }
            guard let link else { return finish() }
            // At the latest when the fob has not been heard for so long that the link is given up.
            let patience = link.parameters.supervisionTimeout.span + .seconds(1)
            finish(without: link.id, before: workbench.world.now + patience)
        case .read(let name), .subscribe(let name), .write(let name, _):
            guard let link = workbench.central(id)?.links.first(where: { $0.peer == peer }) else {
                return refuse(WorkbenchCentral.Refusal.notConnected(peer).sentence, peer)
            }
            guard let database = link.database else { return discover(then: word, peer, id) }
            let found = database.services.filter { name.service == nil || $0.uuid == name.service }
                .flatMap(\.characteristics).filter { $0.uuid == name.uuid }
            guard let characteristic = found.first else { return refuse("\(peer) has no \(name)", peer) }
            guard found.count == 1 else {
                return refuse("\(peer) has more than one \(name); say in which service, as in 1803/2A06", peer)
            }
            begin(word, characteristic, peer, id)
        case .distance: finish()
        }
    }

    private func begin(
        _ word: CentralWord,
        _ characteristic: RemoteCharacteristic,
        _ peer: DeviceAddress,
        _ id: DeviceID
    ) {
        let handle = characteristic.valueHandle
        _ = workbench.order(id) { central, host, now, actions in
            switch word {
            case .read:
                central.read(handle, of: peer, host: host, at: now, into: &actions) { [weak self] _ in self?.finish() }
            case .subscribe where characteristic.properties.isDisjoint(with: [.notify, .indicate]):
                refuse("\(characteristic.uuid) neither notifies nor indicates", peer)
            case .subscribe:
                central.subscribe(true, to: handle, of: peer, host: host, at: now, into: &actions) { [weak self] _ in
                    self?.finish()
                }
            case .write(_, let value)
            where characteristic.properties.isDisjoint(with: .write)
                && characteristic.properties.contains(.writeWithoutResponse):
                // A refusal is in the log.
                try? central.writeCommand(value, to: handle, of: peer, host: host, at: now, into: &actions)
                finish()
            case .write(_, let value):
                // What cannot be written is refused by the fob itself.
                central.write(value, to: handle, of: peer, host: host, at: now, into: &actions) { [weak self] _ in
                    self?.finish()
                }
            case .connect, .disconnect, .distance: finish()
            }
        }
    }

    /// Finds out what the fob has, and begins again.
    private func discover(then word: CentralWord, _ peer: DeviceAddress, _ id: DeviceID) {
        _ = workbench.order(id) { central, host, now, actions in
            central.discover(peer, host: host, at: now, into: &actions) { [weak self] result in
                guard let self else { return }
                guard case .success = result else { return finish() }
                workbench.world.schedule(at: workbench.world.now) { [weak self] _ in
                    guard let self else { return }
                    workbench.central(id) == nil ? finish() : begin(word, peer, id)
                }
            }
        }
    }

    // MARK: What came of them

    /// What is over since this was asked last, in the order in which it ended.
    func takeNotices() -> [CentralNotice] {
        guard let id, let log = workbench.central(id)?.log else { return [] }
        let new = log.entries(after: lastEntry)
        let opened = openEntries.compactMap { number in log.entries(after: number - 1).first { $0.number == number } }
        let all = opened + new
        openEntries = all.filter { $0.ended == nil }.map(\.number)
        lastEntry = new.last?.number ?? lastEntry
        let over = all.compactMap { entry in entry.ended.map { (time: $0, entry) } }
        return over.sorted { ($0.time, $0.1.number) < ($1.time, $1.1.number) }
            .compactMap { CentralNotice($0.1, endedAt: $0.time) }
    }
}

extension CentralNotice {
    /// What an entry of a log says that is over; nil for what is no answer to a word.
    fileprivate init?(_ entry: OperationLog.Entry, endedAt time: Instant) {
        guard let peer = entry.peer else { return nil }
        let attribute = entry.uuid.map { "\($0)" } ?? entry.handle.map { "\($0)" } ?? ""
        let value = entry.value ?? []
        let outcome = entry.outcome ?? ""
        let change: Change
        switch entry.kind {
        // Nobody has asked for these: descriptions and formats are read to discover what there is, and a word reads
        // characteristics only. Core 6.0, Vol 3, Part G, 3.3.3.2 and 3.3.3.5.
        case .read where entry.uuid == .characteristicUserDescription: return nil
        case .read where entry.uuid == .characteristicPresentationFormat: return nil
        // The end of a connection is what it is, lost or not.
        case .disconnect: change = .disconnected(outcome)
        case .connect where entry.hasFailed, .discover where entry.hasFailed: change = .failed(outcome)
        case .read where entry.hasFailed: change = .failed("\(attribute) was not read: \(outcome)")
        case .write where entry.hasFailed, .writeCommand where entry.hasFailed:
            change = .failed("\(attribute) was not written: \(outcome)")
        case .subscribe where entry.hasFailed: change = .failed("not subscribed to \(attribute): \(outcome)")
        case .connect: change = .connected
        case .read: change = .read(attribute, value)
        case .write, .writeCommand: change = .wrote(attribute, value)
        case .subscribe: change = .subscribed(attribute)
        case .notification, .indication: change = .notified(attribute, value)
        case .scan, .mtu, .discover, .unsubscribe, .pair, .security: return nil
        }
        self.init(time: time, peer: peer, change: change)
    }
}
