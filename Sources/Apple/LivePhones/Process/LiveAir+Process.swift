import BluethroatHost
import BluethroatLiveLoop
import BluethroatPhoneService
import CoreBluetooth
import Foundation

extension LiveAir {
    /// The air of this process: that of managers for which nothing else was said. One phone is on it, with one app;
    /// whatever else is to be found there the process adds itself. With `BLUETHROAT_HCI` in its environment that phone
    /// is on a controller elsewhere instead.
    public static let ofProcess = ProcessBluetooth.shared.air
}

extension LivePhone {
    /// The phone of this process.
    public static let ofProcess = ProcessBluetooth.shared.phone
}

/// The Bluetooth of a process that has configured none, made at the first use.
struct ProcessBluetooth: Sendable {
    static let shared = ProcessBluetooth()

    let air: LiveAir
    let phone: LivePhone
    let app: LiveApp
    /// Where managers find the phone, and what an earlier process has left for them.
    let environment: BluetoothEnvironment

    private init() {
        var modes: BackgroundModes = []
        var file: RestorationFile?
        // The same addresses, and so the same identifiers of peers, in every run.
        air = LiveAir(seed: 0)
        do {
            let settings = try ProcessSettings(ProcessInfo.processInfo.environment)
            let memory = try settings.bonds.map(KeptBonds.open)
            file = try settings.restoration.map(RestorationFile.init)
            modes = settings.backgroundModes
            try air.record(pcapng: settings.pcapng, btsnoop: settings.btsnoop, of: air.nextDevice)
            phone = Self.makePhone(settings, memory, on: air)
            if settings.controller != nil {
                // A process that ends in order leaves its peers as a phone does whose app has ended.
                atexit { ProcessBluetooth.shared.air.endConnections() }
            }
        } catch {
            AirLog.fail("there is no Bluetooth: \(error)")
            phone = air.addPhone(named: "Phone")
            air.end()
        }
        app = phone.addApp(backgroundModes: modes)
        let usual = app.environment
        environment =
            file.map { BluetoothEnvironment(port: RestoringPort(usual.port, file: $0), delivery: usual.delivery) }
            ?? usual
    }

    private static func makePhone(_ settings: ProcessSettings, _ memory: KeptBonds?, on air: LiveAir) -> LivePhone {
        var host: HostConfiguration?
        if let identity = memory?.identity {
            // As the commands do: known to bonded peers, and not to others.
            var own = HostConfiguration(seed: .random(in: .min ... .max))
            own.staticAddress = identity.address
            own.prefersStaticAddress = true
            own.identityResolvingKey = identity.resolvingKey
            own.privacy.ownAddress = .resolvablePrivate
            host = own
        }
        guard let controller = settings.controller else {
            return air.addPhone(
                named: settings.name,
                settings: settings.phone,
                host: host,
                bonds: memory?.store ?? MemoryBondStore()
            )
        }
        return air.addPhone(
            named: settings.name,
            onController: controller,
            settings: settings.phone,
            host: host,
            bonds: memory?.store ?? MemoryBondStore()
        )
    }
}

/// What `CoreBluetooth` calls, if the program has it, when the first manager is made that was given no phone.
@_cdecl("bluethroat_provide_process_default")
public func provideProcessDefault() {
    BluetoothEnvironment.provide(ProcessBluetooth.shared.environment)
}
