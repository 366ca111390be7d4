import BluethroatAppEnvironment
public import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatLive
import BluethroatLiveLoop
public import BluethroatLiveWorld
import BluethroatMoneyDrop
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
public import BluethroatVirtualTime
import BluethroatWorkbench
import CoreBluetooth
import Foundation

/// What went wrong with the first MoneyDrop, as its makers have reported.
public enum Pitfall: String, CaseIterable, Sendable {
    case writeType = "write-type"
    case photo
    case background
    /// What a passer-by reads: the channel was plain.
    case sniffing
}

/// A step of a pitfall.
public struct PitfallEvent: LiveSessionEvent {
    /// Which one is shown.
    public let pitfall: Pitfall
    /// What happened, for people.
    public let text: String
    /// When, in the world.
    public let time: Instant
    /// What was sniffed of one field; nil of all steps but those.
    public var row: SniffedRow?

    public var line: String? {
        if pitfall == .sniffing { return text }
        return "\(String(format: "%.3f", Double(time.nanoseconds) / 1e9)) s  \(text)"
    }

    public var json: JSONLine? {
        if let row {
            var object = JSONLine(event: "sniffed", time: time)
            object.add("field", row.field.rawValue)
            if let plain = row.plain { object.add("plain", plain) }
            if let encrypted = row.encrypted { object.add("encrypted", encrypted) }
            return object
        }
        var object = JSONLine(event: "reenacted", time: time)
        object.add("pitfall", pitfall.rawValue)
        object.add("text", text)
        return object
    }
}

extension Pitfall {
    /// Shows a pitfall with two phones that behave as those did, in virtual time.
    public func reenact(
        seed: UInt64,
        captures files: CaptureFiles = CaptureFiles(),
        emit: @escaping (PitfallEvent) -> Void
    ) throws(OperationFailure) {
        let captures: Captures?
        do throws(CaptureError) { captures = try files.open(epoch: .unix) { _ in } } catch {
            throw OperationFailure("\(error)")
        }
        let session = LiveSession(seed: seed, isVirtual: true, captures: captures, drawsSecrets: false)
        let world = session.workbench.world
        if self == .sniffing {
            let payments = try SniffedPayments(in: session, seed: seed)
            emit(PitfallEvent(pitfall: self, text: SniffedRow.heading, time: world.now))
            for row in payments.rows { emit(PitfallEvent(pitfall: self, text: row.line, time: world.now, row: row)) }
            let note = "without a photo there is no channel to pair for: what is read then is in the first column"
            emit(PitfallEvent(pitfall: self, text: note, time: world.now))
            return try finish(session)
        }
        let story = PitfallStory { [self] in emit(PitfallEvent(pitfall: self, text: $0, time: world.now)) }
        let recipientPhone = session.addPhone(named: "recipient", at: .metres(x: 1))
        let senderPhone = session.addPhone(named: "sender", at: .metres(x: 3))
        func install(_ phone: Phone, _ make: @escaping (AppClock) -> AnyObject) -> PhoneApp {
            var app: PhoneApp?
            let installed = phone.install(
                named: "MoneyDrop",
                backgroundModes: [.bluetoothCentral, .bluetoothPeripheral]
            ) { _ in app.map { make(AppClock.of(world, for: $0)) } }
            app = installed
            installed.launch()
            return installed
        }
        let recipient = install(recipientPhone) { FirstRecipient(self, $0, story) }
        func run(_ seconds: Int64) {
            world.runExternalWork()
            session.advance(by: .seconds(seconds))
        }
        switch self {
        case .writeType, .photo:
            let sender = install(senderPhone) { FirstSender(self, $0, story) }
            run(60)
            withExtendedLifetime((recipient, sender)) {}
        case .background:
            run(1)
            recipient.enterBackground()
            story.tell("the recipient's app is in the background: its service is a bit in the overflow area now")
            // Out of earshot until both are there.
            session.workbench.move(senderPhone.device, to: .metres(x: 100_000))
            let sender = install(senderPhone) { FirstSender(self, $0, story) }
            run(1)
            sender.enterBackground()
            story.tell("the sender's app is in the background, and scans for the service")
            run(10)
            session.workbench.move(senderPhone.device, to: .metres(x: 3))
            run(60)
            story.tell("a minute beside each other, and neither has heard of the other")
            sender.enterForeground()
            story.tell("the sender's app comes to the screen")
            run(10)
        case .sniffing: break
        }
        try finish(session)
    }

    private func finish(_ session: LiveSession) throws(OperationFailure) {
        session.finish()
        if let failure = session.captureFailure { throw failure }
    }
}

/// What happens, line by line.
final class PitfallStory {
    let tell: (String) -> Void

    init(_ tell: @escaping (String) -> Void) { self.tell = tell }
}
