import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Command pipeline")
struct CommandPipelineTests {
    static let second = Instant.zero + .seconds(1)

    static func packet(_ opcode: UInt16) -> [UInt8] {
        [0x01, UInt8(truncatingIfNeeded: opcode), UInt8(truncatingIfNeeded: opcode >> 8), 0]
    }

    /// The opcodes that are sent now.
    static func flush(_ pipeline: inout CommandPipeline, at now: Instant = .zero) -> [UInt16] {
        var packets: [[UInt8]] = []
        pipeline.flush(at: now, into: &packets)
        return packets.map { UInt16($0[1]) | UInt16($0[2]) << 8 }
    }

    static func pipeline(_ opcodes: UInt16..., owner: CommandOwner = .startup) -> CommandPipeline {
        var pipeline = CommandPipeline(timeout: .seconds(3))
        for opcode in opcodes { pipeline.submit(packet(opcode), for: owner) }
        return pipeline
    }

    @Test("One command at a time, in order, each when the last is answered")
    func order() {
        var pipeline = Self.pipeline(1, 2, 3)
        for opcode in 1...3 as ClosedRange<UInt16> {
            let sent = Self.flush(&pipeline)
            let again = Self.flush(&pipeline)
            #expect(sent == [opcode] && again.isEmpty)
            pipeline.grant(1)
            let stranger = pipeline.complete(opcode: opcode + 1)
            let owner = pipeline.complete(opcode: opcode)
            #expect(stranger == nil && owner == .startup)
        }
        #expect(pipeline.count == 0 && pipeline.nextDeadline == nil)
    }

    @Test("Without credits nothing is sent, and a controller that gives none is overdue after the timeout")
    func credits() {
        var pipeline = Self.pipeline(1, 2)
        _ = Self.flush(&pipeline)
        pipeline.grant(0)
        _ = pipeline.complete(opcode: 1)
        let refused = Self.flush(&pipeline, at: Self.second)
        #expect(refused.isEmpty)
        #expect(pipeline.nextDeadline == Self.second + .seconds(3))
        let early = pipeline.expire(at: Self.second)
        #expect(early == nil)
        var failing = pipeline
        let failure = failing.expire(at: Self.second + .seconds(3))
        #expect(failure == .failed(opcode: 2))
        pipeline.grant(1)
        #expect(pipeline.nextDeadline == nil)
        let sent = Self.flush(&pipeline, at: Self.second)
        #expect(sent == [2])
    }

    @Test("A Command Status of success ends only what has no other answer; an error ends all")
    func status() {
        let owners: [(CommandOwner, Bool)] = [
            (.startup, false), (.advertiser(.enable), false), (.initiator(.create), true), (.initiator(.cancel), false),
            (.application(CommandID(number: 1)), true), (.ignored, false),
        ]
        for (owner, isEnough) in owners {
            var pipeline = Self.pipeline(1, owner: owner)
            _ = Self.flush(&pipeline)
            let success = pipeline.acknowledge(opcode: 1, isSuccess: true)
            #expect(success == (isEnough ? owner : nil))
            pipeline = Self.pipeline(1, owner: owner)
            _ = Self.flush(&pipeline)
            let failure = pipeline.acknowledge(opcode: 1, isSuccess: false)
            #expect(failure == owner)
        }
    }

    @Test("A reset forgets all commands and tells whose they were")
    func reset() {
        var pipeline = Self.pipeline(1)
        pipeline.submit(Self.packet(2), for: .scanner(.enable))
        _ = Self.flush(&pipeline)
        let owners = pipeline.reset()
        #expect(owners == [.startup, .scanner(.enable)])
        pipeline.submit(Self.packet(3), for: .startup)
        let sent = Self.flush(&pipeline)
        #expect(sent == [3])
    }

    @Test("Answers to a controller that asks without end are bounded, the host's own commands are not")
    func bound() {
        var pipeline = CommandPipeline(timeout: .seconds(3))
        for _ in 0..<1_000 { pipeline.submitAnswer(Self.packet(1), for: .ignored) }
        #expect(pipeline.count == 128)
        pipeline.submit(Self.packet(2), for: .startup)
        #expect(pipeline.count == 129)
    }
}
