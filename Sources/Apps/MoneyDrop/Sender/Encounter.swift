import BluethroatAppEnvironment
import BluethroatMoneyTerms
import CoreBluetooth
import Foundation

/// What this phone has to do with the phone of one recipient: reads who it is, fetches the photo, delivers receipts.
final class Encounter: NSObject {
    let peripheral: CBPeripheral
    private(set) var person: Person { didSet { if person != oldValue { owner?.encounterChanged() } } }
    /// Whom to pay, and when that was read.
    private(set) var token: PayeeToken?
    private(set) var tokenTime: TimeInterval = 0

    weak var owner: Sender?
    private let clock: AppClock
    private let settings: MoneyDropSettings
    private var details: CBCharacteristic?
    private var message: CBCharacteristic?
    private var psm: CBCharacteristic?
    private var fetch: PhotoFetch?
    private var isOpening = false
    /// The transfer whose receipt is being written.
    private var writing: UUID?
    private var answerTimer: AppTimer?
    private var writeTimer: AppTimer?
    private var detailsTimer: AppTimer?
    private var photoTimer: AppTimer?
    /// Whether the phone is not called at present, since each connection would end as it begins.
    private(set) var hasLostPairing = false
    private var pairingTimer: AppTimer?
    private var freshTimer: AppTimer?
    /// Whom the details were about that the phone has shown last.
    private var face: Face?
    /// Why nobody is paid for some seconds after the name or the photo has changed: the user may be about to press the button of the
    /// person who was shown before.
    var changeOfFace: String? { person.hasJustChanged ? Self.changeOfFace : nil }
    private var faceTimer: AppTimer?
    /// Times in a row that the phone has not answered to a question, and to a message.
    private var silences = 0
    private var unansweredMessages = 0

    /// So often a phone that does not answer is called again.
    private static let silenceLimit = 3
    /// How long a phone that has lost the pairing is left alone before it is called once again, in seconds. Its owner, or
    /// this one's, has to do something first.
    private static let pairingPause: TimeInterval = 300
    /// How long people have to see whom the phone shows now, in seconds.
    private static let faceSeconds: TimeInterval = 3
    private static let changeOfFace = "this phone shows another name or photo than before; look whom you pay"

    /// By what people know each other on the screen.
    private struct Face: Equatable {
        let name: String
        let photo: PhotoDescription?
    }

    init(_ peripheral: CBPeripheral, clock: AppClock, settings: MoneyDropSettings) {
        self.peripheral = peripheral
        self.clock = clock
        self.settings = settings
        person = Person(id: peripheral.identifier)
        super.init()
        peripheral.delegate = self
    }

    func heard(rssi: Int) { person.rssi = rssi }

    // MARK: The connection

    func connected() {
        person.isConnected = true
        freshTimer?.cancel()
        person.canStillBePaid = false
        expectAnswer()
        peripheral.discoverServices([MoneyDropUUIDs.service])
    }

    /// Everything begins anew with the next connection, but for what is known.
    func disconnected() {
        (details, message, psm, writing, isOpening) = (nil, nil, nil, nil, false)
        for timer in [answerTimer, writeTimer, detailsTimer, photoTimer] { timer?.cancel() }
        person.isConnected = false
        fetch?.rest()
    }

    /// The app ends, as far as it knows.
    func end() {
        disconnected()
        for timer in [pairingTimer, freshTimer, faceTimer] { timer?.cancel() }
    }

    /// The phone does not know this one's key any more, so that each connection ends as it begins. It is called once more
    /// after some minutes. As long as its details are fresh it can be paid; of that its owner hears by the bank.
    func pairingIsLost() {
        hasLostPairing = true
        let why = "\(name)'s phone has forgotten the pairing; forget it here, and open MoneyDrop anew"
        person.problem = why
        if fetch != nil {
            photoTimer?.cancel()
            person.photo = .failed(why)
        }
        pairingTimer?.cancel()
        pairingTimer = clock.once(after: Self.pairingPause) { [weak self] in
            guard let self else { return }
            hasLostPairing = false
            owner?.mayBeCalled(self)
        }
        guard let token, isTokenFresh else { return }
        person.canStillBePaid = true
        freshTimer?.cancel()
        let rest = tokenTime + TimeInterval(token.content.lifetime) / 2 - clock.now
        freshTimer = clock.once(after: rest) { [weak self] in self?.person.canStillBePaid = false }
    }

    /// The phones talk again: what was given up for the lost pairing begins anew.
    private func pairingIsFound() {
        guard let pairingTimer else { return }
        pairingTimer.cancel()
        self.pairingTimer = nil
        hasLostPairing = false
        if case .failed = person.photo, fetch != nil { person.photo = .none }
    }

    /// Not while it is being hung up.
    private var isThere: Bool { peripheral.state == .connected }

