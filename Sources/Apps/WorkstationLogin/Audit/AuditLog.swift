public import Foundation
import Synchronization

/// A desk's log of logins, refusals and log-outs, which nobody edits unseen who does not have the desk's key.
///
/// Each line is bound to the one before, and the head, which is kept apart, counts them. First the line is on the disk, and
/// then the head. What cannot be written waits, and is written first when it can.
public final class AuditLog: Sendable {
    /// Why a log cannot be gone on with. Each is one line that says what to do.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case broken(String, AuditFault)
        /// It cannot be read, or written.
        case file(String)

        public var description: String {
            switch self {
            case .broken(let name, let fault):
                "the log \(name) is not what the desk has written: \(fault); look into it, and begin another one "
                    + "in another file"
            case .file(let what): what
            }
        }
    }

    /// How many entries wait where nothing can be written; others are counted.
    static let mostWaiting = 256
    /// How many bytes at the end of a log are for logins, log-outs and starts; other entries are counted there.
    static let reserved = 1 << 20
    /// What phones can bring about often is noted once in so many seconds.
    static let cheapSeconds: TimeInterval = 60

    fileprivate struct State {
        var count: Int
        var link: Data
        var length: Int
        var waiting: [AuditEntry] = []
        var omitted = 0
        /// When what is cheap was noted.
        var noted: [String: TimeInterval] = [:]
    }

    private let storage: any AuditStorage
    private let chain: AuditChain
    private let state: Mutex<State>

    /// Goes on with what is there. A line that a crash, or a full disk, has left unfinished is taken away, and a head that a
    /// crash has left behind is put forward; what somebody else has done is an error.
    ///
    /// - Parameter known: how many entries it has at least; fewer are an error, also where the head agrees.
    public init(_ storage: any AuditStorage, key: DeskKey, atLeast known: Int = 0) throws(Failure) {
        self.storage = storage
        chain = AuditChain(key)
        let found = try storage.load()
        let report = AuditReport(log: found.log, head: found.head, key: key)
        if let fault = report.fault(atLeast: known) { throw .broken(storage.name, fault) }
        state = Mutex(State(count: report.entries, link: report.link, length: report.length))
        switch report.state {
        case .whole where found.head != nil: break
        case .whole, .headBehind: try storage.write(head: chain.head(report.entries, report.link))
        case .unfinishedLine: try storage.write(Data(), behind: report.length)
        case .broken: break
        }
    }

    /// How many entries it has.
    public var entries: Int { state.withLock { $0.count } }

    /// Notes that the desk has begun.
    public func begin(date: Date) throws(Failure) {
        let fault = state.withLock { state in
            state.waiting.append(AuditEntry("started", date: date))
            return flush(&state)
        }
        if let fault { throw .file(fault) }
    }

    /// Notes something. Why that could not be written, in one line; nil if it was, or need not be.
    ///
    /// - Parameters:
    ///   - now: seconds since some beginning.
    ///   - date: what the desk's machine takes for the date.
    ///   - isRequired: whether it does not happen if it is not written, and is not written later, either.
    func note(_ event: DeskEvent, at now: TimeInterval, date: Date, isRequired: Bool) -> String? {
        state.withLock { state in
            guard var entry = AuditEntry(event, date: date), !state.omits(entry, at: now) else {
                return state.waiting.isEmpty ? nil : flush(&state)
            }
            guard entry.isVital || state.length < storage.longest - Self.reserved else {
                state.omitted += 1
                return state.waiting.isEmpty ? nil : flush(&state)
            }
            if state.waiting.count >= Self.mostWaiting {
                let fault = flush(&state)
                guard state.waiting.count < Self.mostWaiting else {
                    if !isRequired { state.omitted += 1 }
                    return fault
                }
            }
            if state.omitted > 0 { entry.omitted = state.omitted }
            let omitted = state.omitted
            state.omitted = 0
            state.waiting.append(entry)
            let fault = flush(&state)
            if fault != nil, isRequired {
                state.waiting.removeLast()
                state.omitted = omitted
            }
            return fault
        }
    }

    /// Writes what waits. Why it could not be written; nil if it was.
    func flush() -> String? { state.withLock { flush(&$0) } }

    private func flush(_ state: inout State) -> String? {
        while var entry = state.waiting.first {
            entry.number = state.count + 1
            let line = chain.line(entry.text, after: state.link)
            let bytes = Data((line.text + "\n").utf8)
            do throws(Failure) {
                try storage.write(bytes, behind: state.length)
                try storage.write(head: chain.head(entry.number, line.link))
            } catch {
                // A line that the head does not count is not there.
                try? storage.write(Data(), behind: state.length)
                return "\(error)"
            }
            state.waiting.removeFirst()
            (state.count, state.link) = (entry.number, line.link)
            state.length += bytes.count
        }
        return nil
    }
}

extension AuditLog.State {
    /// Whether the same was noted a moment ago; then it is counted.
    fileprivate mutating func omits(_ entry: AuditEntry, at now: TimeInterval) -> Bool {
        guard entry.isCheap else { return false }
        noted = noted.filter { now - $0.value < AuditLog.cheapSeconds }
        let what = "\(entry.event) \(entry.user ?? "") \(entry.reason ?? "")"
        guard noted[what] == nil else {
            omitted += 1
            return true
        }
        noted[what] = now
        return false
    }
}
