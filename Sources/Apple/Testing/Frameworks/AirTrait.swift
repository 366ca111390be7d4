public import BluethroatPhoneService
import CoreBluetooth
import Foundation
import Logging
public import Testing

/// Gives each test an air of its own, so that tests run in parallel: `@Test(.air)`, `@Suite(.air)`, `@Test(.air(seed:
/// 7))`.
///
/// Managers made in the test are on the air's first phone. A test that fails says with which seed, and attaches what
/// was on the air.
public struct AirTrait: TestTrait, SuiteTrait, TestScoping {
    let settings: AirSettings

    /// A suite's trait is for each of its tests.
    public var isRecursive: Bool { true }

    @concurrent
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // A suite's trait has made an air already; this one takes its place.
        let settings = settings.over(Air.bound?.settings)
        Air.bound?.hasGivenWay = true
        let air = Air(settings)
        let report = FailureReport(air, of: test, testCase)
        let watch = IssueHandlingTrait.compactMapIssues(report.annotate)
        do {
            try await watch.provideScope(for: test, testCase: testCase) {
                try await air.bind(function)
                air.reportProblems(at: test.sourceLocation)
            }
        } catch {
            // The test runner reports it, and does not know the air.
            report.testThrew(error)
            report.attach()
            throw error
        }
        report.attach()
    }
}

extension Trait where Self == AirTrait {
    /// An air for each test, with the seed 1, or that of `BLUETHROAT_SEED`.
    public static var air: Self { Self(settings: AirSettings()) }

    /// An air for each test.
    ///
    /// - Parameters:
    ///   - seed: decides everything random; nil is that of the suite, of `BLUETHROAT_SEED`, or 1.
    ///   - phoneName: what the first phone is called; `iPhone` unless said otherwise.
    ///   - settings: what the first phone is like.
    ///   - forbidsMisuse: whether the test fails if the app did something that iOS would have logged as misuse.
    ///   - capturesTasks: whether unstructured tasks, too, run one after the other in virtual time; they do unless said
    ///     otherwise.
    ///   - waitsForQueues: how long the air waits, in real time, for work on dispatch queues and threads of the app's own
    ///     before time goes on; see `Air.waitsForQueues`.
    ///   - pace: how many seconds pass in a second of real time, at most; see `Air.pace`.
    public static func air(
        seed: UInt64? = nil,
        phoneName: String? = nil,
        settings: PhoneSettings? = nil,
        forbidsMisuse: Bool? = nil,
        capturesTasks: Bool? = nil,
        waitsForQueues: Duration? = nil,
        pace: Double? = nil
    ) -> Self {
        var air = AirSettings()
        air.seed = seed
        air.phoneName = phoneName
        air.phone = settings
        air.forbidsMisuse = forbidsMisuse
        air.capturesTasks = capturesTasks
        air.waitsForQueues = waitsForQueues
        air.pace = pace
        return Self(settings: air)
    }

    /// An air with this seed, and all else as the suite has it.
    public static func seed(_ seed: UInt64) -> Self { .air(seed: seed) }
}

extension Air {
    /// Runs a test on this air: it is the current one, and managers find its phone.
    func bind<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        executor.standstill.begin { [seed, timeline, name = Test.current.map { "\($0.id)" }] in
            let text = StandstillWatch.text(name ?? "code in withAir", seed: seed, timeline)
            Logger(label: "bluethroat").warning("\(text)")
        }
        return try await Air.$bound.withValue(self) {
            try await BluetoothEnvironment.$current.withValue(app.environment) {
                try await executor.host(body)
            }
        }
    }

    /// Fails the test if time stood still, or if the app misused the API and may not.
    func reportProblems(at place: SourceLocation) {
        if let stall { Issue.record(Comment(rawValue: stall), sourceLocation: place) }
        guard settings.forbidsMisuse == true else { return }
        for text in misuseTexts() { Issue.record(Comment(rawValue: text), sourceLocation: place) }
    }
}
