import Foundation
import FuzzInputs

@testable import BluethroatControlPanel

/// What stands in requests to the panel: the path, and JSON. How a request is read from a connection is the target
/// `http-requests`.
enum PanelFuzzTargets {
    static let all = [paths, bodies]

    /// Every path has an endpoint or none, whatever its percent signs say.
    static let paths = FuzzTarget(decoder: "panel-paths", upTo: 120) { bytes in
        let path = String(decoding: bytes, as: UTF8.self)
        guard let (endpoint, parameters) = try? router.find("GET", path) else { return }
        hold(
            parameters.count == endpoint.path.split(separator: "/").count { $0.hasPrefix("{") },
            "\(path): \(parameters)"
        )
        let call = Call(parameters: parameters, queries: ["limit": path], bytes: Data())
        for name in parameters.keys { _ = try? call.number(name, "number") }
        _ = try? call.wholeNumber("limit", 1...1_000)
    }

    /// The first byte chooses what the body should be. It is that, or there is a sentence that says what is wrong.
    static let bodies = FuzzTarget(decoder: "panel-bodies", upTo: 300) { bytes in
        guard let first = bytes.first else { return }
        let call = Call(parameters: [:], queries: [:], bytes: Data(bytes.dropFirst()))
        let body = [
            read(Advance.self), read(Move.self), read(NewDevice.self), read(BatteryLevel.self), read(OnOff.self),
            read(NewCentral.self), read(PeerAddress.self), read(NewValue.self), read(PersonsAnswer.self),
            read(AppPlacement.self), read([Move].self),
        ]
        body[Int(first) % body.count](call)
    }

    private static func read<Body: SchemaValue>(_ type: Body.Type) -> (Call) -> Void {
        { call in
            do throws(PanelError) {
                // What was read can be written again.
                _ = try Endpoint.encode(try call.body(as: type))
            } catch {
                hold(!error.message.isEmpty, "a refusal without a word")
            }
        }
    }

    private static let router = Router(
        [
            "/api/world", "/api/devices/{device}", "/api/centrals/{central}/attributes/{handle}",
            "/api/captures/{capture}/air",
        ]
        .map { path in
            Endpoint.asking(path, tag: "", "") { (_: Call) throws(PanelError) -> OnOff in
                throw .badRequest("never asked")
            }
        }
    )
}
