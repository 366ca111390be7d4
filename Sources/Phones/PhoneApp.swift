public import CoreBluetooth
public import PhoneService

/// An app on a phone.
public final class PhoneApp {
    public let id: AppID
    public let name: String
    /// What the app's managers have to find: the way to this phone.
    public let environment: BluetoothEnvironment

    init(id: AppID, name: String, environment: BluetoothEnvironment) {
        self.id = id
        self.name = name
        self.environment = environment
    }

    /// Runs code of the app: managers made in it are on this phone.
    public func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = BluetoothEnvironment.$current.withValue(environment) {
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
