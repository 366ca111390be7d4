public import ArgumentParser
import BluethroatBluetoothValues
import BluethroatEvents
public import BluethroatKeyFob
import BluethroatLive
import BluethroatVirtualTime

/// Which key fob it is, where key fobs differ. What is not given follows from the firmware.
struct KeyFobOptionFlags: ParsableArguments {
    /// The device whose behaviour the fob shows.
    enum Personality: String, CaseIterable, ExpressibleByArgument {
        /// TI's key fob.
        case hardware
        /// A phone with the Key Fob Simulator of 2013 on it.
        case phone
    }

    @Option(help: "Who plays the fob: TI's hardware, or a phone with an app.")
    var personality = Personality.hardware

    @Option(
        name: .customLong("ios6-limits"),
        defaultAsFlag: IOS6LimitNames.all,
        help: ArgumentHelp(
            "Phone: bring back what apps could not do on iOS 6; all of it, or a list of \(IOS6LimitNames.names).",
            valueName: "limits"
        )
    )
    var ios6Limits: IOS6LimitNames?

    @Option(help: "The release of TI's firmware (default: 1.4).")
    var firmware: KeyFobFirmware?

    @Option(
        help: ArgumentHelp("How long the fob advertises before it gives up (default: 30.72).", valueName: "seconds"),
        transform: { try Seconds(parsing: $0) }
    )
    var advertisingDuration: Seconds?

    @Option(
        help: ArgumentHelp(
            "Time between advertisements, 20 to 10240 (default: 100; the phone's is 152.5).",
            valueName: "milliseconds"
        ),
        transform: { try FobNumbers.advertisingInterval($0) }
    )
    var advertisingInterval: AdvertisingInterval?

    @Option(help: ArgumentHelp("The acceleration sensor: cma3000 (56 counts a g) or bma250 (64).", valueName: "chip"))
    var accelerometer: KeyFobOptions.AccelerometerChip?

    @Option(help: ArgumentHelp("What the LEDs do in a mild alert: dark or flashing.", valueName: "lights"))
    var mildAlertLights: KeyFobOptions.MildAlertLights?

    @Option(
        help: ArgumentHelp("What a press is: reported (seen at once) or contacts (debounced).", valueName: "timing")
    )
    var keyTiming: KeyFobOptions.KeyTiming?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether the fob asks the central for 100 ms to 1 s, five seconds after the connection."
    )
    var parameterRequest: Bool?

    @Option(
        help: ArgumentHelp(
            "The longest ATT PDU that the fob agrees to, 23 to 517 (default: 23, as TI's stack has it).",
            valueName: "bytes"
        ),
        transform: { try FobNumbers.mtu($0) }
    )
    var mtu: Int?

    @Flag(inversion: .prefixedNo, help: "Whether X, Y, Z and the key state can be read, as TI's guide says.")
    var readableValues: Bool?

    @Flag(help: "All as the article of 2013 has it: firmware 1.3, or a phone with iOS 6 (docs/keyfob.md).")
    var asArticle = false

    @Option(
        defaultAsFlag: SourceRows.all,
        help: ArgumentHelp("As TI's or the app's source, not the texts: all or a list of rows.", valueName: "rows")
    )
    var asSource: SourceRows?

    /// What was said of one fob that only the other one understands; nil if nothing.
    var misplaced: String? {
        if let name = ios6Limits?.unknown {
            return "\(name) is no limit of iOS 6; they are \(IOS6LimitNames.names), and all"
        }
        if asArticle, asSource != nil { return "--as-article and --as-source contradict each other; give one of them" }
        if let complaint = asSource?.complaint(aboutPhone: personality == .phone) { return complaint }
        if personality == .hardware {
            return ios6Limits == nil ? nil : "--ios6-limits is for a phone; add --personality phone"
        }
        let hardware = [
            ("--firmware", firmware != nil), ("--advertising-duration", advertisingDuration != nil),
            ("--accelerometer", accelerometer != nil), ("--mild-alert-lights", mildAlertLights != nil),
            ("--key-timing", keyTiming != nil), ("--mtu", mtu != nil),
            ("--parameter-request", parameterRequest == true), ("--no-parameter-request", parameterRequest == false),
            ("--readable-values", readableValues == true), ("--no-readable-values", readableValues == false),
        ]
        return hardware.first { $0.1 }.map { "\($0.0) is about TI's hardware; leave it out with --personality phone" }
    }

    /// The phone, with a switch that is moved at launch, or by hand.
    func phone(waits: Bool) -> PhoneFobOptions {
        PhoneFobOptions(
            limits: (ios6Limits ?? (asArticle ? .published : nil))?.limits ?? [],
            source: asSource?.simulator ?? [],
            advertisesAtStart: !waits,
            advertisingInterval: advertisingInterval
        )
    }

    /// The options for a fob that advertises at launch, or waits for its right key.
    func options(waits: Bool) -> KeyFobOptions {
        var options = KeyFobOptions.described(firmware: firmware ?? (asArticle ? .v1_3 : .v1_4))
        asSource?.apply(to: &options)
        options.advertisesAtStart = !waits
        if let advertisingDuration { options.advertisingDuration = advertisingDuration.span }
        if let advertisingInterval { options.advertisingInterval = advertisingInterval }
        if let accelerometer { options.accelerometerChip = accelerometer }
        if let mildAlertLights { options.mildAlertLights = mildAlertLights }
        if let keyTiming { options.keyTiming = keyTiming }
        if let parameterRequest {
            options.requestsConnectionParameters = parameterRequest
            // Firmware 1.3 has no pause, since it never asks.
            if options.connectionParameterPause == .zero { options.connectionParameterPause = .seconds(5) }
        }
        if let mtu { options.attMTU = mtu }
        if let readableValues { options.notifiedValuesAreReadable = readableValues }
        return options
    }
}

extension IOS6LimitNames: ExpressibleByArgument {}
extension KeyFobFirmware: ExpressibleByArgument {}
extension SourceRows: ExpressibleByArgument {}
extension KeyFobOptions.AccelerometerChip: ExpressibleByArgument {}
extension KeyFobOptions.MildAlertLights: ExpressibleByArgument {}
extension KeyFobOptions.KeyTiming: ExpressibleByArgument {}
