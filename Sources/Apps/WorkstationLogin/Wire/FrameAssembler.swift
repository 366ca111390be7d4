import Foundation

/// Puts messages together from packets, trusting none of them.
struct FrameAssembler {
    /// What a packet led to.
    enum Outcome: Equatable {
        /// More has to come.
        case nothing
        /// A message is whole; it is to be acknowledged.
        case message(id: UInt32, Data)
        /// It was here before; the sender missed the acknowledgement.
        case again(id: UInt32)
        case refuse(id: UInt32, Frame.Refusal)
    }

    private struct Assembly {
        let id: UInt32
        let length: Int
        let digest: Data
        var bytes: Data
        var next: UInt8 = 1
    }

    /// What a message is known by. Its number is in no digest: a number that was changed on the way would hide the message
    /// that has it.
    private struct Name: Equatable {
        let id: UInt32
        let digest: Data
    }

    /// How many messages are remembered in order to know them again.
    private static let memory = 32

    let maximumLength: Int
    private var assembly: Assembly?
    private var seen: [Name] = []

    init(maximumLength: Int) { self.maximumLength = maximumLength }

    mutating func begin(id: UInt32, length: UInt32, digest: Data, payload: Data) -> Outcome {
        assembly = nil
        guard length <= maximumLength else { return .refuse(id: id, .tooLong) }
        assembly = Assembly(id: id, length: Int(length), digest: digest, bytes: payload)
        return finish()
    }

    mutating func more(number: UInt8, payload: Data) -> Outcome {
        // The rest of what was refused.
        guard let current = assembly else { return .nothing }
        guard number == current.next else {
            assembly = nil
            return .refuse(id: current.id, .gap)
        }
        assembly!.bytes += payload
        assembly!.next &+= 1
        return finish()
    }

    private mutating func finish() -> Outcome {
        guard let current = assembly, current.bytes.count >= current.length else { return .nothing }
        assembly = nil
        guard current.bytes.count == current.length, Frame.digest(of: current.bytes) == current.digest else {
            return .refuse(id: current.id, .damaged)
        }
        let name = Name(id: current.id, digest: current.digest)
        if seen.contains(name) { return .again(id: current.id) }
        seen.append(name)
        if seen.count > Self.memory { seen.removeFirst() }
        return .message(id: current.id, current.bytes)
    }
}
