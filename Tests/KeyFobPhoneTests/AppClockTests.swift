import BluethroatAppEnvironment
import Foundation
import Testing

@testable import BluethroatKeyFobPhone

@Suite("The app's clock")
struct AppClockTests {
    @Test("On a queue it calls again and again until it is stopped, and what was cancelled never")
    func queue() async {
        let queue = DispatchQueue(label: "app")
        await withCheckedContinuation { continuation in
            queue.async {
                let clock = AppClock.queue(queue)
                let never = clock.once(after: 0.01) { Issue.record("cancelled, and called all the same") }
                never.cancel()
                var count = 0
                var timer: AppTimer?
                timer = clock.each(0.01) {
                    dispatchPrecondition(condition: .onQueue(queue))
                    count += 1
                    guard count == 3 else { return }
                    timer?.cancel()
                    _ = clock.once(after: 0.05) {
                        #expect(count == 3)
                        continuation.resume()
                    }
                }
            }
        }
    }
}
