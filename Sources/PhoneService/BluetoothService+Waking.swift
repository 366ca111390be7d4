public import Host
public import VirtualTime

/// Apps that are woken, and launched, for what has happened; and those that are suspended again.
extension BluetoothService {
    /// Lets those run for whom something has happened. To be called before news are taken, if `hasAppsToWake`.
    public func wakeApps(host: Host, at now: Instant, into actions: inout HostActions) {
        hasAppsToWake = false
        for index in apps.indices where apps[index].isCalled {
            apps[index].isCalled = false
            switch apps[index].state {
            case .suspended:
                apps[index].state = .background
                stayAwake(index, until: now.after(settings.wakeLength))
            case .background: stayAwake(index, until: now.after(settings.wakeLength))
            case .terminated: relaunch(index, at: now)
            case .notRunning, .foreground, .forceQuit: break
            }
        }
    }

    /// The apps that are to be launched, since something has happened for which they are.
    public func takeRelaunches() -> [Relaunch] {
        defer { relaunches = [] }
        return relaunches
    }

    private func relaunch(_ index: Int, at now: Instant) {
        let kept = sessions.filter { $0.app == apps[index].id && $0.client == nil }
        func identifiers(of role: SessionDescription.Role) -> [String] {
            kept.filter { $0.description.role == role }.compactMap(\.description.restoreIdentifier)
        }
        relaunches.append(
            Relaunch(
                app: apps[index].id,
                centrals: identifiers(of: .central),
                peripherals: identifiers(of: .peripheral)
            )
        )
        expectManagers(of: index, at: now)
        apps[index].state = .background
        stayAwake(index, until: now.after(settings.wakeLength))
    }

    /// News for a session have come. Returns whether somebody is there to take them, or will be.
    func call(forNewsOf index: Int, _ news: SessionEvent) -> Bool {
        let app = self.index(of: sessions[index].app)
        let isAllowed = apps[app].modes.contains(BackgroundModes(of: sessions[index].description.role))
        switch apps[app].state {
        case .foreground: return true
        case .background:
            if isAllowed, news.wakes { call(app) }
            return true
        case .suspended, .terminated:
            guard isAllowed, news.wakes else { return false }
            call(app)
            return true
        case .notRunning, .forceQuit: return false
        }
    }

    private func call(_ index: Int) {
        apps[index].isCalled = true
        hasAppsToWake = true
    }

    func expireApps(host: Host, at now: Instant, into actions: inout HostActions) {
        for index in apps.indices {
            if let suspension = apps[index].suspension, suspension <= now {
                suspend(apps[index].id, host: host, at: now, into: &actions)
            }
            if let discard = apps[index].discard, discard <= now {
                apps[index].discard = nil
                let app = apps[index].id
                discardKept(host: host, at: now, into: &actions) { $0 == app }
            }
        }
    }

    /// An app stays awake for as long as the latest reason says, or until it ranges no more.
    func stayAwake(_ index: Int, until end: Instant) {
        apps[index].suspension = apps[index].rangesBeacons ? nil : max(end, apps[index].suspension ?? end)
    }

    /// What was kept for an app that is launched now is not kept for ever.
    func expectManagers(of index: Int, at now: Instant) {
        let isKept = sessions.contains { $0.app == apps[index].id && $0.client == nil }
        apps[index].discard = isKept ? now.after(settings.restorationTime) : nil
    }

    // MARK: Alerts

    /// Shows an alert for the app that was in the foreground last of those that do not run and want it.
    func alert(_ clients: [Int], _ peer: Int, at now: Instant, _ occasion: (PeerID, String?) -> SystemAlert.Occasion) {
        let asleep = clients.filter { !record(of: central.clients[$0].app).state.executes }
        let last = asleep.max { left, right in
            record(of: central.clients[left].app).lastForeground < record(of: central.clients[right].app).lastForeground
        }
        guard let client = last else { return }
        let occasion = occasion(name(of: peer, for: client), central.peers[peer].name)
        alerts.append(SystemAlert(app: central.clients[client].app, time: now, occasion: occasion))
    }
}
