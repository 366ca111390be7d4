public import BluethroatEvents
import BluethroatKeyFobConsole
public import BluethroatMoneyBank
public import BluethroatMoneyDrop
public import BluethroatMoneyTerms
public import BluethroatVirtualTime
public import Foundation

/// What is written of MoneyDrop.
public enum MoneyDropEvent: LiveSessionEvent {
    /// Where the bank is.
    case bank(String, at: Instant)
    case balance(of: String, Money, at: Instant)
    case findable(String, at: Instant)
    case found(by: String, Person, at: Instant)
    /// So many bytes are there. `file` is where the complete photo is kept, if it is in a file.
    case photo(by: String, of: String, UInt64, total: UInt64, file: String?, at: Instant)
    case sent(by: String, OutgoingTransfer, at: Instant)
    /// A transfer that an earlier run has left.
    case resumed(by: String, OutgoingTransfer, at: Instant)
    /// `isEarlier`: it was in the wallet when the command began.
    case notice(to: String, Notice, isEarlier: Bool, at: Instant)
    /// A receipt was printed, into this file.
    case receipt(of: String, transfer: UUID, file: String, at: Instant)
    case problem(of: String, String, at: Instant)
    case closed(sent: Int, received: Int, audit: Audit?, at: Instant)

    public var line: String? {
        switch self {
        case .bank: return nil
        case .balance(let name, let balance, _): return "\(name) has \(balance)"
        case .findable(let name, _): return "\(name) can be found"
        case .found(let name, let person, _):
            let who = person.name ?? "somebody"
            return person.problem.map { "\(name) found \(who): \($0)" } ?? "\(name) found \(who)"
        case .photo(let name, let of, let count, let total, let file, _):
            return count == total
                ? "\(name) has \(of)'s photo, \(total) bytes\(file.map { ", in \($0)" } ?? "")"
                : "\(name) gets \(of)'s photo: \(count * 100 / max(1, total)) %"
        case .sent(let name, let transfer, _):
            let what = "\(transfer.order.amount) to \(transfer.recipient)"
            switch transfer.state {
            case .ordered: return "\(name) sends \(what)"
            case .paid: return "\(name) has sent \(what)"
            case .told: return "\(name) has sent \(what), and \(transfer.recipient) knows"
            case .untold(let why): return "\(name) has sent \(what): \(why)"
            case .refused(let why): return "\(name) has not sent \(what): \(why.sentence)"
            }
        case .resumed(let name, let transfer, _):
            let what = "\(transfer.order.amount) to \(transfer.recipient)"
            return transfer.isUnderWay
                ? "\(name) goes on with \(what), which an earlier run has begun; --again sends it once more"
                : "\(name) has sent \(what) in an earlier run, which did not come to say so; --again sends it once more"
        case .notice(let name, .received(_, let amount, let payer), let isEarlier, _):
            return "\(isEarlier ? "earlier: " : "")\(name) got \(amount) from \(payer)"
        case .notice(let name, .refused(let why, let amount, let payer), let isEarlier, _):
            let what = [amount.map { " over \($0)" }, payer.map { " from \($0)" }].compactMap(\.self).joined()
            return "\(isEarlier ? "earlier: " : "")\(name) refused a receipt\(what): \(why.sentence)"
        case .receipt(let name, _, let file, _): return "\(name) has a receipt in \(file)"
        case .problem(let name, let problem, _): return "\(name): \(problem)"
        case .closed(let sent, let received, let audit, _):
            return "The café closes: \(sent) transfers sent, \(received) received"
                + (audit.map {
                    ", \($0.transfers) in the books, which have \($0.faults.isEmpty ? "no" : "\($0.faults.count)") faults"
                } ?? "")
        }
    }

    public var json: JSONLine? {
        switch self {
        case .bank(let url, let now):
            var line = JSONLine(event: "bank", time: now)
            line.add("url", url)
            return line
        case .balance(let name, let balance, let now):
            var line = JSONLine(event: "balance", time: now)
            line.add("name", name)
            line.add("balance", "\(balance)")
            return line
        case .findable(let name, let now):
            var line = JSONLine(event: "findable", time: now)
            line.add("name", name)
            return line
        case .found(let name, let person, let now):
            var line = JSONLine(event: "found", time: now)
            line.add("by", name)
            line.add("id", person.id.uuidString)
            if let found = person.name { line.add("name", found) }
            if let problem = person.problem { line.add("problem", problem) }
            return line
        case .photo(let name, let of, let count, let total, let file, let now):
            var line = JSONLine(event: "photo", time: now)
            line.add("by", name)
            line.add("of", of)
            line.add("bytes", Int(count))
            line.add("length", Int(total))
            if let file { line.add("file", file) }
            return line
        case .sent(let name, let transfer, let now): return Self.json("transfer", name, transfer, now)
        case .resumed(let name, let transfer, let now): return Self.json("resumed", name, transfer, now)
        case .notice(let name, .received(let id, let amount, let payer), let isEarlier, let now):
            var line = JSONLine(event: "received", time: now)
            line.add("name", name)
            line.add("id", id.uuidString)
            line.add("amount", "\(amount)")
            line.add("from", payer)
            if isEarlier { line.add("earlier", true) }
            return line
        case .notice(let name, .refused(let why, let amount, let payer), let isEarlier, let now):
            var line = JSONLine(event: "refused", time: now)
            line.add("name", name)
            line.add("reason", why.rawValue)
            if let amount { line.add("amount", "\(amount)") }
            if let payer { line.add("from", payer) }
            if isEarlier { line.add("earlier", true) }
            return line
        case .receipt(let name, let transfer, let file, let now):
            var line = JSONLine(event: "receipt", time: now)
            line.add("name", name)
            line.add("id", transfer.uuidString)
            line.add("file", file)
            return line
        case .problem(let name, let problem, let now):
            var line = JSONLine(event: "problem", time: now)
            line.add("name", name)
            line.add("problem", problem)
            return line
        case .closed(let sent, let received, let audit, let now):
            var line = JSONLine(event: "closed", time: now)
            line.add("sent", sent)
            line.add("received", received)
            if let audit {
                line.add("transfers", audit.transfers)
                line.add("sums", audit.sums.map(\.description))
                line.add("faults", audit.faults)
            }
            return line
        }
    }
}

extension MoneyDropEvent {
    private static func json(_ event: String, _ name: String, _ transfer: OutgoingTransfer, _ now: Instant)
        -> JSONLine
    {
        var line = JSONLine(event: event, time: now)
        line.add("by", name)
        line.add("to", transfer.recipient)
        line.add("id", transfer.id.uuidString)
        line.add("amount", "\(transfer.order.amount)")
        line.add("state", transfer.state.word)
        switch transfer.state {
        case .untold(let why): line.add("reason", why)
        case .refused(let why): line.add("reason", why.rawValue)
        default: break
        }
        return line
    }
}

extension MoneyDropEvent {
    /// The transfer of which it says that the money has come, or has gone and its recipient has been told or never will be.
    var paidTransfer: UUID? {
        switch self {
        case .sent(_, let transfer, _):
            switch transfer.state {
            case .told, .untold: transfer.id
            case .ordered, .paid, .refused: nil
            }
        case .notice(_, .received(let transfer, _, _), false, _): transfer
        default: nil
        }
    }
}

extension OutgoingTransfer.State {
    /// One word, for programs.
    var word: String {
        switch self {
        case .ordered: "ordered"
        case .paid: "paid"
        case .told: "told"
        case .untold: "untold"
        case .refused: "refused"
        }
    }
}
