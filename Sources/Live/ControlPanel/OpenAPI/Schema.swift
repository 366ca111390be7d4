/// What a JSON value may look like, as OpenAPI says it.
public indirect enum Schema: Sendable {
    case string(_ about: String? = nil, format: String? = nil, pattern: String? = nil)
    case choice([String], _ about: String? = nil)
    case integer(_ about: String? = nil, ClosedRange<Int>? = nil)
    case number(_ about: String? = nil, ClosedRange<Double>? = nil)
    case boolean(_ about: String? = nil)
    case array(Schema, _ about: String? = nil)
    case object(named: String, [Property])
    /// Any JSON object.
    case anything(_ about: String? = nil)

    /// A property of an object.
    public struct Property: Sendable {
        let name: String
        let schema: Schema
        /// Whether it may be left out.
        let isOptional: Bool
    }

    var json: JSONTree {
        switch self {
        case .string(let about, let format, let pattern):
            .object([
                "type": "string", "description": about.map { .string($0) }, "format": format.map { .string($0) },
                "pattern": pattern.map { .string($0) },
            ])
        case .choice(let words, let about):
            .object([
                "type": "string", "enum": .array(words.map { .string($0) }), "description": about.map { .string($0) },
            ])
        case .integer(let about, let range):
            .object([
                "type": "integer", "description": about.map { .string($0) },
                "minimum": range.map { .integer($0.lowerBound) }, "maximum": range.map { .integer($0.upperBound) },
            ])
        case .number(let about, let range):
            .object([
                "type": "number", "description": about.map { .string($0) },
                "minimum": range.map { .number($0.lowerBound) }, "maximum": range.map { .number($0.upperBound) },
            ])
        case .boolean(let about): .object(["type": "boolean", "description": about.map { .string($0) }])
        case .array(let element, let about):
            .object(["type": "array", "items": element.json, "description": about.map { .string($0) }])
        case .object(let name, _):
            .object(["$ref": .string("#/components/schemas/\(name)")])
        case .anything(let about): .object(["type": "object", "description": about.map { .string($0) }])
        }
    }

    /// What it is called in the description, or what it is.
    var name: String {
        switch self {
        case .object(let name, _): name
        case .array(let element, _): "array of \(element.name)"
        case .string, .choice: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .anything: "object"
        }
    }

    /// The named schemas in this one, with what they are.
    func collect(into components: inout [String: JSONTree]) {
        switch self {
        case .object(let name, let properties):
            guard components[name] == nil else { return }
            components[name] = .object([
                "type": "object",
                "properties": .members(properties.map { ($0.name, $0.schema.json) }),
                "required": .array(properties.filter { !$0.isOptional }.map { .string($0.name) }),
                "additionalProperties": false,
            ])
            for property in properties { property.schema.collect(into: &components) }
        case .array(let element, _): element.collect(into: &components)
        default: break
        }
    }
}
