import CoreBluetooth
import Testing

@Suite("Apps with channels in threads")
struct RealThreadsTests {
    @Test("2 MB each way between two apps, each with a queue and a run loop of its own, arrive byte for byte")
    func bothWays() throws {
        let world = try RushingWorld(seed: 80, phones: ["server", "client"])
        let (serverLoop, clientLoop) = (try LoopThread(), try LoopThread())
        defer {
            serverLoop.end()
            clientLoop.end()
        }
        let (serverQueue, clientQueue) = (DispatchQueue(label: "server"), DispatchQueue(label: "client"))
        let published = DispatchSemaphore(value: 0)
        let connected = DispatchSemaphore(value: 0)
        let (up, down) = (payload(seed: 1), payload(seed: 2))
        let (upArrived, downArrived) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

        let server = ChannelServer(world[0], queue: serverQueue) { if $0 == "published" { published.signal() } }
        server.open = { correspondent(with: $0, sends: down, expects: up.count, upArrived, in: serverLoop.runLoop) }
        try published.meet("the number")
        let client = ChannelClient(world[1], queue: clientQueue) { if $0 == "connected" { connected.signal() } }
        client.open = { correspondent(with: $0, sends: up, expects: down.count, downArrived, in: clientLoop.runLoop) }
        try connected.meet("the connection")
        let psm = serverQueue.sync { server.psm }
        clientQueue.sync { client.peripheral?.openL2CAPChannel(psm) }
        try upArrived.meet("what the client sends")
        try downArrived.meet("what the server sends")
        #expect(serverQueue.sync { server.peer }?.received == up)
        #expect(clientQueue.sync { client.peer }?.received == down)
        try world.end()
    }

    private func payload(seed: UInt64) -> Data {
        Data((0..<2_000_000 as Range<UInt64>).map { UInt8(truncatingIfNeeded: ($0 &* 0x9E37_79B9 &+ seed) >> 11) })
    }

    /// Opens the streams for the thread of the run loop; everything else happens there.
    private func correspondent(
        with channel: CBL2CAPChannel,
        sends data: Data,
        expects count: Int,
        _ arrived: DispatchSemaphore,
        in runLoop: RunLoop
    ) -> Correspondent {
        let correspondent = Correspondent(channel, opens: false)
        correspondent.outgoing = data
        correspondent.onRead = { if $0 == count { arrived.signal() } }
        correspondent.open(in: runLoop)
        return correspondent
    }
}
