import BluethroatHTTPServing
import BluethroatSimulation
public import Foundation

/// One thing that the panel can be asked: what the API's description says of it, and what answers.
public struct Endpoint: Sendable {
    public enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    let method: Method
    /// With the names of parameters in braces: `/api/devices/{device}`.
    let path: String
    /// The group in which the description lists it.
    let tag: String
    let summary: String
    let queries: [Query]
    let body: Schema?
    let answer: Answer
    let handle: @Sendable (Call) async throws(PanelError) -> Reply

    /// A parameter behind the question mark; all may be left out.
    public struct Query: Sendable {
        let name: String
        let schema: Schema

        public init(_ name: String, _ schema: Schema) {
            self.name = name
            self.schema = schema
        }
    }

    enum Answer: Sendable {
        /// 204.
        case nothing
        case json(Schema)
        /// Bytes of this type.
        case file(String)
        /// Server-sent events.
        case events
    }

    enum Reply: Sendable {
        case nothing
        case json(Data)
        case file(Data, name: String)
        case download(any HTTPPieces, name: String)
        case events(EventQueue)
    }

    /// Something that is answered with a value.
    public static func asking<Value: SchemaValue>(
        _ path: String,
        tag: String,
        _ summary: String,
        queries: [Query] = [],
        _ handle: @escaping @Sendable (Call) async throws(PanelError) -> Value
    ) -> Self {
        Self(
            method: .get,
            path: path,
            tag: tag,
            summary: summary,
            queries: queries,
            body: nil,
            answer: .json(Value.schema)
        ) {
            call throws(PanelError) in .json(try encode(try await handle(call)))
        }
    }

    /// Something that is ordered with a body, and answered with a value.
    public static func ordering<Body: SchemaValue, Value: SchemaValue>(
        _ method: Method,
        _ path: String,
        tag: String,
        _ summary: String,
        queries: [Query] = [],
        _ handle: @escaping @Sendable (Call, Body) async throws(PanelError) -> Value
    ) -> Self {
        Self(
            method: method,
            path: path,
            tag: tag,
            summary: summary,
            queries: queries,
            body: Body.schema,
            answer: .json(Value.schema)
        ) {
            call throws(PanelError) in
            let body = try call.body(as: Body.self)
            return .json(try encode(try await handle(call, body)))
        }
    }

    /// Something that is ordered without more ado, and not answered.
    public static func doing(
        _ method: Method,
        _ path: String,
        tag: String,
        _ summary: String,
        _ handle: @escaping @Sendable (Call) async throws(PanelError) -> Void
    ) -> Self {
        Self(method: method, path: path, tag: tag, summary: summary, queries: [], body: nil, answer: .nothing) {
            call throws(PanelError) in
            try await handle(call)
            return .nothing
        }
    }

    /// A file to take away.
    public static func file(
        _ path: String,
        tag: String,
        _ summary: String,
        type: String,
        queries: [Query] = [],
        _ handle: @escaping @Sendable (Call) async throws(PanelError) -> (Data, name: String)
    ) -> Self {
        Self(method: .get, path: path, tag: tag, summary: summary, queries: queries, body: nil, answer: .file(type)) {
            call throws(PanelError) in
            let (data, name) = try await handle(call)
            return .file(data, name: name)
        }
    }

    /// A file to take away that is made while it is sent.
    static func download(
        _ path: String,
        tag: String,
        _ summary: String,
        type: String,
        _ handle: @escaping @Sendable (Call) async throws(PanelError) -> (any HTTPPieces, name: String)
    ) -> Self {
        Self(method: .get, path: path, tag: tag, summary: summary, queries: [], body: nil, answer: .file(type)) {
            call throws(PanelError) in
            let (pieces, name) = try await handle(call)
            return .download(pieces, name: name)
        }
    }

    /// What happens, as it happens.
    public static func events(
        _ path: String,
        tag: String,
        _ summary: String,
        queries: [Query] = [],
        _ handle: @escaping @Sendable (Call) async throws(PanelError) -> EventQueue
    ) -> Self {
        Self(method: .get, path: path, tag: tag, summary: summary, queries: queries, body: nil, answer: .events) {
            call throws(PanelError) in .events(try await handle(call))
        }
    }

    static func encode(_ value: some Encodable) throws(PanelError) -> Data {
        do {
            return try JSONAnswer.encoder().encode(value)
        } catch {
            throw PanelError(.conflict, "not-representable", "this cannot be written as JSON: \(error)")
        }
    }
}

enum JSONAnswer {
    static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

/// What was asked for.
public struct Call: Sendable {
    /// The values of the names in braces.
    let parameters: [String: String]
    let queries: [String: String]
    let bytes: Data

    /// A part of the path; the route has it, or there is a mistake in ours.
    public subscript(name: String) -> String {
        guard let value = parameters[name] else { preconditionFailure("the path has no {\(name)}") }
        return value
    }

    /// A part of the path that has to be a number.
    public func number(_ name: String, _ whatItIs: String) throws(PanelError) -> Int {
        guard let number = Int(self[name]) else {
            throw PanelError(.notFound, "no-such-\(name)", "\"\(self[name])\" is no \(whatItIs): those have numbers")
        }
        return number
    }

    /// A part of the path that has to be the number of a device.
    func device(_ name: String) throws(PanelError) -> DeviceID {
        guard let number = UInt32(exactly: try number(name, name)) else {
            throw PanelError(.notFound, "no-such-\(name)", "there is no \(name) \(self[name])")
        }
        return DeviceID(rawValue: number)
    }

    /// A parameter behind the question mark.
    public func query(_ name: String) -> String? { queries[name] }

    /// A parameter behind the question mark that has to be a whole number; nil if it is left out.
    func wholeNumber(_ name: String, _ range: ClosedRange<Int>) throws(PanelError) -> Int? {
        guard let text = queries[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .badRequest(
                "\"\(name)\" has to be a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    func body<Body: SchemaValue>(as type: Body.Type) throws(PanelError) -> Body {
        do {
            return try JSONDecoder().decode(type, from: bytes.isEmpty ? Data("{}".utf8) : bytes)
        } catch let error as DecodingError {
            throw .badRequest(error.sentence)
        } catch let error as PanelError {
            throw error
        } catch {
            throw .badRequest("the body is not what is expected: \(error)")
        }
    }
}

extension DecodingError {
    /// What is wrong, in terms of the JSON.
    var sentence: String {
        func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        switch self {
        case .keyNotFound(let key, let context):
            return "\"\(place(context.codingPath + [key]))\" is missing"
        case .typeMismatch(let type, let context):
            return "\"\(place(context.codingPath))\" has to be of another type: \(Self.name(of: type))"
        case .valueNotFound(let type, let context):
            return "\"\(place(context.codingPath))\" must not be null; it has to be \(Self.name(of: type))"
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "the body is no JSON" : "\"\(place(context.codingPath))\": \(context.debugDescription)"
        @unknown default: return "the body is not what is expected"
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is String.Type: "a string"
        case is Double.Type: "a number"
        case is Int.Type: "a whole number"
        default: "\(type)".hasPrefix("Array") ? "an array" : "an object"
        }
    }
}
