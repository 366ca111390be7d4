import BluethroatBluetoothValues
import BluethroatHost
import BluethroatSimulation
import BluethroatVirtualTime

/// A device's application: it does what a scene orders, answers questions by itself, and counts what it hears.
final class SceneApplication: HostApplication {
    /// What it sends as fast as its queue takes it.
    enum Stream {
        case notifications(length: Int)
        case indications(length: Int)
        case writeCommands(length: Int)
    }

    let id: DeviceID
    let address: DeviceAddress
    /// Advertises so whenever it is up and has no connection as a peripheral.
    var advertising: AdvertisingParameters?
    /// The device whose passkey is typed in here, and whose number is compared.
    weak var other: SceneApplication?
    /// What is typed in instead of what the other device shows.
    var typed: Passkey?
    /// Whether a channel is opened to it by anyone who wants one.
    var listens = false
    var stream: Stream?

    private(set) var isUp = false
    private(set) var links: [ConnectionDescription] = []
    private(set) var connections = 0
    private(set) var heard = LinkLog()
    private(set) var pairing = PairingLog()
    private(set) var values = ValueLog()
    private(set) var channels = ChannelLog()
    /// A question of the host, and when it is answered.
    private var question: (link: ConnectionID, event: PairingEvent, due: Instant)?
    private var sent = 0

    init(id: DeviceID, address: DeviceAddress) {
        self.id = id
        self.address = address
    }

    var link: ConnectionDescription? { links.first }

    func forgetValues() { values = ValueLog() }
    func forgetPairing() { pairing = PairingLog() }

    // MARK: HostApplication

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        _ = try? host.addServices(Table.services, at: now, into: &actions)
        if listens { _ = try? host.listen(on: SPSM(rawValue: 0x80)) }
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn:
            isUp = true
            advertise(host, now, &actions)
        case .connected(let description):
            connections += 1
            links.append(description)
        case .disconnected(let id, let reason):
            links.removeAll { $0.id == id }
            heard.disconnections.append(reason)
            advertise(host, now, &actions)
        case .readyToSend: push(host, now, &actions)
        case .channel(let event):
            channels.note(event)
            switch event {
            case .opened(let description): fill(description.id, host, now, &actions)
            case .readyToSend(let channel): fill(channel, host, now, &actions)
            default: break
            }
        case .security(let event): handle(event, host, now, &actions)
        case .server(let event): handle(event, host, now, &actions)
        case .client(let event): values.note(event)
        default: heard.note(event)
        }
    }

    var nextDeadline: Instant? { question?.due }

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        guard let (link, event, due) = question, due <= now else { return }
        question = nil
        let answer: PairingAnswer
        switch event {
        case .comparisonRequested(_, let digits):
            answer = other?.pairing.compared.map { $0 == digits } ?? true ? .agree : .refuse
        case .passkeyRequested: answer = .passkey(typed ?? other?.pairing.shown ?? Passkey(123_456)!)
        default: answer = .agree
        }
        try? host.answer(answer, on: link, at: now, into: &actions)
    }

    // MARK: What it does by itself

    private func advertise(_ host: Host, _ now: Instant, _ actions: inout HostActions) {
        guard let advertising, isUp, !links.contains(where: { $0.role == .peripheral }) else { return }
        let data = AdvertisingData([.init(.flags, [6]), .init(.completeUUIDs16, [0xE0, 0xFF])])
        try? host.startAdvertising(advertising, data: data, at: now, into: &actions)
    }

    private func handle(_ event: SecurityEvent, _ host: Host, _ now: Instant, _ actions: inout HostActions) {
        pairing.note(event)
        guard case .pairing(let step) = event else { return }
        switch step {
        case .consentRequested(let link, _), .comparisonRequested(let link, _), .passkeyRequested(let link):
            question = (link, step, now + .milliseconds(400))
        case .securityRequested(let link, _): try? host.pair(link, at: now, into: &actions)
        case .failed, .finished: question = nil
        default: break
        }
    }

    private func handle(_ event: GATTServerEvent, _ host: Host, _ now: Instant, _ actions: inout HostActions) {
        values.note(event)
        switch event {
        case .readRequested(let request, _, _, let offset):
            let value = (offset..<max(offset, 90)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            try? host.respond(to: request, with: .value(value), at: now, into: &actions)
        case .writeRequested(let request, _, let writes, let kind) where kind.wantsResponse:
            let answer: RequestAnswer = writes.contains { $0.value == [0xEE] } ? .refused(.outOfRange) : .written
            try? host.respond(to: request, with: answer, at: now, into: &actions)
        case .indicationConfirmed: push(host, now, &actions)
        case .subscriptionChanged: push(host, now, &actions)
        default: break
        }
    }

    /// Sends of its stream what the queue takes.
    func push(_ host: Host, _ now: Instant, _ actions: inout HostActions) {
        guard let stream, let link else { return }
        for _ in 0..<16 {
            let wasTaken: Bool
            switch stream {
            case .notifications(let length):
                wasTaken = host.notify(value(length), handle: Table.open, to: link.id, at: now, into: &actions)
            case .indications(let length):
                wasTaken = host.indicate(value(length), handle: Table.open, to: link.id, at: now, into: &actions)
            case .writeCommands(let length):
                wasTaken =
                    (try? host.writeCommand(value(length), link.id, Table.command, at: now, into: &actions)) == true
            }
            guard wasTaken else { return }
            sent += 1
            // One indication at a time; the next goes when it is confirmed.
            if case .indications = stream { return }
        }
    }

    private func value(_ length: Int) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 &+ sent) } }

    /// Sends on a channel what is left of what the scene wants sent.
    private func fill(_ channel: L2CAPChannelID, _ host: Host, _ now: Instant, _ actions: inout HostActions) {
        while channels.left > 0 {
            let length = min(channels.left, channels.sduLength)
            guard (try? host.send(value(length), on: channel, at: now, into: &actions)) == true else { return }
            sent += 1
            channels.left -= length
        }
    }

    /// Has so many bytes sent on the channels that are opened.
    func sendOnChannels(_ bytes: Int, sduLength: Int) {
        channels.left = bytes
        channels.sduLength = sduLength
    }
}
