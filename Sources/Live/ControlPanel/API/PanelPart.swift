import BluethroatSimulation
public import BluethroatVirtualTime
import BluethroatWorkbench

/// A view of its own that a command adds to the panel: a state that is told whenever it has changed, what else can be
/// asked and ordered, and a module of the page, `Pages/js/parts/NAME.js`, that shows it.
///
/// The state is the answer of `GET /api/NAME`, and the data of the event NAME.
public struct PanelPart<Owner: WorkbenchOwner>: Sendable {
    /// In paths and as topic of events: small letters, digits and hyphens.
    public let name: String
    /// What people call it.
    public let title: String

    let topic: String
    let observer: @Sendable (Owner, EventHub) -> any Observer
    private let endpoints: @Sendable (PanelAPI<Owner>) -> [Endpoint]

    /// - Parameters:
    ///   - summary: what `GET /api/NAME` answers, in a sentence.
    ///   - pause: how long to wait before the state is looked at again where time is real. 33 ms is as often as people
    ///     can see; lists that are long do with 250 ms.
    ///   - state: what is to be shown now, asked on the thread that owns the workbench, and only where somebody listens.
    ///   - endpoints: what else there is, under `/api/NAME/`; `PanelAPI.perform` reaches the owner.
    public init<State: Described & Equatable>(
        _ name: String,
        title: String,
        _ summary: String,
        every pause: TimeSpan = .milliseconds(33),
        state: @escaping @Sendable (Owner) -> State,
        endpoints: @escaping @Sendable (PanelAPI<Owner>) -> [Endpoint] = { _ in [] }
    ) {
        precondition(
            name.wholeMatch(of: /[a-z][a-z0-9-]*/) != nil && !Self.taken.contains(name),
            "\"\(name)\" cannot be the name of a part of the panel"
        )
        self.name = name
        self.title = title
        topic = "\(name) (\(State.schema.name))"
        observer = { owner, hub in PartObserver(owner, hub, topic: name, pause: pause, state: state) }
        self.endpoints = { api in
            let asking = Endpoint.asking("/api/\(name)", tag: title, summary) { _ throws(PanelError) in
                await api.perform { state($0) }
            }
            return [asking] + endpoints(api)
        }
    }

    var view: PartView { PartView(name: name, title: title) }

    func allEndpoints(_ api: PanelAPI<Owner>) -> [Endpoint] {
        let all = endpoints(api)
        for endpoint in all {
            precondition(
                endpoint.path == "/api/\(name)" || endpoint.path.hasPrefix("/api/\(name)/"),
                "\(endpoint.path) belongs to another part of the panel than \(name)"
            )
        }
        return all
    }

    private static var taken: Set<String> {
        [
            "world", "devices", "fob", "air", "phone", "phones", "central", "centrals", "sightings", "values", "log",
            "lost", "events", "captures", "device",
        ]
    }
}

/// Tells the state of a part to those who listen, when it has changed.
private final class PartObserver<Owner: WorkbenchOwner, State: Described & Equatable>: EventTeller {
    private unowned let owner: Owner
    let hub: EventHub
    private let topic: String
    private let pause: TimeSpan
    private let state: (Owner) -> State
    private var shown: State?
    private var lastLook: Instant
    private var isBehind = false

    init(
        _ owner: Owner,
        _ hub: EventHub,
        topic: String,
        pause: TimeSpan,
        state: @escaping (Owner) -> State
    ) {
        self.owner = owner
        self.hub = hub
        self.topic = topic
        self.pause = pause
        self.state = state
        lastLook = .zero - pause
    }

    var nextLook: Instant? { isBehind ? lastLook + pause : nil }

    func look(at workbench: Workbench) {
        guard hub.isListenedTo(topic) else {
            isBehind = false
            return
        }
        let now = workbench.world.now
        guard owner.isVirtual || now - lastLook >= pause else {
            isBehind = true
            return
        }
        isBehind = false
        lastLook = now
        tellChanges(of: workbench)
    }

    func tellChanges(of workbench: Workbench) {
        guard hub.isListenedTo(topic) else { return }
        let state = state(owner)
        guard state != shown else { return }
        shown = state
        hub.say(topic, state)
    }

    func greet(_ queue: EventQueue, _ workbench: Workbench) {
        guard queue.wants(topic) else { return }
        let state = state(owner)
        shown = state
        hub.say(topic, state, to: queue)
    }
}