    private func expectAnswer() {
        answerTimer?.cancel()
        answerTimer = clock.once(after: settings.patience) { [weak self] in self?.isSilent() }
    }

    private func isAnswered() {
        answerTimer?.cancel()
        silences = 0
    }

    /// A phone that does not answer one question answers no others either: the connection has to begin anew.
    private func isSilent() {
        silences += 1
        if silences >= Self.silenceLimit {
            person.problem = "\(name)'s phone does not answer; let its MoneyDrop be started anew, or updated"
        }
        owner?.hangUp(self)
    }

    private func messageIsNotAnswered() {
        unansweredMessages += 1
        if unansweredMessages >= Self.silenceLimit, let writing {
            unansweredMessages = 0
            let why = "\(name)'s phone does not answer to messages; it may expect them without a response"
            person.problem = why
            owner?.isUntold(writing, why)
        }
        owner?.hangUp(self)
    }

    private var name: String { person.name ?? "somebody" }

    // MARK: Details

    private func readDetails() {
        guard let details, isThere else { return }
        expectAnswer()
        peripheral.readValue(for: details)
    }

    private func take(details value: Data) {
        guard let key = owner?.bankKey else { return }
        do throws(TermsError) {
            let token = try PayeeToken(value, from: key)
            look(at: Face(name: token.content.name, photo: token.content.photo))
            self.token = token
            tokenTime = clock.now
            person.name = token.content.name
            person.currency = token.content.currency
            person.problem = problem(of: message)
            readDetailsLater(after: TimeInterval(token.content.lifetime) / 4)
            deliver()
            fetchPhoto()
        } catch {
            token = nil
            person.problem =
                switch error {
                case .forged: "the details of this phone are not signed by the bank; do not pay to it"
                case .unknownVersion(let version):
                    "this phone has version \(version) of MoneyDrop's details; update MoneyDrop here"
                case .malformed: "what this phone shows as its details is none; do not pay to it"
                }
        }
    }

    private func look(at new: Face) {
        let last = face
        face = new
        guard let last, last != new else { return }
        person.hasJustChanged = true
        faceTimer?.cancel()
        faceTimer = clock.once(after: Self.faceSeconds) { [weak self] in
            guard let self else { return }
            person.hasJustChanged = false
            guard person.problem == Self.changeOfFace else { return }
            person.problem = problem(of: message)
            deliver()
        }
    }

    private func readDetailsLater(after delay: TimeInterval) {
        detailsTimer?.cancel()
        detailsTimer = clock.once(after: delay) { [weak self] in self?.readDetails() }
    }

    /// Whether the token is young enough for the bank.
    var isTokenFresh: Bool {
        guard let token else { return false }
        return clock.now - tokenTime < TimeInterval(token.content.lifetime) / 2
    }

    /// The two phones have to agree on how a receipt is written, and people on whom they see.
    private func problem(of message: CBCharacteristic?) -> String? {
        if let changeOfFace { return changeOfFace }
        guard let message, !message.properties.contains(.write) else { return nil }
        guard message.properties.contains(.writeWithoutResponse) else {
            return "\(name)'s phone takes no messages; let its MoneyDrop be updated"
        }
        return "\(name)'s MoneyDrop takes messages without a response only, this one writes them with a response; "
            + "update the older of the two"
    }

    // MARK: Receipts

    /// Writes the next receipt that waits for this phone.
    func deliver() {
        guard writing == nil, isThere, let message, person.problem == nil, let next = owner?.nextDelivery(to: self)
        else {
            return
        }
        writeTimer?.cancel()
        writing = next.transfer
        writeTimer = clock.once(after: settings.patience) { [weak self] in self?.messageIsNotAnswered() }
        peripheral.writeValue(next.receipt, for: message, type: .withResponse)
    }

    private func delivered(_ error: (any Error)?) {
        guard let transfer = writing else { return }
        writing = nil
        guard let error else {
            owner?.isTold(transfer)
            return deliver()
        }
        // Without a code of ATT there is no link any more, and with the next one it is written again.
        guard let code = (error as? CBATTError)?.errorCode else { return deliverLater() }
        switch MessageError(rawValue: UInt8(truncatingIfNeeded: code)) {
        case .replayed: owner?.isTold(transfer)
        case .busy: return deliverLater()
        case .malformed, .forged, .unknownVersion:
            owner?.isUntold(transfer, "\(name)'s phone does not believe the receipt; is it with the same bank?")
        case nil:
            // This is the answer of a phone whose app has just ended.
            guard !Self.passing.contains(code) else { return deliverLater() }
            owner?.isUntold(
                transfer,
                "\(name)'s phone refuses the message: \(error.localizedDescription) (ATT error \(code))"
            )
        }
        deliver()
    }

    private func deliverLater() {
        writeTimer = clock.once(after: 1) { [weak self] in self?.deliver() }
    }

