import BluethroatHCI
import DequeModule
import Synchronization

/// Hosts outside take turns with a machine: what each host has sent waits in a line of its own, and one order of the
/// machine's thread takes one turn of one host. Between turns that thread does what else there is to do.
///
/// A turn is as much as a host may send before it hears an answer: one command and some data. Hosts that have more
/// waiting than that take turns among each other, and so do all others; the two groups alternate, so that no host that
/// waits for its answers comes after all that do not. A host has several commands done in a turn while it is the only one.
package final class HostTurns<Machine>: Sendable {
    /// How many packets are done in one turn at most. A controller takes one command at a time (Core 6.0, Vol 4, Part E,
    /// 4.4); whatever follows it up to the next one may have been sent with it.
    private static var packetsPerTurn: Int { 16 }

    private struct Host {
        let transport: any HCITransport
        var batches: Deque<HCIBatch> = []
        /// How many packets of the first batch are done.
        var doneCount = 0
        /// Whether it is in one of the two groups.
        var isInGroup = false
        /// Whether the machine has heard of it.
        var isKnown = false
        var isGone = false

        /// Takes what one turn does out of the line. The batches that are over with it are to be kept for as long as that lasts.
        mutating func takeTurn(commands: Int) -> (packets: [[UInt8]], over: [HCIBatch]) {
            var (packets, over): ([[UInt8]], [HCIBatch]) = ([], [])
            var commandsLeft = commands
            while packets.count < HostTurns.packetsPerTurn, let batch = batches.first {
                let packet = batch.packets[doneCount]
                if packet.first == PacketIndicator.command.rawValue {
                    guard commandsLeft > 0 else { break }
                    commandsLeft -= 1
                }
                packets.append(packet)
                doneCount += 1
                if doneCount == batch.packets.count {
                    over.append(batches.removeFirst())
                    doneCount = 0
                }
            }
            return (packets, over)
        }
    }

    private struct Turn {
        let host: Int
        let transport: any HCITransport
        let packets: [[UInt8]]
        let isLast: Bool
        /// Let go of when the turn is over.
        let over: [HCIBatch]
    }

    private struct State {
        var hosts: [Int: Host] = [:]
        /// Those that have waited for their answers so far. A host that is gone may still be named.
        var patient: Deque<Int> = []
        /// Those that had more waiting after a turn, and those that are gone.
        var others: Deque<Int> = []
        var isTurnOfOthers = false
        /// Whether the machine's thread has been asked for a turn.
        var isAsked = false

        /// Takes the next turn out of the lines; nil if nothing waits.
        mutating func nextTurn() -> Turn? {
            while let (number, isPatient) = nextHost() {
                guard var host = hosts.removeValue(forKey: number) else { continue }
                if host.isGone, isPatient {
                    others.append(number)
                    hosts[number] = host
                    continue
                }
                isTurnOfOthers = isPatient
                let isAlone = patient.isEmpty && others.isEmpty
                let (packets, done) = host.takeTurn(commands: isAlone ? HostTurns.packetsPerTurn : 1)
                if !host.isGone {
                    host.isKnown = true
                    host.isInGroup = !host.batches.isEmpty
                    if host.isInGroup { others.append(number) }
                    hosts[number] = host
                }
                return Turn(
                    host: number,
                    transport: host.transport,
                    packets: packets,
                    isLast: host.isGone,
                    over: host.isGone ? done + host.batches : done
                )
            }
            return nil
        }

        private mutating func nextHost() -> (number: Int, isPatient: Bool)? {
            if isTurnOfOthers, let number = others.popFirst() { return (number, false) }
            if let number = patient.popFirst() { return (number, true) }
            return others.popFirst().map { ($0, false) }
        }
    }

    private let state = Mutex(State())
    private let post: @Sendable (@escaping @Sendable (Machine) -> Void) -> Void
    private let receive: @Sendable (Machine, [[UInt8]], _ host: Int, any HCITransport) -> Void
    private let detach: @Sendable (Machine, _ host: Int) -> Void

    /// - Parameters:
    ///   - post: leaves an order for the machine's thread, behind all others.
    ///   - receive: gives the machine what a host has sent.
    ///   - detach: tells the machine that a host has gone of which it has heard.
    package init(
        post: @escaping @Sendable (@escaping @Sendable (Machine) -> Void) -> Void,
        receive: @escaping @Sendable (Machine, [[UInt8]], _ host: Int, any HCITransport) -> Void,
        detach: @escaping @Sendable (Machine, _ host: Int) -> Void
    ) {
        self.post = post
        self.receive = receive
        self.detach = detach
    }

    /// A host has sent packets. On any thread, one after the other for each host.
    package func come(_ batch: HCIBatch, from host: Int, _ transport: any HCITransport) {
        guard !batch.packets.isEmpty else { return }
        ask { state in
            state.hosts[host, default: Host(transport: transport)].batches.append(batch)
            guard let isInGroup = state.hosts[host]?.isInGroup, !isInGroup else { return }
            state.hosts[host]?.isInGroup = true
            state.patient.append(host)
        }
    }

    /// A host has gone, and nothing more comes of it. One more turn of it is taken, which does all that a host may have
    /// sent before it went; the rest is dropped. One that never had a turn gets none.
    package func end(_ host: Int) {
        let dropped: Deque<HCIBatch>? = ask { state in
            guard let isKnown = state.hosts[host]?.isKnown else { return nil }
            guard isKnown else { return state.hosts.removeValue(forKey: host)?.batches }
            state.hosts[host]?.isGone = true
            if state.hosts[host]?.isInGroup == false { state.others.append(host) }
            state.hosts[host]?.isInGroup = true
            return nil
        }
        // Here, and not while the state is locked, the batches are let go of.
        _ = consume dropped
    }

    /// Changes the state, and asks for a turn if one is to be taken and none has been asked for.
    @discardableResult
    private func ask<Answer: Sendable>(_ change: (inout State) -> Answer) -> Answer {
        let (answer, isNeeded) = state.withLock { state in
            let answer = change(&state)
            let isNeeded = !state.isAsked && !(state.patient.isEmpty && state.others.isEmpty)
            if isNeeded { state.isAsked = true }
            return (answer, isNeeded)
        }
        if isNeeded { post { [self] machine in takeTurn(machine) } }
        return answer
    }

    /// On the machine's thread.
    private func takeTurn(_ machine: Machine) {
        if let turn = state.withLock({ $0.nextTurn() }) {
            if !turn.packets.isEmpty { receive(machine, turn.packets, turn.host, turn.transport) }
            if turn.isLast { detach(machine, turn.host) }
        }
        ask { $0.isAsked = false }
    }
}
