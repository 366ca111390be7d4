import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What comes back, up to a limit: a program at the bank's port could go on for ever.
final class BoundedAnswers: NSObject, URLSessionDataDelegate, Sendable {
    typealias End = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    private struct Open {
        var body = Data()
        let end: End
    }

    /// Of a bank's answer, in bytes; the longest are a hundred transfers with their receipts.
    static let limit = 1 << 20

    private let open = Mutex<[Int: Open]>([:])

    /// What is kept of all answers that have not come to their end.
    var keptBytes: Int { open.withLock { $0.values.reduce(0) { $0 + $1.body.count } } }

    /// Before the task begins. Its end is told once, and after so many seconds at the latest: the system's own limit for a
    /// whole answer is none on Linux.
    func expect(_ task: URLSessionTask, within seconds: TimeInterval = 30, end: @escaping End) {
        open.withLock { $0[task.taskIdentifier] = Open(end: end) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self, weak task] in
            guard let self, let task, isOpen(task) else { return }
            task.cancel()
            finish(task, URLError(.timedOut))
        }
    }

    private func isOpen(_ task: URLSessionTask) -> Bool { open.withLock { $0[task.taskIdentifier] != nil } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = open.withLock { open in
            open[dataTask.taskIdentifier]?.body.append(data)
            return open[dataTask.taskIdentifier]?.body.count ?? 0 > Self.limit
        }
        guard isTooLong else { return }
        dataTask.cancel()
        finish(dataTask, URLError(.dataLengthExceedsMaximum))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        finish(task, error)
    }

    private func finish(_ task: URLSessionTask, _ error: (any Error)?) {
        let ended = open.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        ended?.end(ended?.body, task.response, error)
    }

    /// A bank has no password to ask for; who asks is said with the question. Whether the server is who it says, the system
    /// decides, which asks about that on Apple's systems only.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if !canImport(FoundationNetworking)
            if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
                return completionHandler(.performDefaultHandling, nil)
            }
        #endif
        completionHandler(.cancelAuthenticationChallenge, nil)
        finish(task, URLError(.userAuthenticationRequired))
    }

    /// No bank sends those who ask it elsewhere; the account's secret would go there, and perhaps in the clear.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
