import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatVirtualTime
import Foundation

/// What was reported of a screen, so that each change is reported once.
struct MoneyTold {
    private var balance: Money?
    private var isFindable = false
    private var people: [UUID: String] = [:]
    private var photos: [UUID: UInt64] = [:]
    private var transfers: [UUID: String] = [:]
    private var notices = 0
    /// What is there at first was there before the command.
    private var isFirst = true
    private var problem: String?

    mutating func events(_ drop: MoneyDropApp, of name: String, at now: Instant) -> [MoneyDropEvent] {
        let screen = drop.screen
        var events: [MoneyDropEvent] = []
        if screen.isFindable != isFindable {
            isFindable = screen.isFindable
            if isFindable { events.append(.findable(name, at: now)) }
        }
        for person in screen.people {
            let state = "\(person.name ?? "") \(person.problem ?? "")"
            if person.name != nil || person.problem != nil, people[person.id] != state {
                people[person.id] = state
                events.append(.found(by: name, person, at: now))
            }
            if let progress = progress(person) {
                let (count, total) = progress
                let file = count == total ? drop.photoFile(of: person.id) : nil
                let of = person.name ?? "somebody"
                events.append(.photo(by: name, of: of, count, total: total, file: file, at: now))
            }
        }
        for transfer in screen.outgoing where transfers[transfer.id] != transfer.state.word {
            transfers[transfer.id] = transfer.state.word
            // What an earlier run has reported needs no repetition.
            if isFirst, !transfer.isUnderWay, !transfer.isAwaited { continue }
            events.append(.sent(by: name, transfer, at: now))
        }
        // Old ones are dropped from the front only where there are very many.
        for notice in screen.notices.dropFirst(notices) {
            events.append(.notice(to: name, notice, isEarlier: isFirst, at: now))
        }
        notices = screen.notices.count
        // What it has become by a payment stands behind that.
        if let balance = screen.balance, balance != self.balance {
            self.balance = balance
            events.append(.balance(of: name, balance, at: now))
        }
        isFirst = false
        if screen.problem != problem {
            problem = screen.problem
            if let problem { events.append(.problem(of: name, problem, at: now)) }
        }
        return events
    }

    /// Reported at each tenth of the photo.
    private mutating func progress(_ person: Person) -> (UInt64, UInt64)? {
        let count: UInt64, total: UInt64
        switch person.photo {
        case .coming(let received, let length): (count, total) = (received, length)
        case .complete(let length): (count, total) = (length, length)
        default: return nil
        }
        let tenth = total == 0 ? 0 : count * 10 / total
        guard tenth > photos[person.id] ?? 0 else { return nil }
        photos[person.id] = tenth
        return (count, total)
    }
}
