import Foundation
import FuzzInputs
import Testing

@Suite("Fuzz: inputs that are kept")
struct HTTPCorpusTests {
    @Test("Whatever was found once stays mended", arguments: HTTPFuzzTargets.all)
    func kept(target: FuzzTarget) async throws {
        let inputs = try FuzzCorpus(of: target).inputs
        #expect(!inputs.isEmpty)
        // On a thread of its own: an input waits for tasks, which the threads of tests run.
        let faults = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
            Thread.detachNewThread {
                let faults = inputs.compactMap { input -> String? in
                    do {
                        try target.play(input.bytes)
                        return nil
                    } catch { return "\(input.name): \(error)" }
                }
                continuation.resume(returning: faults)
            }
        }
        #expect(faults == [])
    }
}
