import BluethroatTesting

// What a test sleeps is the simulation's time, if it has one in virtual time.

extension Task where Success == Never, Failure == Never {
    public static func sleep(nanoseconds duration: UInt64) async throws {
        try await sleepSimulated(.nanoseconds(Int64(clamping: duration)))
    }

    public static func sleep(for duration: Duration) async throws { try await sleepSimulated(duration) }

    private static func sleepSimulated(_ duration: Duration) async throws {
        guard let run = SimulationRun.current else { return try await sleep(for: duration, clock: .continuous) }
        try await run.sleep(for: duration)
    }
}
