import BluethroatPhoneService
import Foundation

/// How a test wants its air. What is nil here is taken from the suite around it.
struct AirSettings: Sendable {
    var seed: UInt64?
    var phoneName: String?
    var phone: PhoneSettings?
    var forbidsMisuse: Bool?
    var capturesTasks: Bool?
    var waitsForQueues: Duration?
    var pace: Double?

    /// The seed where no test says one: `BLUETHROAT_SEED` in the environment, else 1.
    static let usualSeed = ProcessInfo.processInfo.environment["BLUETHROAT_SEED"].flatMap(UInt64.init) ?? 1

    /// These, and where nothing was said, those.
    func over(_ others: Self?) -> Self {
        guard let others else { return self }
        var result = self
        result.seed = seed ?? others.seed
        result.phoneName = phoneName ?? others.phoneName
        result.phone = phone ?? others.phone
        result.forbidsMisuse = forbidsMisuse ?? others.forbidsMisuse
        result.capturesTasks = capturesTasks ?? others.capturesTasks
        result.waitsForQueues = waitsForQueues ?? others.waitsForQueues
        result.pace = pace ?? others.pace
        return result
    }
}
