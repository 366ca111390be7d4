import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("The controller's buffers")
struct ControllerBuffersTests {
    @Test("One connection alone may use all of them, and gets back what is completed")
    func alone() {
        var buffers = ControllerBuffers(packetLength: 27, count: 4)
        var inFlight = 0
        buffers.opened()
        while buffers.allows(inFlight: inFlight) { buffers.take(inFlight: &inFlight) }
        #expect(inFlight == 4 && buffers.free == 0)
        buffers.release(3, inFlight: &inFlight)
        #expect(inFlight == 1 && buffers.free == 3)
        buffers.release(9, inFlight: &inFlight)
        #expect(inFlight == 0 && buffers.free == 4 && buffers.idleConnections == 1)
    }

    @Test("A connection that takes all it may leaves one for each of the others")
    func reserve() {
        var buffers = ControllerBuffers(packetLength: 27, count: 4)
        var greedy = 0
        var others = [0, 0]
        for _ in 0..<3 { buffers.opened() }
        while buffers.allows(inFlight: greedy) { buffers.take(inFlight: &greedy) }
        #expect(greedy == 2)
        for index in others.indices {
            #expect(buffers.allows(inFlight: others[index]))
            buffers.take(inFlight: &others[index])
        }
        #expect(!buffers.allows(inFlight: others[0]) && !buffers.allows(inFlight: greedy))
        buffers.closed(inFlight: greedy)
        #expect(buffers.free == 2 && buffers.allows(inFlight: others[0]))
    }

    @Test("Whatever happens, none is lost and none is made")
    func conservation() {
        var random = SeededRandom(seed: 3, purpose: "buffers")
        var buffers = ControllerBuffers(packetLength: 27, count: 7)
        var open: [Int] = []
        for _ in 0..<20_000 {
            switch random.next(below: 8) {
            case 0 where open.count < 10:
                buffers.opened()
                open.append(0)
            case 1 where !open.isEmpty:
                let index = Int(random.next(below: UInt64(open.count)))
                buffers.closed(inFlight: open.remove(at: index))
            case 2...4 where !open.isEmpty:
                let index = Int(random.next(below: UInt64(open.count)))
                if buffers.allows(inFlight: open[index]) { buffers.take(inFlight: &open[index]) }
            case _ where !open.isEmpty:
                let index = Int(random.next(below: UInt64(open.count)))
                buffers.release(Int(random.next(below: 4)), inFlight: &open[index])
            default: break
            }
            #expect(buffers.free >= 0 && buffers.free + open.reduce(0, +) == 7)
            #expect(buffers.idleConnections == open.count { $0 == 0 })
        }
    }
}
