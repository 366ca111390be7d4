/// A phone that is there. Who may outlive the phone keeps a weak reference to this instead of one to the phone: that would
/// give the phone a side table, with which every retain and every release of it takes some fifty instructions more.
final class PhoneLife: @unchecked Sendable {
    /// For the thread that owns the phone. Nil from when the phone's end begins: this may then be in somebody's hand still.
    unowned(unsafe) var phone: Phone?

    init(_ phone: Phone) { self.phone = phone }
}
