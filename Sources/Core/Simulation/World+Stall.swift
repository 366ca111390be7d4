/// A world in which no time passes.
extension World {
    /// Why the world has stopped; nil as long as it has not.
    ///
    /// A world stops when one device, or a chain of scheduled actions, keeps it busy at one instant for more than
    /// `stallLimit` steps: a timer that is armed for the past again and again, or packets that are answered with packets
    /// in no time. Runs end early then, and later ones do nothing until `resume` is called; input is still taken.
    public var stall: StallReport? { state.stalls.report }

    /// How many steps a device, or a chain of scheduled actions, may make at one instant; 100,000 if not set.
    public var stallLimit: Int {
        get { state.stalls.limit }
        set { state.stalls.limit = max(1, newValue) }
    }

    /// Lets a world go on that has stalled: for an owner who has changed, or removed, what kept it busy.
    public func resume() {
        guard state.stalls.isStalled else { return }
        state.stalls.resume()
        isStallAnnounced = false
        for id in deviceIDs {
            if let device = device(id) { exchangePackets(of: device) }
        }
    }

    /// The one that is called may resume the world, so that this is done when nothing else is.
    func announceStall() {
        guard let report = state.stalls.report, !isStallAnnounced, !state.isRunning, state.exchangeDepth == 0 else {
            return
        }
        isStallAnnounced = true
        whenStalled?(report)
    }
}
