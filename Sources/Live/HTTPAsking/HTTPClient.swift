import NIOCore
import NIOPosix
import Synchronization

/// Asks servers over HTTP/1.1, each question on a connection of its own.
///
/// What a server says is an answer, and nothing more: no answer leads elsewhere, asks for a password, sets a cookie or goes
/// through a proxy. Answers are told on one thread, one after the other.
public final class HTTPClient: Sendable {
    /// Called once.
    public typealias Then = @Sendable (Result<HTTPReply, HTTPFailure>) -> Void

    private struct State {
        var isCancelled = false
        var last = 0
        var open: [Int: HTTPExchange] = [:]
    }

    private let limits: HTTPAskingLimits
    private let trust: ServerTrust
    private let eventLoop: any EventLoop
    private let state = Mutex(State())

    /// - Parameter certificates: a file (PEM) of the certificates that vouch for servers; without it, those of the system.
    public init(limits: HTTPAskingLimits = HTTPAskingLimits(), certificates: String? = nil) {
        self.limits = limits
        trust = ServerTrust(certificates)
        eventLoop = MultiThreadedEventLoopGroup.singleton.next()
    }

    deinit { cancel() }

    /// How many questions have no answer yet.
    var openCount: Int { state.withLock { $0.open.count } }

    /// Asks, and waits for nothing.
    public func ask(_ question: HTTPQuestion, then: @escaping Then) {
        let exchange: HTTPExchange? = state.withLock { state in
            guard !state.isCancelled else { return nil }
            state.last += 1
            let number = state.last
            let exchange = HTTPExchange(limits, trust, eventLoop) { [weak self] result in
                self?.forget(number)
                then(result)
            }
            state.open[number] = exchange
            return exchange
        }
        guard let exchange else { return eventLoop.execute { then(.failure(.cancelled)) } }
        eventLoop.execute { exchange.begin(question) }
    }

    /// Ends all questions, as well as those that are yet to come.
    public func cancel() {
        let open = state.withLock { state in
            defer { state.open = [:] }
            state.isCancelled = true
            return state.open.sorted { $0.key < $1.key }.map(\.value)
        }
        for exchange in open { eventLoop.execute { exchange.end(.failure(.cancelled)) } }
    }

    private func forget(_ number: Int) { state.withLock { _ = $0.open.removeValue(forKey: number) } }
}
