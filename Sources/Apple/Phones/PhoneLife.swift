/// A phone that is there. Who may outlive the phone keeps a weak reference to this instead of one to the phone: that would
/// give the phone a side table, with which every retain and every release of it takes some fifty instructions more.
final class PhoneLife: @unchecked Sendable {
    /// For the thread that owns the phone. Nil once the phone's `deinit` has begun: somebody may still hold this object then.
    unowned(unsafe) var phone: Phone?
}
