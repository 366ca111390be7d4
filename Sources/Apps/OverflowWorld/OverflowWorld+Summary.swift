import BluethroatByteCoding
import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatLive
import BluethroatOverflowArea
import BluethroatOverflowStudy
import BluethroatPhones
import BluethroatStudies
import BluethroatVirtualTime
import Foundation

extension OverflowWorld {
    /// What a phone knows of the others, a line each.
    func summarise(_ participant: OverflowParticipant) {
        if case .conversation(let app) = participant.beacon { return summarise(app, participant) }
        let state = participant.state
        for neighbour in state.neighbours {
            guard isJSON else {
                var line = "\(participant.phone.name): \(neighbour.id.uuidString) "
                if let payload = neighbour.payload, let first = neighbour.firstBelieved {
                    line += "sends \(payload.hex.uppercased()), read \(neighbour.readings) times, "
                    line += "first at \(String((first * 10).rounded() / 10)) s, confidence in each byte: "
                    line += neighbour.confidence.map(ConfidenceText.percent).joined(separator: " ")
                } else {
                    line += "was heard \(neighbour.sightings) times; nothing was believed"
                }
                tell(.analysis(line))
                continue
            }
            var line = JSONLine(event: "neighbour", time: present)
            line.add("phone", participant.phone.name)
            line.add("peer", neighbour.id.uuidString)
            if let payload = neighbour.payload { line.add("payload", payload.hex) }
            line.add("readings", neighbour.readings)
            line.add("sightings", neighbour.sightings)
            line.add("statuses", neighbour.statuses.map(\.rawValue))
            line.add("verdict", neighbour.verdict.rawValue)
            if let first = neighbour.firstBelieved { line.add("first", .nanoseconds(Int64(first * 1e9))) }
            if neighbour.payload != nil { line.add("confidence", decimal: ConfidenceText.json(neighbour.confidence)) }
            tell(.analysis(line.text))
        }
    }

    /// What a conversation has brought, and what it has cost.
    private func summarise(_ app: OverflowConversation, _ participant: OverflowParticipant) {
        let conversation = app.conversation
        let bytes = conversation.deliveredCount, received = participant.received.reduce(0) { $0 + $1.count }
        let seconds = conversation.busySeconds / Double(max(bytes, 1))
        let changes = Double(app.changeCount) / Double(max(bytes, 1))
        let index = Int(conversation.partner) - plan.firstNumber
        let partner =
            participants.indices.contains(index) ? participants[index].phone.name : "number \(conversation.partner)"
        guard isJSON else {
            var line = "\(participant.phone.name): \(bytes) bytes to \(partner), \(received) from it"
            if bytes > 0 { line += "; \(seconds.fixed(2)) s and \(changes.fixed(2)) changes for each byte" }
            return tell(.analysis(line))
        }
        var line = JSONLine(event: "conversation", time: present)
        line.add("phone", participant.phone.name)
        line.add("partner", partner)
        line.add("delivered", bytes)
        line.add("received", received)
        line.add("waiting", conversation.waiting.count)
        line.add("changes", app.changeCount)
        if bytes > 0 {
            line.add("timePerByte", decimal: seconds.digits)
            line.add("changesPerByte", decimal: changes.digits)
        }
        tell(.analysis(line.text))
    }
}
