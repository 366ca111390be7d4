import Foundation
import Synchronization
import Testing

/// What a test that fails reports about its air.
final class FailureReport: Sendable {
    private let air: Air
    private let test: Test
    private let name: String
    /// The airs on which something failed; a test may make several of its own.
    private let failed = Mutex<[(air: Air, files: LogFiles)]>([])

    init(_ air: Air, of test: Test, _ testCase: Test.Case?) {
        self.air = air
        self.test = test
        name = testCase?.isParameterized == true ? "\(test.id)-\(LogFiles.nextNumber())" : "\(test.id)"
    }

    /// Adds to an issue with which seed and when it came about.
    @Sendable
    func annotate(_ issue: Issue) -> Issue? {
        guard issue.isFailure else { return issue }
        var issue = issue
        let comment = Comment(rawValue: note(Air.bound ?? air))
        if !issue.comments.contains(comment) { issue.comments.append(comment) }
        return issue
    }

    /// The test ended with an error. Where an expectation did that, it has been reported already.
    func testThrew(_ error: any Error) {
        guard !air.hasGivenWay, !(error is ExpectationFailedError), !(error is CancellationError) else { return }
        Issue.record(Comment(rawValue: note(air)), severity: .warning, sourceLocation: test.sourceLocation)
    }

    /// Keeps what was on the air if the test failed.
    func attach() {
        for (air, files) in failed.withLock({ $0 }) where air.log.isToBeAttached() {
            let name = (files.capture as NSString).lastPathComponent
            Attachment.record(air.log.pcapng, named: name, sourceLocation: test.sourceLocation)
            Attachment.record(air.log.text, named: name + ".txt", sourceLocation: test.sourceLocation)
            files.write(air)
        }
    }

    /// Something failed on an air: what to say about it.
    private func note(_ air: Air) -> String {
        let files = failed.withLock { failed in
            if let known = failed.first(where: { $0.air === air }) { return known.files }
            let files = LogFiles(test: failed.isEmpty ? name : "\(name)-\(failed.count + 1)")
            failed.append((air, files))
            return files
        }
        return "the air: seed \(air.seed), \(air.now.text); what was on it: \(files.capture)"
    }
}
