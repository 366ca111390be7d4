/// The description of the API, made from the endpoints themselves.
struct OpenAPIDocument {
    let json: JSONTree

    init(_ endpoints: [Endpoint]) {
        var components: [String: JSONTree] = [:]
        ErrorAnswer.schema.collect(into: &components)
        var paths: [(String, [(String, JSONTree?)])] = []
        for endpoint in endpoints {
            endpoint.body?.collect(into: &components)
            switch endpoint.answer {
            case .json(let schema): schema.collect(into: &components)
            case .events: LostEvents.schema.collect(into: &components)
            case .nothing, .file: break
            }
            let operation = (endpoint.method.rawValue.lowercased(), Optional(Self.operation(endpoint)))
            if let index = paths.firstIndex(where: { $0.0 == endpoint.path }) {
                paths[index].1.append(operation)
            } else {
                paths.append((endpoint.path, [operation]))
            }
        }
        json = .object([
            "openapi": "3.1.0",
            "info": .object([
                "title": "Bluethroat control panel",
                "version": "1",
                "description":
                    "Everything the page does. Bodies and answers are JSON; errors are objects of type Error.",
            ]),
            "paths": .members(paths.map { ($0.0, .members($0.1)) }),
            "components": .object([
                "schemas": .members(components.sorted { $0.key < $1.key }.map { ($0.key, Optional($0.value)) })
            ]),
        ])
    }

    private static func operation(_ endpoint: Endpoint) -> JSONTree {
        let names = endpoint.path.split(separator: "/").filter { $0.first == "{" }.map {
            String($0.dropFirst().dropLast())
        }
        let inPath = names.map { name in
            JSONTree.object([
                "name": .string(name), "in": "path", "required": true, "schema": Schema.string().json,
            ])
        }
        let inQuery = endpoint.queries.map { query in
            JSONTree.object([
                "name": .string(query.name), "in": "query", "required": false, "schema": query.schema.json,
            ])
        }
        let errors = JSONTree.object([
            "description": "Why it was not done.",
            "content": content("application/json", ErrorAnswer.schema.json),
        ])
        return .object([
            "tags": .array([.string(endpoint.tag)]),
            "summary": .string(endpoint.summary),
            "operationId": .string(operationID(endpoint)),
            "parameters": .array(inPath + inQuery),
            "requestBody": endpoint.body.map { body in
                .object(["required": true, "content": content("application/json", body.json)])
            },
            "responses": .members(answer(endpoint.answer) + [("default", errors)]),
        ])
    }

    private static func answer(_ answer: Endpoint.Answer) -> [(String, JSONTree?)] {
        switch answer {
        case .nothing: [("204", .object(["description": "Done."]))]
        case .json(let schema):
            [("200", .object(["description": "Done.", "content": content("application/json", schema.json)]))]
        case .file(let type):
            [
                (
                    "200",
                    .object([
                        "description": "The file.",
                        "content": content(type, .object(["type": "string", "format": "binary"])),
                    ])
                )
            ]
        case .events:
            [
                (
                    "200",
                    .object([
                        "description": "Server-sent events.",
                        "content": content("text/event-stream", Schema.string().json),
                    ])
                )
            ]
        }
    }

    private static func content(_ type: String, _ schema: JSONTree) -> JSONTree {
        .members([(type, .object(["schema": schema]))])
    }

    private static func operationID(_ endpoint: Endpoint) -> String {
        let words = endpoint.path.split(separator: "/").dropFirst().map { part in
            let name = part.filter { $0 != "{" && $0 != "}" }
            return name.prefix(1).uppercased() + name.dropFirst()
        }
        return endpoint.method.rawValue.lowercased() + words.joined()
    }
}
