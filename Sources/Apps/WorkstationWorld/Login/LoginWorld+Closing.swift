public import BluethroatEvents
import BluethroatLive

extension LoginWorld {
    /// Who wanted one session has not had it until its end.
    public func close(then end: @escaping (OperationFailure?) -> Void) {
        guard setup.phone?.isOnce == true else { return end(nil) }
        end(OperationFailure("the time of --for was over before a session was", time: present))
    }
}
