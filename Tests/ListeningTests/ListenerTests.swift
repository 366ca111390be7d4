import Foundation
import NIOCore
import RawPeers
import Synchronization
import Testing

@testable import BluethroatListening

/// Sends back what it hears; a peer that has said something is kept.
private final class Echo: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: AcceptedConnection

    init(_ connection: AcceptedConnection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { context.read() } }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.takeYourTime()
        connection.keep()
        context.writeAndFlush(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { context.read() }
}

@Suite("A port and those who connect to it", .timeLimit(.minutes(5)))
struct ListenerTests {
    private final class Crowd: Sendable {
        let now = Atomic<Int>(0)
        let most = Atomic<Int>(0)
        let loop = Mutex<(any EventLoop)?>(nil)
    }

    private func open(
        _ place: ListeningPlace = .tcp(host: "127.0.0.1", port: 0),
        connections: Int = 8,
        message: TimeAmount = .seconds(600),
        crowd: Crowd = Crowd()
    ) async throws -> Listener {
        try await Listener.open(at: place, limits: ListeningLimits(connections: connections, message: message)) {
            connection in
            let count = crowd.now.wrappingAdd(1, ordering: .relaxed).newValue
            crowd.most.max(count, ordering: .relaxed)
            crowd.loop.withLock { $0 = connection.channel.eventLoop }
            connection.whenDropped { _ in crowd.now.wrappingSubtract(1, ordering: .relaxed) }
            try connection.channel.pipeline.syncOperations.addHandler(Echo(connection))
        }
    }

    @Test("A peer that says nothing is dropped when its time is over")
    func silence() async throws {
        let listener = try await open(message: .milliseconds(50))
        #expect(try await RawPeer(port: listener.port).hear() == [])
        await listener.close()
    }

    @Test("However many come, there are never more than the port takes, and those go first that came first")
    func crowd() async throws {
        let crowd = Crowd()
        let listener = try await open(crowd: crowd)
        let good = try RawPeer(port: listener.port)
        await good.send("a")
        #expect(await good.hear(1) == Array("a".utf8))
        var idle: [RawPeer] = []
        for _ in 0..<100 { idle.append(try RawPeer(port: listener.port)) }
        // The last has a place, so that those before it have been looked at.
        await idle[99].send("z")
        #expect(await idle[99].hear(1) == Array("z".utf8))
        // Half a minute for all of them together.
        let end = ContinuousClock.now + .seconds(30)
        for (index, peer) in idle.prefix(93).enumerated() {
            let heard = await peer.hear(within: ContinuousClock.now.duration(to: end))
            try #require(heard == [], "peer \(index) of 93 that were to be dropped within 30 s is still there")
        }
        for peer in idle.suffix(6) {
            await peer.send("b")
            #expect(await peer.hear(1) == Array("b".utf8))
        }
        await good.send("c")
        #expect(await good.hear(1) == Array("c".utf8), "a peer that has said something keeps its place")
        #expect(crowd.most.load(ordering: .relaxed) <= 8)
        await listener.close()
    }

    @Test("A port whose peers are all being served refuses one more, and takes one when there is room")
    func full() async throws {
        let listener = try await open(connections: 2)
        var peers: [RawPeer] = []
        for _ in 0..<2 {
            let peer = try RawPeer(port: listener.port)
            await peer.send("a")
            #expect(await peer.hear(1) == Array("a".utf8))
            peers.append(peer)
        }
        #expect(try await RawPeer(port: listener.port).hear() == [])
        peers.removeLast()
        var answer: [UInt8]? = []
        let end = ContinuousClock.now + .seconds(30)
        while answer == [], ContinuousClock.now < end {
            let next = try RawPeer(port: listener.port)
            await next.send("b")
            answer = await next.hear(1)
        }
        #expect(answer == Array("b".utf8), "there is room for 30 s, and nobody is served")
        await listener.close()
    }

    @Test("The limit of connections follows from that of descriptors, with some held in reserve")
    func limits() {
        for descriptors in [64, 256, 1024, 4096, 1 << 20] {
            let count = ListeningLimits.connections(descriptors: descriptors)
            #expect((8...1024).contains(count))
            // Three ports and what else a process opens.
            if descriptors >= 256 { #expect(3 * count + 64 <= descriptors) }
        }
        #expect(ListeningLimits.connections(descriptors: 256) == 48)
    }

    @Test("A Unix socket is for its user alone, and replaces what a process left that was killed, but no file")
    func privateSocket() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("hci").path
        let listener = try await open(.unix(path: path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let peer = try RawPeer(path: path)
        await peer.send("a")
        #expect(await peer.hear(1) == Array("a".utf8))
        await #expect(throws: ListeningFailure.pathTaken) { try await open(.unix(path: path)) }
        await listener.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        // Somebody has removed the file, and another program has its own there.
        let robbed = try await open(.unix(path: path))
        try FileManager.default.removeItem(atPath: path)
        let other = try await open(.unix(path: path))
        await robbed.close()
        let client = try RawPeer(path: path)
        await client.send("b")
        #expect(await client.hear(1) == Array("b".utf8))
        await other.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: ListeningFailure.pathTaken) { try await open(.unix(path: path)) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("text".utf8))
    }

    #if os(Linux)
        /// A program that has opened the line at a path, of which it then has one of its own.
        private func line(at path: String) throws -> FileHandle {
            let device = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            let descriptor = Foundation.open(device, O_RDWR | O_NOCTTY)
            try #require(descriptor >= 0)
            let end = ContinuousClock.now + .seconds(30)
            while (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == device {
                try #require(ContinuousClock.now < end, "the link still leads to a line that is open")
                sched_yield()
            }
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }

        @Test("A program that has said something keeps its line, however many open theirs before the port has a moment")
        func busyPort() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appendingPathComponent("hci").path
            let crowd = Crowd()
            // Three descriptors each.
            let listener = try await open(.terminal(path: path), connections: 12, crowd: crowd)
            let first = try line(at: path)
            first.write(Data("a".utf8))
            #expect(try first.read(upToCount: 1) == Data("a".utf8))
            let loop = try #require(crowd.loop.withLock { $0 })
            let isFree = DispatchSemaphore(value: 0)
            loop.execute { isFree.wait() }
            // Once, also if something is thrown: others have the loop, too.
            let free = Mutex(false)
            func goOn() {
                if !free.withLock({ was in
                    defer { was = true }; return was
                }) {
                    isFree.signal()
                }
            }
            defer { goOn() }
            let good = try line(at: path)
            good.write(Data("b".utf8))
            let silent = try (0..<20).map { _ in try line(at: path) }
            goOn()
            #expect(try good.read(upToCount: 1) == Data("b".utf8))
            // The two that have said something, and the last two of the others.
            for line in silent.prefix(18) { #expect((try? line.read(upToCount: 1)) ?? Data() == Data()) }
            for line in [first, good] + silent.suffix(2) {
                line.write(Data("c".utf8))
                #expect(try line.read(upToCount: 1) == Data("c".utf8))
            }
            #expect(crowd.most.load(ordering: .relaxed) <= 4)
            await listener.close()
            for line in [first, good] + silent { try line.close() }
        }
    #endif
}
