import BluethroatHost
import BluethroatPhoneService
public import BluethroatPhones
import BluethroatRadioMedium
public import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Synchronization

/// The air of one test: a phone with an app on it, whatever else is put there, and a time that passes only while the
/// test runs it.
///
///     @Test(.air)
///     func connects() throws {
///         let air = Air.current
///         let sensor = air.add(HeartRateSensor(), at: .near)
///         let monitor = HeartRateMonitor()                      // makes a CBCentralManager, as in the app
///         try air.run(until: monitor.isConnected)
///     }
///
/// Everything follows from the seed and from what the test does. An air belongs to the test that made it: whatever runs
/// it does so on one thread at a time, and apps are called back on that thread.
public final class Air: @unchecked Sendable {
    // Not checked, because a world is no `Sendable` and a test has to find its air in a task-local. Managers of apps,
    // which may live on any thread, reach the phone through a queue with a lock; all else is the test's, one call after
    // another.

    /// The air of the current test, or of `withAir`.
    public static var current: Air {
        guard let air = bound else {
            preconditionFailure("there is no air here: give the test the trait .air, or use withAir or AirTestCase")
        }
        return air
    }

    /// The same where there may be none.
    @TaskLocal
    package static var bound: Air?

    public let seed: UInt64
    /// The world behind it, for what is not offered here.
    public let world: World
    /// The phone on which the app under test runs; it stands at the origin.
    public let phone: Phone
    /// The app under test: managers made during the test are its.
    public let app: PhoneApp
    /// All that was on the air.
    public let log: PacketLog
    /// The phones there are, in the order in which they came.
    public private(set) var phones: [Phone]

    let settings: AirSettings
    let timeline: Timeline
    let executor: AirExecutor
    /// How long, in real time, the air waits for work on dispatch queues and threads of the app's own, each time
    /// something was called and before time goes on. Nil waits 20 ms, and only before at least two seconds in which
    /// nothing happens; `.zero` never waits.
    public var waitsForQueues: Duration?
    /// How many seconds pass here in a second of real time, at most; nil is as many as can be computed. With 1, what an app
    /// has put off by `asyncAfter` or a `Timer` comes when it should.
    public var pace: Double?

    /// Whether anything was called since the last check that may have made tasks ready.
    var hasCalled = false {
        didSet { if hasCalled { isStirred = true } }
    }
    /// Whether an app was called, or has ordered something, since the air has waited for it last.
    package internal(set) var isStirred = true
    /// How often its tasks were let run until all of them waited.
    package internal(set) var settlings = 0
    /// When the present run began, if it has a pace.
    var paceBegin: (real: ContinuousClock.Instant, virtual: Instant)?
    var realTime = RealTime()
    var losses = LossTable()
    /// What stands before the applications of the air's devices.
    let faults = FaultyDevices()
    /// They live as long as the air, or until they are removed.
    var peripherals: [SimulatedPeripheral] = []
    /// Whether the test has another air, by a trait of its own.
    var hasGivenWay = false
    private let isRunning = Atomic(false)
    /// Whether the air is being run at the moment, so that the caller is called by it.
    var isInRun: Bool { isRunning.load(ordering: .acquiring) }

    /// An air with one phone, in virtual time.
    public convenience init(seed: UInt64 = 1) {
        var settings = AirSettings()
        settings.seed = seed
        self.init(settings)
    }

    init(_ settings: AirSettings) {
        self.settings = settings
        seed = settings.seed ?? AirSettings.usualSeed
        waitsForQueues = settings.waitsForQueues
        pace = settings.pace
        world = World(seed: seed)
        log = PacketLog(world)
        // Before any device is added, so that the log has all of them from their first command on.
        world.tap = LogTap(log, of: world, faults)
        timeline = Timeline()
        executor = AirExecutor(capturesTasks: settings.capturesTasks ?? true)
        phone = Self.makePhone(
            named: settings.phoneName ?? "iPhone",
            in: world,
            at: .origin,
            settings: settings.phone,
            faults
        )
        app = phone.addApp(named: "app")
        phones = [phone]
        watch(phone)
        faults.desk.note = { [log] in log.note($0) }
        faults.desk.setSilence = { [unowned self] device, isSilent in setSilence(of: device, isSilent) }
        world.addExternalWork { [unowned self] in
            timeline.fileOrders { instant, action in
                world.schedule(at: max(instant, world.now)) { [unowned self] _ in
                    hasCalled = true
                    action()
                }
            }
        }
    }

    deinit { TaskCapture.forget(executor) }

    /// Puts another phone on the air. Code of its apps runs in `PhoneApp.run`.
    public func addPhone(
        named name: String,
        at place: Place = .near,
        settings: PhoneSettings? = nil
    ) -> Phone {
        let phone = Self.makePhone(named: name, in: world, at: place.position, settings: settings, faults)
        phones.append(phone)
        watch(phone)
        deviceArrived()
        return phone
    }

    /// Why time stands still, in a line that names the devices; nil as long as it passes. A test in which that happens
    /// fails.
    ///
    /// Time stands still when a device does something again and again at one instant: an application's timer that is
    /// always armed for the past, for example.
    public var stall: String? { world.stall?.description }

    /// All reports of wrong use to developers, on all phones, in order; see `Phone.misuse`, which also says when and
    /// which app.
    public var misuse: [String] {
        phones.flatMap(\.service.misuse).sorted { $0.time < $1.time }.map(\.sentence)
    }

    /// A fingerprint of everything that was on the air so far, and of who received it: the same for two runs that are
    /// the same.
    public var digest: String { world.digest.description }

    /// A phone with a screen, which takes digits.
    private static func makePhone(
        named name: String,
        in world: World,
        at position: Position,
        settings: PhoneSettings?,
        _ faults: FaultyDevices
    ) -> Phone {
        let limits = PacketLimits(settings ?? PhoneSettings())
        var host = HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        host.pairing.inputOutput = .keyboardDisplay
        return Phone(named: name, in: world, settings: settings, delivery: .inline, wake: {}) { service in
            world.addDevice(
                named: name,
                controller: limits.controller(in: world),
                host: limits.host(host, in: world),
                at: position,
                application: faults.stand(before: service, of: name, in: world)
            )
        }
    }

    /// Logs the commands and events of a phone's apps.
    private func watch(_ phone: Phone) {
        let device = phone.device
        phone.observer = { [unowned self] happening in
            switch happening {
            case .called: return hasCalled = true
            case .events: hasCalled = true
            case .command: isStirred = true
            case .misused: break
            }
            log.add(happening, of: device)
        }
    }

    /// Runs the world for a test; no other thread may at the same time. The tasks that this makes ready are the
    /// executor's, and wait.
    func exclusively<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let wasRunning = isRunning.exchange(true, ordering: .acquiring)
        precondition(!wasRunning, "an air is run from within its own run, or by two threads at once")
        defer { isRunning.store(false, ordering: .releasing) }
        return try executor.hold(body)
    }
}
