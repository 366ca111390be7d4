public import BluethroatAppEnvironment
public import CoreBluetooth
import Foundation

/// An app in a conversation with another phone's, both in the background: a `Conversation` whose frames are BCH code words in
/// the overflow area.
///
/// What an app in the background sends changes up to iOS 13 only; from 14 on it comes no further than to open.
public final class OverflowConversation: NSObject {
    public private(set) var conversation: Conversation
    public let peripheralManager: CBPeripheralManager
    public let scanner: OverflowScanner
    /// Receives a line for each thing that happens. If it is nil, no text is made.
    public var log: ((String) -> Void)?
    /// Something that the conversation brings, and what the system calls the partner's phone.
    public var happened: (_ event: Conversation.Event, _ phone: UUID?) -> Void = { _, _ in }
    /// Something about `state` is different.
    public var changed: () -> Void = {}
    /// How often what is sent has changed, beginning included.
    public private(set) var changeCount = 0

    private let clock: AppClock
    private let pace: TimeInterval
    private let matchingByte: UInt8
    private var isSending = false
    private var sent: (frame: ConversationFrame, time: TimeInterval)?
    private var nextChange: AppTimer?
    private var deadline: AppTimer?
    private var neighbours: [OverflowNeighbour] = []

    /// - Parameters:
    ///   - conversation: who talks to whom; it has not begun.
    ///   - matchingByte: that of beacons nearby; the conversation has its complement, so that both are told apart.
    ///   - pace: the least number of seconds between two changes of what is sent. An advertisement is sent about once a
    ///     second.
    ///   - queue: where the managers call, nil being the main queue, and the clock as well.
    public init(
        _ conversation: Conversation,
        matchingByte: UInt8 = BeaconFrame.usualMatchingByte,
        pace: TimeInterval = 1,
        cycle: ScanCycle = .documented,
        queue: DispatchQueue? = nil,
        clock: AppClock,
        surroundings: AppSurroundings
    ) {
        self.conversation = conversation
        self.matchingByte = ~matchingByte
        self.pace = pace
        self.clock = clock
        peripheralManager = CBPeripheralManager(delegate: nil, queue: queue)
        scanner = OverflowScanner(cycle: cycle, queue: queue, clock: clock, surroundings: surroundings)
        super.init()
        peripheralManager.delegate = self
        scanner.heard = { [weak self] in self?.heard($0) }
        scanner.changed = { [weak self] in self?.changed() }
    }

    /// Begins to send and to listen, as soon as Bluetooth is on.
    public func start() {
        guard !isSending else { return }
        isSending = true
        update()
        scanner.start()
    }

    public func stop() {
        isSending = false
        for timer in [nextChange, deadline] { timer?.cancel() }
        (nextChange, deadline, sent) = (nil, nil, nil)
        peripheralManager.stopIfOn()
        scanner.stop()
        changed()
    }

    /// Sends a message after those that wait. False unless it has from 1 to 1,024 bytes.
    @discardableResult
    public func send(_ message: [UInt8]) -> Bool {
        guard conversation.send(message, at: clock.now) else { return false }
        update()
        return true
    }

    public var state: OverflowState {
        OverflowState(
            sent: sent.flatMap { mask(of: $0.frame) },
            isScanning: scanner.isScanning,
            notificationCount: scanner.notificationCount,
            neighbours: neighbours
        )
    }

    private func mask(of frame: ConversationFrame) -> OverflowMask? {
        OverflowCode.bch.mask(of: frame.bytes, matchingByte: matchingByte)
    }

    private func heard(_ sighting: OverflowScanner.Sighting) {
        guard isSending, let mask = OverflowMask(advertisementData: sighting.advertisementData) else { return }
        let phone = sighting.peripheral.identifier
        let frame = OverflowCode.bch.read(mask, matchingByte: matchingByte).flatMap { ConversationFrame($0.payload) }
        neighbours.note(phone, mask, rssi: sighting.rssi, at: clock.now) { neighbour in
            if let frame { neighbour.believe(frame.bytes, at: nil) } else { neighbour.verdict = .notFound }
        }
        if let frame {
            log?("heard number \(frame.sender) to \(frame.receiver): \(frame)")
            tell(conversation.hear(frame, from: phone, at: clock.now), phone)
        }
        update()
    }

    private func tell(_ events: [Conversation.Event], _ phone: UUID?) {
        for event in events {
            log?(event.line)
            happened(event, phone)
        }
    }

    /// Sends the conversation's frame as soon as that may be.
    private func update() {
        defer { changed() }
        guard isSending else { return }
        armDeadline()
        guard peripheralManager.state == .poweredOn, conversation.frame != sent?.frame else { return }
        let wait = sent.map { $0.time + pace - clock.now } ?? 0
        // Seconds are not exact.
        guard wait < 1e-6 else {
            if nextChange == nil {
                nextChange = clock.once(after: max(wait, 0.001)) { [weak self] in
                    self?.nextChange = nil
                    self?.update()
                }
            }
            return
        }
        let frame = conversation.frame
        guard let mask = mask(of: frame) else { return }
        sent = (frame, clock.now)
        changeCount += 1
        log?("sends to number \(frame.receiver): \(frame)")
        peripheralManager.stopAdvertising()
        peripheralManager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: mask.services])
    }

    private func armDeadline() {
        guard deadline == nil, let time = conversation.nextDeadline else { return }
        deadline = clock.once(after: max(time - clock.now, 0.001)) { [weak self] in
            guard let self else { return }
            deadline = nil
            tell(conversation.expire(at: clock.now), nil)
            update()
        }
    }
}

extension OverflowConversation: CBPeripheralManagerDelegate {
    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        // What was sent is gone with the power.
        if peripheral.state != .poweredOn { sent = nil }
        if !isSending { peripheral.stopIfOn() }
        update()
    }
}

extension Conversation.Event {
    /// For people.
    fileprivate var line: String {
        switch self {
        case .opened: "the conversation is open"
        case .received(let message): "I just read a message of \(message.count) bytes: \(message)"
        case .delivered(let message): "a message of \(message.count) bytes was delivered"
        case .restarted: "the conversation begins anew"
        case .silent: "nothing is heard of the partner any more"
        }
    }
}
