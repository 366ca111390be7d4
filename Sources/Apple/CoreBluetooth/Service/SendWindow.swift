private import Synchronization

/// How much an app may still send before it has to wait: asked on any thread, refilled by the phone's service.
///
/// The service says how large the window is and what has left it; the app is answered at once, without asking the phone.
struct SendWindow: ~Copyable, Sendable {
    // Not private: other files have a window in their own objects, and the compiler looks for its layout there.
    struct State {
        var size: Int
        var used = 0
        var wasRefused = false
        var isStrict: Bool
        /// Whether something was sent since the sender has heard last that it can.
        var hasSent = false
    }

    private let state: Mutex<State>

    /// `isStrict`: only who was refused hears that there is room.
    init(size: Int, isStrict: Bool) { state = Mutex(State(size: size, isStrict: isStrict)) }

    /// Whether there is room.
    var hasRoom: Bool { state.withLock { $0.used < $0.size } }

    /// As `hasRoom`; if there is none, `giveBack` will say so when there is again.
    func lookForRoom() -> Bool {
        state.withLock { state in
            if state.used >= state.size { state.wasRefused = true }
            return state.used < state.size
        }
    }

    /// Takes one place. False if there is none; then `giveBack` will say when there is again.
    func take() -> Bool {
        state.withLock { state in
            guard state.used < state.size else {
                state.wasRefused = true
                return false
            }
            state.used += 1
            state.hasSent = true
            return true
        }
    }

    /// Takes a place even if there is none.
    func takeAnyway() {
        state.withLock { state in
            state.used += 1
            state.hasSent = true
        }
    }

    /// Frees so many places. True if the sender is to hear that it can send: it was refused and can try again, or, if
    /// the window is not strict, all that it has sent has left.
    func giveBack(_ count: Int) -> Bool {
        state.withLock { state in
            state.used = max(0, state.used - count)
            let hasRoom = state.wasRefused && state.used < state.size
            let isDrained = !state.isStrict && state.hasSent && state.used == 0
            guard hasRoom || isDrained else { return false }
            state.wasRefused = false
            state.hasSent = false
            return true
        }
    }

    /// The phone uses another size from now on.
    func resize(to size: Int) { state.withLock { $0.size = size } }

    /// Whether only who was refused hears that there is room, from now on.
    func beStrict(_ isStrict: Bool) { state.withLock { $0.isStrict = isStrict } }

    /// Everything that was in it is gone.
    func reset() {
        state.withLock { state in
            state.used = 0
            state.wasRefused = false
            state.hasSent = false
        }
    }
}
