/// Carries something out of a lock that the compiler cannot know to be safe elsewhere: a delegate, which is the app's.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
}