    /// Errors that say nothing about the receipt.
    private static let passing = [
        CBATTError.invalidHandle, .unlikelyError, .insufficientResources, .attributeNotFound,
    ].map(\.rawValue)

    // MARK: The photo

    /// Whether a photo is coming that takes more than a moment.
    var isFetchingLong: Bool { isThere && fetch?.isRunning == true && fetch?.wanted.isLong == true }

    /// Opens a channel if there is a photo to be fetched and everything that it takes.
    private func fetchPhoto() {
        guard let content = token?.content else { return }
        guard let wanted = content.photo else {
            person.photo = content.version == PayeeToken.versionWithoutPhoto ? .olderVersion : .none
            return
        }
        if owner?.photo(wanted) != nil { return person.photo = .complete(wanted.length) }
        if case .failed = person.photo, fetch?.wanted == wanted { return }
        guard wanted.length <= settings.photoLimit else {
            return person.photo = .failed("the photo is larger than this phone takes")
        }
        if fetch?.wanted != wanted {
            fetch?.stop()
            fetch = makeFetch(wanted)
        }
        guard let fetch, !fetch.isRunning, !isOpening else { return }
        fetch.wake()
        if let photo = fetch.whole() { return fetched(wanted, .complete(photo)) }
        person.photo = .coming(UInt64(fetch.bytes.count), of: wanted.length)
        guard let value = psm?.value, value.count == 2, isThere else { return }
        let number = CBL2CAPPSM(value[value.startIndex]) | CBL2CAPPSM(value[value.startIndex + 1]) << 8
        guard number != 0 else { return }
        isOpening = true
        peripheral.openL2CAPChannel(number)
    }

    private func makeFetch(_ wanted: PhotoDescription) -> PhotoFetch {
        let fetch = PhotoFetch(wanted, clock, settings)
        fetch.changed = { [weak self, weak fetch] in
            guard let self, let fetch else { return }
            person.photo = .coming(UInt64(fetch.bytes.count), of: wanted.length)
        }
        fetch.got = { [weak self] count in self?.owner?.fetched(count, of: wanted) }
        fetch.ended = { [weak self] outcome in self?.fetched(wanted, outcome) }
        return fetch
    }

    private func fetched(_ wanted: PhotoDescription, _ outcome: PhotoFetch.Outcome) {
        switch outcome {
        case .complete(let bytes):
            owner?.keep(bytes, wanted)
            person.photo = .complete(wanted.length)
            fetch = nil
        case .broken: fetchLater()
        case .outdated: readDetailsLater(after: 1)
        case .failed(let why): person.photo = .failed(why)
        }
    }

    /// The number of the channel may be another one by then.
    private func fetchLater() {
        photoTimer?.cancel()
        photoTimer = clock.once(after: 1) { [weak self] in
            guard let self, let psm, isThere else { return }
            peripheral.readValue(for: psm)
        }
    }
}

extension Encounter: CBPeripheralDelegate {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let service = peripheral.services?.first(where: { $0.uuid == MoneyDropUUIDs.service }) else {
            isAnswered()
            person.problem = "this phone shows no MoneyDrop"
            return
        }
        expectAnswer()
        peripheral.discoverCharacteristics(
            [MoneyDropUUIDs.details, MoneyDropUUIDs.message, MoneyDropUUIDs.psm],
            for: service
        )
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
        isAnswered()
        let found = service.characteristics ?? []
        details = found.first { $0.uuid == MoneyDropUUIDs.details }
        message = found.first { $0.uuid == MoneyDropUUIDs.message }
        psm = found.first { $0.uuid == MoneyDropUUIDs.psm }
        guard details != nil, message != nil else {
            person.problem = "this phone's MoneyDrop is not complete; let it be updated"
            return
        }
        pairingIsFound()
        person.problem = problem(of: message)
        deliver()
        if isTokenFresh {
            readDetailsLater(after: TimeInterval(token?.content.lifetime ?? 0) / 4)
        } else {
            readDetails()
        }
        if let psm {
            peripheral.setNotifyValue(true, for: psm)
            peripheral.readValue(for: psm)
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        // Whatever was asked about them is not answered any more.
        (details, message, psm, writing) = (nil, nil, nil, nil)
        connected()
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        switch characteristic.uuid {
        case MoneyDropUUIDs.details:
            isAnswered()
            // A phone without details has none from the bank as yet.
            if error == nil, let value = characteristic.value {
                take(details: value)
            } else {
                readDetailsLater(after: 1)
            }
        case MoneyDropUUIDs.psm: if error == nil { fetchPhoto() }
        default: break
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        // That the connection was hung up is no answer.
        if error == nil || error is CBATTError { unansweredMessages = 0 }
        writeTimer?.cancel()
        delivered(error)
    }

    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        isOpening = false
        guard let channel, let fetch else { return fetchLater() }
        fetch.run(channel)
    }
}
