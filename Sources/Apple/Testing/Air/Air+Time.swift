import BluethroatSimulation
import BluethroatVirtualTime

/// Time, which passes only here. In an async function these have to be awaited; see `Air+Tasks`.
extension Air {
    /// Time since the air came to be.
    public var now: Duration { timeline.now.duration }

    /// Lets so much time pass.
    public func run(for span: Duration) {
        _ = steps(for: span) { false }
    }

    /// Lets time pass until something holds, which is looked at after everything that happens; no longer than `limit`.
    ///
    /// - Parameters:
    ///   - condition: what has to hold.
    ///   - limit: how much time passes at most.
    ///   - what: what is waited for, if the line of code does not say it well enough.
    ///   - fileID: where a failure is reported; as `filePath` and `line` the place of the call.
    ///   - filePath: the file of that place.
    ///   - line: the line of that place.
    /// - Throws: `AirTimeout`, which says what was waited for and what was heard instead; or what the condition throws.
    public func run(
        until condition: @autoclosure () throws -> Bool,
        within limit: Duration = .seconds(30),
        _ what: String? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line
    ) throws {
        try run(within: limit, what, fileID: fileID, filePath: filePath, line: line, until: condition)
    }

    /// The same for conditions that are more than an expression: `try air.run(within: .seconds(5)) { … }`.
    public func run(
        within limit: Duration = .seconds(30),
        _ what: String? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        until condition: () throws -> Bool
    ) throws {
        let start = now
        if try steps(for: limit, until: condition) { return }
        throw AirTimeout(
            self,
            since: start,
            limit: limit,
            what,
            CodePlace(fileID: fileID, filePath: filePath, line: line)
        )
    }

    /// Does something when so much time has passed, on the thread that runs the air.
    public func after(
        _ span: Duration,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ action: @escaping (Air) -> Void
    ) {
        let instant = world.now.advanced(by: span)
        world.schedule(at: max(instant, world.now), fileID: fileID, line: line) { [unowned self] _ in
            hasCalled = true
            action(self)
        }
    }

    /// Instant by instant; true as soon as the condition holds.
    private func steps(for span: Duration, until condition: () throws -> Bool) rethrows -> Bool {
        let end = max(world.now, world.now.advanced(by: span))
        return try exclusively {
            beginRun()
            step(to: world.now)
            executor.settleNow()
            while try !condition() {
                guard let next = nextStep(notAfter: end) else { return false }
                step(to: next)
                executor.settleNow()
            }
            return true
        }
    }

    /// The next instant at which something happens, or the end; nil if the end has been reached, or if time stands still.
    /// The present once more after a wait for what apps do elsewhere.
    func nextStep(notAfter end: Instant) -> Instant? {
        guard world.stall == nil else { return nil }
        // What apps have left on other threads may have to happen before everything else.
        world.runExternalWork()
        let event = world.nextEventInstant.flatMap { $0 <= end ? $0 : nil }
        guard let whole = event ?? (world.now < end ? end : nil) else { return nil }
        let next = paced(whole)
        return next > world.now && waitForOutside(before: next) ? world.now : next
    }

    /// Has everything happen that does up to an instant.
    func step(to instant: Instant) {
        timeline.now = instant
        world.run(until: instant)
    }
}
