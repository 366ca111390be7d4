internal import BluethroatPhoneService
private import Synchronization

/// A read or a write that a central wants and the app decides about.
open class CBATTRequest: NSObject, @unchecked Sendable {
    /// Who asks.
    open var central: CBCentral { asker }

    /// Whose value is meant.
    open var characteristic: CBCharacteristic { subject }

    /// From which byte of the value on.
    open var offset: Int { start }

    /// What is to be written; for a read, what the app answers, from `offset` on.
    open var value: Data? {
        get { bytes.withLock { $0 } }
        set { bytes.withLock { $0 = newValue } }
    }

    /// Under which name the service waits for the answer. Requests of one batch have the same.
    let id: LocalRequestID
    private let asker: CBCentral
    private let subject: CBCharacteristic
    private let start: Int
    private let bytes: Mutex<Data?>

    init(id: LocalRequestID, central: CBCentral, characteristic: CBCharacteristic, offset: Int, value: Data?) {
        self.id = id
        asker = central
        subject = characteristic
        start = offset
        bytes = Mutex(value)
    }

    open override var description: String {
        objectDescription(
            self,
            "central = \(central)",
            "characteristic = \(characteristic)",
            "offset = \(offset)",
            "value = \(valueDescription(value))"
        )
    }
}
