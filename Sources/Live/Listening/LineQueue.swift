#if os(Linux)
    import Foundation
    import NIOCore
    import NIOPosix
    import Synchronization

    /// Lines that programs have opened, on their way to the thread of their port. It takes one in each of its turns, as it
    /// accepts at a socket: who has said something is heard before the places are given to those who came later, however
    /// many these are. Tasks would all be done before the thread looks at what anybody has said.
    final class LineQueue: Sendable {
        private let channel: any Channel
        private let entrance: Mutex<CInt?>

        /// - Parameter accept: called on the port's thread with each socket that is given to `add`.
        init(
            on eventLoop: any EventLoop,
            accept: @escaping @Sendable (CInt) -> Void
        ) async throws {
            var ends: [CInt] = [-1, -1]
            guard pipe(&ends) == 0 else { throw ListeningFailure.system(errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            entrance = Mutex(ends[1])
            do {
                channel = try await NIOPipeBootstrap(group: eventLoop)
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Receiver.size))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(Receiver(accept))
                        }
                    }
                    .takingOwnershipOfDescriptor(input: ends[0]).get()
            } catch {
                // The other end is NIO's by now.
                _ = Glibc.close(ends[1])
                throw error
            }
        }

        /// Takes a socket over.
        func add(_ socket: CInt) {
            let isTaken = entrance.withLock { entrance in
                guard let entrance else { return false }
                // A pipe takes a number whole, and has room for more of them than a port has connections.
                return withUnsafeBytes(of: socket) { write(entrance, $0.baseAddress!, $0.count) == $0.count }
            }
            if !isTaken { _ = Glibc.close(socket) }
        }

        /// Returns when the last one has been taken.
        func close() async {
            if let entrance = entrance.withLock({ $0.take() }) { _ = Glibc.close(entrance) }
            try? await channel.closeFuture.get()
        }

        private final class Receiver: ChannelInboundHandler {
            typealias InboundIn = ByteBuffer

            static let size = MemoryLayout<CInt>.size
            private let accept: (CInt) -> Void

            init(_ accept: @escaping (CInt) -> Void) { self.accept = accept }

            func channelRead(context: ChannelHandlerContext, data: NIOAny) {
                var number = Self.unwrapInboundIn(data)
                guard let socket = number.readInteger(endianness: .host, as: CInt.self) else { return }
                accept(socket)
            }
        }
    }
#endif
