/// JSON that is put together by hand, with its members in the order in which they were given.
indirect enum JSONTree: Encodable, Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case array([JSONTree])
    case members([(String, JSONTree?)])

    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Members that are nil are left out.
    static func object(_ members: KeyValuePairs<String, JSONTree?>) -> Self {
        .members(members.map { ($0.key, $0.value) })
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .string(let value): try value.encode(to: encoder)
        case .integer(let value): try value.encode(to: encoder)
        case .number(let value): try value.encode(to: encoder)
        case .boolean(let value): try value.encode(to: encoder)
        case .array(let elements): try elements.encode(to: encoder)
        case .members(let members):
            var container = encoder.container(keyedBy: Key.self)
            for case (let key, let value?) in members { try container.encode(value, forKey: Key(stringValue: key)) }
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
