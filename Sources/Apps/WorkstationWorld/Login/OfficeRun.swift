import BluethroatBluetoothValues
public import BluethroatEvents
import BluethroatHost
import BluethroatKeyFobConsole
import BluethroatLive
public import BluethroatOfficeDay
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
public import BluethroatVirtualTime
import BluethroatWorkbench
import BluethroatWorkstationLogin
import Foundation

/// A day in virtual time, from beginning to end at once.
public struct OfficeRun: LiveSessionEvent {
    /// What the day's randomness began with.
    public let seed: UInt64
    /// How long the day took, in the world.
    public let length: Instant
    /// Whether everybody has come and gone.
    public let isOver: Bool
    /// Who came, logged in and left.
    public let report: OfficeDay.Report

    /// Lets the day pass. Throws if the world stood still.
    public init(_ plan: OfficePlan, seed: UInt64) throws(OperationFailure) {
        let session = LiveSession(seed: seed, isVirtual: true, drawsSecrets: false)
        let world = session.workbench.world
        let day = Self.makeDay(plan, seed: seed, in: session)
        // A person who is still here long after closing time has not got out.
        world.run(for: .seconds(Int64(plan.seconds) * 4 + 300)) { day.isOver }
        if let stall = world.stall { throw OperationFailure("\(stall)", time: stall.instant) }
        self.seed = seed
        length = world.now
        isOver = day.isOver
        report = day.report
    }

    public var line: String? { report.sentences.joined(separator: "\n") }

    public var json: JSONLine? {
        var line = JSONLine(event: "day", time: length)
        line.add("seed", String(seed))
        line.add("over", isOver)
        line.add(report)
        return line
    }

    /// What is printed of it.
    ///
    /// - Parameter realSeconds: how long it took here.
    package func lines(isJSON: Bool, realSeconds: Double) -> [String] {
        if isJSON { return [json?.text].compactMap(\.self) }
        let length = "The day took \(length.sinceStart), here \(Self.hundredths(realSeconds)) s"
        return [line, "\(length) (seed \(seed))."].compactMap(\.self)
    }

    static func makeDay(_ plan: OfficePlan, seed: UInt64, in session: LiveSession) -> OfficeDay {
        // Many passwords are checked in an hour, and none of them is a real user's.
        OfficeDay(plan, seed: seed, in: session.workbench.world, cost: ScryptCost(logarithm: 6)!) { name, position in
            var settings = PhoneSettings()
            // Fifty of them should not fill the air with nothing else.
            settings.advertisingInterval = AdvertisingInterval(steps: 510)
            return session.addPhone(named: name, at: position, settings: settings) { $0.pairForLogin() }
        }
    }

    static func hundredths(_ number: Double) -> String { String(format: "%.2f", number) }
}

extension HostConfiguration {
    /// How desks and their phones pair: LE Secure Connections with keys of full length, or not at all. A bond is never
    /// replaced: there is no person to ask whether a phone with a bonded address and without the key is the same phone.
    mutating func pairForLogin() {
        pairing.bondReplacement = .refused
        pairing.inputOutput = .displayYesNo
        pairing.secureConnections = .only
        pairing.minimumKeySize = 16
    }
}

extension OfficeDay.Report {
    var sentences: [String] {
        let times =
            "\(OfficeRun.hundredths(medianLoginSeconds)) s in the middle, "
            + "\(OfficeRun.hundredths(longestLoginSeconds)) s at most"
        return [
            "\(peopleCome) of \(people) people have come, \(peopleGone) have gone home",
            "\(logins) logins, from sitting down to the session \(times); \(retries) times somebody pressed again",
            "\(logoutsOnRequest) sessions ended on the phone, \(logoutsByWalkingAway) by walking away, "
                + "\(logoutsByLinkLoss) with the link; \(peopleLoggedIn) are left",
            "\(frames) frames on the air, \(collisions.frames) of them while another was on the same channel; "
                + "\(collisions.receptions) receptions were lost to such collisions",
        ]
    }
}

extension JSONLine {
    mutating func add(_ report: OfficeDay.Report) {
        add("people", report.people)
        add("come", report.peopleCome)
        add("gone", report.peopleGone)
        add("logins", report.logins)
        add("loggedIn", report.peopleLoggedIn)
        add("requested", report.logoutsOnRequest)
        add("walkedAway", report.logoutsByWalkingAway)
        add("linkLost", report.logoutsByLinkLoss)
        add("retries", report.retries)
        add("frames", report.frames)
        add("collidedFrames", report.collisions.frames)
        add("lostReceptions", report.collisions.receptions)
        add("medianLogin", decimal: OfficeRun.hundredths(report.medianLoginSeconds))
        add("longestLogin", decimal: OfficeRun.hundredths(report.longestLoginSeconds))
    }
}
