import BluethroatByteCoding
package import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatLive
import BluethroatLiveLoop
package import BluethroatLiveWorld
import BluethroatOverflowArea
import BluethroatPhones
import BluethroatSimulation
package import BluethroatVirtualTime
import Foundation

/// The demonstration in virtual time, from its beginning to its end.
package struct OverflowVirtualRun {
    private let plan: OverflowPlan
    private let length: TimeSpan
    private let seed: UInt64
    private let isJSON: Bool
    private let emit: (OverflowEvent) -> Void

    /// `emit` takes what happens; the summaries at the end are findings, too.
    package init(
        _ plan: OverflowPlan,
        length: TimeSpan,
        seed: UInt64,
        json: Bool,
        emit: @escaping (OverflowEvent) -> Void
    ) {
        self.plan = plan
        self.length = length
        self.seed = seed
        isJSON = json
        self.emit = emit
    }

    /// Lets the time pass, until `isWanted` says no. Throws if no phone has read anything.
    package func run(
        capturing files: CaptureFiles = CaptureFiles(),
        warn: @escaping (String) -> Void,
        hint: @escaping (String) -> Void = { _ in },
        while isWanted: () -> Bool = { true }
    ) throws(OperationFailure) {
        let captures: Captures?
        do throws(CaptureError) { captures = try files.open { warn("\($0)") } } catch {
            throw OperationFailure("\(error)")
        }
        let session = LiveSession(seed: seed, isVirtual: true, captures: captures)
        let world = OverflowWorld(session, plan, json: isJSON, hint: hint, tell: emit)
        world.begin()
        // In pieces, so that captures are written now and then.
        while world.present < .zero + length {
            world.advance(by: min(.seconds(10), .zero + length - world.present))
            if !isWanted() { break }
        }
        world.finish()
        for participant in world.participants { summarise(participant, at: world.present) }
        guard plan.mode != .sequential, plan.phoneCount > 1, world.readerCount == 0 else { return }
        throw OperationFailure(
            "nobody has read a payload in \(Seconds(span: length)) s",
            .nothingFound,
            time: world.present
        )
    }

    private func summarise(_ participant: OverflowParticipant, at now: Instant) {
        let state = participant.state
        for neighbour in state.neighbours {
            guard isJSON else {
                var line = "\(participant.phone.name): \(neighbour.id.uuidString) "
                if let payload = neighbour.payload, let first = neighbour.firstBelieved {
                    line += "sends \(payload.hex.uppercased()), read \(neighbour.readings) times, "
                    line += "first at \(String((first * 10).rounded() / 10)) s"
                } else {
                    line += "was heard \(neighbour.sightings) times; nothing was believed"
                }
                emit(.analysis(line))
                continue
            }
            var line = JSONLine(event: "neighbour", time: now)
            line.add("phone", participant.phone.name)
            line.add("peer", neighbour.id.uuidString)
            if let payload = neighbour.payload { line.add("payload", payload.hex) }
            line.add("readings", neighbour.readings)
            line.add("sightings", neighbour.sightings)
            line.add("statuses", neighbour.statuses.map(\.rawValue))
            line.add("verdict", neighbour.verdict.rawValue)
            if let first = neighbour.firstBelieved { line.add("first", .nanoseconds(Int64(first * 1e9))) }
            emit(.analysis(line.text))
        }
    }
}
