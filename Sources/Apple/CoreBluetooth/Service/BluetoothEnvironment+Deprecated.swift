public import BluethroatAppEnvironment
public import BluethroatPhoneService

// Names until version 0.2. docs/old-names.md

@available(*, deprecated, renamed: "AppClock")
public typealias PhoneTime = AppClock

extension AppClock {
    /// A clock that knows the date, as `PhoneTime` did.
    @available(*, deprecated, message: "say how many seconds have passed, too: init(reading:dating:calling:)")
    public init(
        reading readDate: @escaping @Sendable () -> Date,
        calling call: @escaping @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) -> Void
    ) {
        let beginning = readDate()
        self.init(reading: { readDate().timeIntervalSince(beginning) }, dating: readDate, calling: call)
    }
}

extension BluetoothEnvironment {
    /// The clock, under its name of old.
    @available(*, deprecated, renamed: "clock")
    public var time: AppClock { clock }

    @available(*, deprecated, renamed: "init(port:delivery:clock:)")
    public init(port: any ServicePort, delivery: CallbackDelivery = .queued, time: AppClock) {
        self.init(port: port, delivery: delivery, clock: time)
    }
}
