public import Host
public import VirtualTime

/// Whether apps may use Bluetooth, which their persons decide.
extension BluetoothService {
    public func authorization(of app: AppID) -> Authorization { record(of: app).authorization }

    /// Apps that have made a manager, are on the screen, and whose person was not asked yet whether they may.
    public var prompts: [AppID] {
        apps.filter { $0.wantsPrompt && $0.state == .foreground && $0.authorization == .notDetermined }.map(\.id)
    }

    /// The person has said what the app may do.
    public func authorize(
        _ app: AppID,
        _ authorization: Authorization,
        host: Host,
        at now: Instant,
        into actions: inout HostActions
    ) {
        let index = index(of: app)
        guard authorization != apps[index].authorization else { return }
        let wasAsked = apps[index].authorization == .notDetermined
        apps[index].authorization = authorization
        if authorization == .notDetermined { apps[index].wantsPrompt = sessions.contains { $0.app == app } }
        if authorization != .allowedAlways {
            for session in sessions.filter({ $0.app == app }) {
                if session.client == nil {
                    end(session.id, host: host, at: now, into: &actions)
                } else {
                    dropEverything(of: session.id, host: host, at: now, into: &actions)
                }
            }
        }
        if settings.endsAppsOnAuthorizationChange, !wasAsked, apps[index].state.isRunning {
            return terminate(app, byPerson: false, host: host, at: now, into: &actions)
        }
        for session in sessions.indices where sessions[session].app == app { tellState(session) }
    }

    // MARK: For managers

    /// A manager was made; its app's person may still have to be asked.
    func askPerson(of app: AppID) {
        let index = index(of: app)
        if apps[index].authorization == .notDetermined { apps[index].wantsPrompt = true }
    }

    /// What an app is told of the radio, which it may not be allowed to use.
    func radioState(for app: AppID) -> RadioState {
        guard radio != .unknown, radio != .unsupported else { return radio }
        switch record(of: app).authorization {
        case .notDetermined: return .unknown
        case .denied, .restricted: return .unauthorized
        case .allowedAlways: return radio
        }
    }

    func tellState(_ index: Int) {
        let state = radioState(for: sessions[index].app)
        guard state != sessions[index].state ?? .unknown else { return }
        sessions[index].state = state
        tell(.state(state), to: sessions[index].id)
    }
}
