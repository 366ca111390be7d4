import Dispatch
import Synchronization

extension LiveLoop {
    /// Carries out an order on the machine and waits for its answer, for callers that are not asynchronous. Never from
    /// the loop's own thread, which would wait for itself.
    public nonisolated func performAndWait<Answer: Sendable, Failure: Error>(
        _ order: @escaping @Sendable (Machine) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        precondition(!isOnLoopThread, "what the loop's thread is told must not wait for the loop")
        let result = BlockingResult<Result<Answer, Failure>>()
        post { machine in
            do throws(Failure) {
                result.fill(.success(try order(machine)))
            } catch {
                result.fill(.failure(error))
            }
        }
        return try result.read().get()
    }
}

/// An answer that a thread waits for.
private final class BlockingResult<Answer: Sendable>: Sendable {
    private let answer = Mutex<Answer?>(nil)
    private let bell = DispatchSemaphore(value: 0)

    func fill(_ new: Answer) {
        answer.withLock { $0 = new }
        bell.signal()
    }

    func read() -> Answer {
        bell.wait()
        guard let answer = answer.withLock({ $0 }) else { preconditionFailure("the bell rings after the answer") }
        return answer
    }
}
