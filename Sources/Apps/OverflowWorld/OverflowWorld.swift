public import BluethroatEvents
public import BluethroatLive
import BluethroatOverflowAnalyser
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Foundation

/// The demonstration's phones on a workbench.
public final class OverflowWorld: LiveSystem {
    public let session: LiveSession
    let plan: OverflowPlan
    private(set) var participants: [OverflowParticipant] = []
    let tell: (OverflowEvent) -> Void
    private let hint: (String) -> Void
    private var listener: OverflowListener?
    let isJSON: Bool
    private var beginning = Instant.zero

    init(
        _ session: LiveSession,
        _ plan: OverflowPlan,
        json: Bool,
        hint: @escaping (String) -> Void = { _ in },
        tell: @escaping (OverflowEvent) -> Void
    ) {
        self.session = session
        self.plan = plan
        self.tell = tell
        self.hint = hint
        isJSON = json
    }

    /// - Parameter json: whether the lines of an analyser are objects for programs.
    public convenience init(
        _ session: LiveSession,
        _ events: EventSink<OverflowEvent>,
        _ plan: OverflowPlan,
        json: Bool = false
    ) {
        self.init(session, plan, json: json, hint: events.hint) { events.emit($0) }
    }

    public func begin() {
        beginning = present
        for number in 0..<plan.phoneCount { enter(number) }
        if let analysis = plan.analysis {
            let (tell, hint) = (tell, hint)
            let writer = OverflowFindingsWriter(OverflowAnalyser(analysis), json: isJSON) {
                tell(.analysis($0))
            } hint: {
                hint($0)
            }
            let listener = OverflowListener(writer)
            self.listener = listener
            let id = session.addDevice(named: "analyser", application: listener)
            workbench.register(id, as: .device, named: "analyser")
        }
        settle()
    }

    /// Says what each phone knows of the others, with a failure if no payload was read of any.
    public func close(then end: @escaping (OperationFailure?) -> Void) {
        endAnalysis()
        for participant in participants { summarise(participant) }
        guard plan.mode != .sequential, plan.phoneCount > 1, readerCount == 0 else { return end(nil) }
        let length = Seconds(span: present - beginning)
        end(OperationFailure("nobody has read a payload in \(length) s", .nothingFound, time: present))
    }

    public func end() { endAnalysis() }

    private func endAnalysis() {
        listener?.writer.end(at: present)
        listener = nil
    }

    /// How many phones have read a payload.
    var readerCount: Int { participants.count(where: \.hasRead) }

    private func enter(_ number: Int) {
        let name = "phone \(number + 1)"
        let phone = session.addPhone(named: name, at: place(number), settings: plan.settings(named: name))
        // People do not begin at the same instant; if they did, phones would talk at the same time for ever.
        world.schedule(at: present + .milliseconds(370 * Int64(number))) { [weak self] _ in
            guard let self else { return }
            let participant = OverflowParticipant(phone, plan, number: number, in: world) { [weak self] event in
                guard let self else { return }
                tell(.happened(event, phone: name, at: present))
            }
            participants.append(participant)
            participant.begin(plan.screen)
            if number == 0, !plan.pollution.isEmpty { participant.pollute(plan.pollution) }
        }
    }

    /// On a circle around an attached host, near enough for an analyser.
    private func place(_ number: Int) -> Position {
        let angle = 2 * Double.pi * Double(number) / Double(plan.phoneCount)
        return .metres(x: 0.5 * cos(angle), y: 0.5 * sin(angle))
    }
}
