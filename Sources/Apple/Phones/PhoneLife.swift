/// A phone that is there. Who may outlive the phone keeps a weak reference to this instead of one to the phone: that would
/// give the phone a side table, with which every retain and every release of it takes some fifty instructions more.
final class PhoneLife: @unchecked Sendable {
    /// Nil once the phone's `deinit` has begun. Only the thread that owns the phone may ask.
    unowned(unsafe) var phone: Phone?
}
