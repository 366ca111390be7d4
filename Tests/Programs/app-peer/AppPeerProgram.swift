import CoreBluetooth

/// `app-peer publish|central [bytes=4096] [name=app-peer] [secret=1] [channel-sends=0]
/// [channel-receives=0] [restore=NAME] [queue=main|private] [loop=dispatch|run]`
///
/// An app that only imports CoreBluetooth. It finds its Bluetooth where every such program does: `BLUETHROAT_HCI`, or an
/// air of its own. Each event is a line of JSON; the central ends when all is done.
@main
enum AppPeerProgram {
    static func main() {
        var plan = Plan()
        var queue: DispatchQueue?
        var runsRunLoop = false
        for word in CommandLine.arguments.dropFirst(2) {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            switch (parts.first, parts.last ?? "") {
            case ("bytes", let count): plan.bytes = Int(count) ?? plan.bytes
            case ("name", let name): plan.name = name
            case ("secret", let flag): plan.readsSecret = flag == "1"
            case ("channel-sends", let count): plan.channelSends = Int(count) ?? 0
            case ("channel-receives", let count): plan.channelReceives = Int(count) ?? 0
            case ("restore", let name): plan.restoreIdentifier = name
            case ("queue", let kind): queue = kind == "private" ? DispatchQueue(label: "app") : nil
            case ("loop", let kind): runsRunLoop = kind == "run"
            default: end("what is \(word)?")
            }
        }
        let app: AnyObject
        switch CommandLine.arguments.dropFirst().first {
        case "publish": app = PublishingPeer(plan, queue: queue, tell: write)
        case "central":
            app = CentralPeer(plan, queue: queue) { event, details in
                write(event, details)
                if event == "done" { exit(0) }
            }
        default: end("say publish or central")
        }
        withExtendedLifetime(app) {
            if runsRunLoop { RunLoop.main.run() } else { dispatchMain() }
        }
    }

    private static let write: Story = { event, details in
        let line = details.merging(["event": event]) { $1 }
        guard let text = try? JSONSerialization.data(withJSONObject: line, options: [.sortedKeys]) else { return }
        FileHandle.standardOutput.write(text + Data("\n".utf8))
    }

    private static func end(_ line: String) -> Never {
        FileHandle.standardError.write(Data("app-peer: \(line)\n".utf8))
        exit(2)
    }
}
