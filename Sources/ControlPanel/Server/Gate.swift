import FlyingSocks
import Foundation
import Synchronization

/// The panel's port. What comes in is looked at before the server sees it, so that what the server cannot take well does
/// not reach it; what goes out is left as it is.
///
/// A visitor who says nothing, or too much, costs the server nothing.
struct Gate<Pool: AsyncSocketPool>: Sendable {
    private let listener: AsyncSocket
    private let pool: Pool
    private let reach: @Sendable (Pool) async throws -> AsyncSocket
    private let conversations = Conversations()
    /// The port that was picked.
    let port: UInt16

    /// Opens the port.
    ///
    /// - Parameters:
    ///   - pool: one that somebody runs.
    ///   - reach: connects with the server.
    init(
        on address: some SocketAddress,
        pool: Pool,
        reach: @escaping @Sendable (Pool) async throws -> AsyncSocket
    ) throws {
        let socket = try Socket(domain: Int32(type(of: address).family))
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
            try socket.listen()
            listener = try AsyncSocket(socket: socket, pool: pool)
            switch try socket.sockname() {
            case .ip4(_, let port), .ip6(_, let port): self.port = port
            case .unix: self.port = 0
            }
        } catch {
            try? socket.close()
            throw error
        }
        self.pool = pool
        self.reach = reach
    }

    /// Lets visitors in until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                do {
                    let visitor = try await listener.accept()
                    group.addTask { await serve(visitor) }
                } catch is CancellationError {
                    break
                } catch {
                    // Too many files are open, most likely, or a visitor has gone already.
                    try? await Task.sleep(for: .milliseconds(20))
                }
            }
            group.cancelAll()
        }
        try? listener.close()
    }

    /// Waits until all answers have been carried to their end, so long at most.
    func drain(within limit: Duration) async {
        let end = ContinuousClock.now + limit
        while conversations.count.withLock({ $0 }) > 0, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    private func serve(_ visitor: AsyncSocket) async {
        PromptPool<Pool>.send(promptlyOn: visitor.socket)
        var reader = RequestReader()
        do {
            var beginning: [UInt8] = []
            while beginning.isEmpty { beginning = try reader.take(await visitor.read(atMost: 4096)) }
            let server = try await reach(pool)
            let refusal = await converse(visitor, server, &reader, beginning)
            try? server.close()
            if let refusal { throw refusal }
            await linger(visitor)
        } catch let error as PanelError {
            await refuse(visitor, error)
        } catch {}
        try? visitor.close()
    }

    /// Carries requests one way and answers the other until there are no more answers. Answers why a later request is
    /// refused, once those before it have been answered.
    private func converse(
        _ visitor: AsyncSocket,
        _ server: AsyncSocket,
        _ reader: inout RequestReader,
        _ beginning: [UInt8]
    ) async -> PanelError? {
        let soFar = reader
        conversations.count.withLock { $0 += 1 }
        defer { conversations.count.withLock { $0 -= 1 } }
        let refusal = Refusal()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                while let answer = try? await server.read(atMost: 4096) {
                    guard (try? await visitor.write(Data(answer))) != nil else { break }
                }
                return true
            }
            group.addTask {
                var reader = soFar
                // A server that has heard enough has said so, and the visitor shall hear that.
                var isHeard = true
                var passed = beginning
                do {
                    while true {
                        if isHeard, !passed.isEmpty { isHeard = (try? await server.write(Data(passed))) != nil }
                        let bytes = try await visitor.read(atMost: 4096)
                        if isHeard { passed = try reader.take(bytes) }
                    }
                } catch SocketError.disconnected {
                    // Whoever has asked may still want to hear.
                    _ = shutdown(server.socket.file.rawValue, CInt(SHUT_WR))
                    return false
                } catch let error as PanelError {
                    refusal.error.withLock { $0 = error }
                    // What the server would say to half a request is not the answer.
                    if reader.isWithinRequest { return true }
                    _ = shutdown(server.socket.file.rawValue, CInt(SHUT_WR))
                    return false
                } catch {
                    return true
                }
            }
            while let isOver = await group.next(), !isOver {}
            group.cancelAll()
        }
        return refusal.error.withLock { $0 }
    }

    private func refuse(_ visitor: AsyncSocket, _ error: PanelError) async {
        let answer = ErrorAnswer(error: error.code, message: error.message)
        guard let body = try? JSONAnswer.encoder().encode(answer) else { return }
        let head = """
            HTTP/1.1 \(error.kind.rawValue) \(error.kind.phrase)\r
            content-type: application/json\r
            cache-control: no-store\r
            content-length: \(body.count)\r
            connection: close\r
            \r

            """
        guard (try? await visitor.write(Data(head.utf8) + body)) != nil else { return }
        await linger(visitor)
    }

    /// Says nothing more, and listens a while longer: whoever is still speaking would not hear the answer otherwise.
    private func linger(_ visitor: AsyncSocket) async {
        _ = shutdown(visitor.socket.file.rawValue, CInt(SHUT_WR))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var heard = 0
                while heard < 8 << 20, let bytes = try? await visitor.read(atMost: 4096) { heard += bytes.count }
            }
            group.addTask { try? await Task.sleep(for: .seconds(3)) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Why nothing more of a visitor is passed on.
private final class Refusal: Sendable {
    let error = Mutex<PanelError?>(nil)
}

/// How many visitors are being answered.
private final class Conversations: Sendable {
    let count = Mutex(0)
}
