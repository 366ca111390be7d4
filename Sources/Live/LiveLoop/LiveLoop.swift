public import BluethroatVirtualTime

/// How many seconds of a machine pass in one of the wall's clock at most. Where something happens all the time no machine
/// comes near; where nothing does, the 146 years that it has are not over within hours.
private let fastest = 100_000.0

/// Runs a machine in real time: one thread owns it, runs it up to now, and sleeps until it has something to do.
///
/// All other threads ask: `perform` from async code, `post` from a thread that must not wait. An order finds the
/// machine at the present instant and has it for itself until it returns.
public actor LiveLoop<Machine: TimedMachine> {
    private nonisolated let thread: LoopThread<Machine>

    /// All of the actor runs on the loop's thread.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Takes over a machine whose present is `start`, and lets its time run from now on.
    public init(_ machine: sending Machine, from start: Instant = .zero) {
        thread = LoopThread(machine, from: start)
        thread.begin()
    }

    deinit { thread.end() }

    /// Carries out an order on the machine and returns its answer.
    public func perform<Answer: Sendable, Failure: Error>(
        _ order: @Sendable (Machine) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try order(thread.machine)
    }

    /// Leaves an order for the machine and returns at once. Orders of one thread are carried out in their order.
    public nonisolated func post(_ order: @escaping @Sendable (Machine) -> Void) { thread.post(order) }

    /// Calls `then` when the orders have been carried out that were left before; never if the loop ends first. Who leaves very many
    /// waits for it now and then.
    public nonisolated func afterOrders(_ then: @escaping @Sendable () -> Void) { post { _ in then() } }

    /// Lets the machine's time pass faster or slower than the wall's: so many seconds in one. More than can be computed is
    /// as much as can.
    public nonisolated func setSpeed(_ speed: Double) {
        precondition(speed > 0 && speed.isFinite, "a speed is a number above 0, not \(speed)")
        thread.setSpeed(min(speed, fastest))
    }

    /// Whether the caller runs on the thread that owns the machine.
    public nonisolated var isOnLoopThread: Bool { thread.isCurrent }
}
