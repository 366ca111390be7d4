import Foundation

/// Where other threads leave what the loop's thread shall do, and where that thread sleeps.
///
/// A condition variable of the C library, because it can wait on the monotonic clock; `Foundation`'s waits on
/// the calendar.
///
/// `@unchecked Sendable`: every access to `items`, `isClosed` and `isAsleep` is made with `mutex` held.
final class Inbox<Item>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var items: [Item] = []
    private var isClosed = false
    private var isAsleep = false

    init() {
        pthread_mutex_init(mutex, nil)
        #if os(Linux) || os(Android)
            var attributes = pthread_condattr_t()
            pthread_condattr_init(&attributes)
            pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            pthread_cond_init(bell, &attributes)
            pthread_condattr_destroy(&attributes)
        #else
            pthread_cond_init(bell, nil)
        #endif
    }

    deinit {
        pthread_cond_destroy(bell)
        pthread_mutex_destroy(mutex)
        bell.deallocate()
        mutex.deallocate()
    }

    func put(_ item: Item) {
        pthread_mutex_lock(mutex)
        items.append(item)
        if isAsleep { pthread_cond_signal(bell) }
        pthread_mutex_unlock(mutex)
    }

    /// Wakes the sleeper for the last time.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_signal(bell)
        pthread_mutex_unlock(mutex)
    }

    /// Sleeps until there is something, or until `deadline` on `MonotonicClock`. Nil when closed and empty.
    func takeAll(waitingUntil deadline: MonotonicClock.Reading?) -> [Item]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isAsleep = true
        while items.isEmpty, !isClosed, sleep(until: deadline) {}
        isAsleep = false
        defer { items = [] }
        return items.isEmpty && isClosed ? nil : items
    }

    /// False when the deadline has passed. The mutex is held before and after.
    private func sleep(until deadline: MonotonicClock.Reading?) -> Bool {
        guard let deadline else { return pthread_cond_wait(bell, mutex) == 0 }
        #if os(Linux) || os(Android)
            var time = timespec(
                tv_sec: time_t(deadline.nanoseconds / 1_000_000_000),
                tv_nsec: Int(deadline.nanoseconds % 1_000_000_000)
            )
            return pthread_cond_timedwait(bell, mutex, &time) == 0
        #else
            let left = deadline.nanoseconds - MonotonicClock.now.nanoseconds
            guard left > 0 else { return false }
            var time = timespec(tv_sec: time_t(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
            return pthread_cond_timedwait_relative_np(bell, mutex, &time) == 0
        #endif
    }
}
