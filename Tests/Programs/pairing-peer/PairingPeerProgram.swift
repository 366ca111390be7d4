import BluethroatHCITransports
import BluethroatLiveLoop
import Foundation

/// Our host as a device that pairs in any way there is, for tests from outside: on a controller over HCI, told what to do
/// by lines on standard input, telling what happens by JSON lines. Tests/Interop/pairing_peer.py drives it.
///
///     pairing-peer tcp:127.0.0.1:6402 io=keyboard-display sc=preferred protection=wanted
@main
struct PairingPeerProgram {
    static func main() async {
        var arguments = CommandLine.arguments.dropFirst()
        let options: PeerOptions
        let endpoint: HCIEndpoint
        do {
            endpoint = try HCIEndpoint(parsing: arguments.popFirst() ?? "")
            options = try PeerOptions(arguments)
        } catch {
            FileHandle.standardError.write(Data("pairing-peer: \(error)\n".utf8))
            exit(2)
        }
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let live = run(options)
        let callbacks = HCITransportCallbacks(
            received: { batch in live.post { $0.receive(batch.packets) } },
            ended: { _ in ended.finish() }
        )
        guard let transport = try? await endpoint.open(callbacks) else { exit(1) }
        await live.perform { machine in
            machine.attach { transport.send($0) }
            machine.start()
        }
        Thread.detachNewThread {
            while let line = readLine() {
                live.post { $0.obey(line) }
            }
            ended.finish()
        }
        for await _ in ends {}
        transport.close()
    }

    /// Not on the main actor, to which nothing of the machine belongs.
    private nonisolated static func run(_ options: PeerOptions) -> LiveLoop<PeerMachine> {
        LiveLoop(PeerMachine(options) { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) })
    }
}
