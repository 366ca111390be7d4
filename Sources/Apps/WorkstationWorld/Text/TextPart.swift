import BluethroatByteCoding
public import BluethroatControlPanel
import BluethroatLive
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import BluethroatWorkstationLogin
import CoreBluetooth

/// One end of a pair that sends texts, in a live world.
struct TextEnd {
    enum Role {
        case server(TextServer)
        case client(TextClient)
    }

    let device: DeviceID
    let role: Role

    var pad: TextPad {
        switch role {
        case .server(let server): server.pad
        case .client(let client): client.pad
        }
    }
}

/// A system that has such ends in its world.
protocol TextOwner: LiveSystem {
    var ends: [TextEnd] { get }
}

extension TextWorld {
    /// What the panel shows of the screens.
    public static var part: PanelPart<TextWorld> { TextPart.part }
}

/// The panel's view of the text sample: its two screens, with their buttons.
enum TextPart<Owner: TextOwner> {
    static var part: PanelPart<Owner> {
        PanelPart("text", title: "Text", "The screens of the text sample.", every: .milliseconds(100)) { owner in
            TextView(ends: owner.ends.map { TextEndView($0, in: owner) })
        } endpoints: { api in
            [
                order(api, "text", "Sends a text, after those that are under way.") { (end, body: TextToSend) in
                    switch end.role {
                    case .server(let server): server.send(body.text)
                    case .client(let client): client.send(body.text)
                    }
                },
                order(api, "actions", "Presses a button of the screen.") {
                    (end, body: TextAction) throws(PanelError) in
                    try press(body, end)
                },
            ]
        }
    }

    private static func press(_ button: TextAction, _ end: TextEnd) throws(PanelError) {
        switch (button.action, end.role) {
        case ("send-long-text", .server(let server)): server.sendLongText()
        case ("send-long-text", .client(let client)): client.sendLongText()
        case ("clear", .server(let server)): server.clear()
        case ("clear", .client(let client)): client.clear()
        case ("advertise", .server(let server)): server.switchAdvertising(true)
        case ("stop-advertising", .server(let server)): server.switchAdvertising(false)
        case ("search", .client(let client)): client.search()
        case ("connect", .client(let client)): client.connect()
        case ("disconnect", .client(let client)): client.disconnect()
        default:
            throw PanelError(.conflict, "no-such-button", "this screen has no button \"\(button.action)\"")
        }
    }

    private static func order<Body: Described>(
        _ api: PanelAPI<Owner>,
        _ name: String,
        _ summary: String,
        _ body: @escaping @Sendable (TextEnd, Body) throws(PanelError) -> Void
    ) -> Endpoint {
        .ordering(.post, "/api/text/ends/{end}/\(name)", tag: "Text", summary) {
            (call, content: Body) throws(PanelError) in
            let number = try call.number("end", "end")
            return try await api.perform { owner throws(PanelError) in
                guard let end = owner.ends.first(where: { Int($0.device.rawValue) == number }) else {
                    throw PanelError(.notFound, "no-such-end", "device \(number) sends no texts")
                }
                try body(end, content)
                owner.settle()
                return TextEndView(end, in: owner)
            }
        }
    }
}

/// What the panel shows of the text sample.
struct TextView: Described, Hashable {
    static let schemaName = "Texts"

    @Property var ends: [TextEndView] = []
}

struct TextEndView: Described, Hashable {
    static let schemaName = "TextEnd"

    enum Role: String, CaseIterable, SchemaValue {
        case server, client
    }

    enum Mode: String, CaseIterable, SchemaValue {
        case raw, framed
    }

    @Property("Its number, for paths.") var device = 0
    @Property var name = ""
    @Property var role = Role.server
    @Property var isBluetoothOn = false
    @Property("The switch of the server's screen.") var isAdvertising = false
    @Property var isScanning = false
    @Property("The server that the client has found.") var found: String? = nil
    @Property var isConnected = false
    @Property("How the client's texts go over the air.") var mode: Mode? = nil
    @Property("Centrals that are sent packets without header.") var rawReaders = 0
    @Property("Centrals that are spoken to in the framed mode.") var framedReaders = 0
    @Property("How many lines the log had in all.") var lineCount = 0
    @Property("The latest 60 of the log; long ones are shortened to 2000 characters.") var lines: [String] = []
    @Property("Bytes of the text under way that are sent.") var sent: Int? = nil
    @Property("Its length in bytes.") var total: Int? = nil
    @Property("How many texts wait behind it.") var waiting = 0
}

struct TextToSend: Described {
    static let schemaName = "TextToSend"

    @Property var text = ""
}

struct TextAction: Described {
    static let schemaName = "TextAction"

    @Property(
        as: .choice([
            "send-long-text", "clear", "advertise", "stop-advertising", "search", "connect", "disconnect",
        ])
    )
    var action = ""
}

extension TextEndView {
    fileprivate init(_ end: TextEnd, in owner: some LiveSystem) {
        device = Int(end.device.rawValue)
        name = owner.workbench[end.device]?.name ?? ""
        let pad = end.pad
        lineCount = pad.lineCount
        lines = pad.lines.suffix(60).map { $0.utf8.count > 2000 ? $0.beginning(2000) + "…" : $0 }
        sent = pad.sending?.sent
        total = pad.sending?.total
        waiting = pad.waitingCount
        switch end.role {
        case .server(let server):
            role = .server
            isBluetoothOn = server.state == .poweredOn
            isAdvertising = server.isSwitchOn
            (rawReaders, framedReaders) = server.subscriberCounts
        case .client(let client):
            role = .client
            isBluetoothOn = client.state == .poweredOn
            isScanning = client.isScanning
            isConnected = client.isConnected
            found = client.found.map { $0.name ?? $0.identifier.uuidString }
            mode = client.mode.map { $0 == .framed ? .framed : .raw }
        }
    }
}
