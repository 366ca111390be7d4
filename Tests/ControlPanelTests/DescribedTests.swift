import Foundation
import Testing

@testable import BluethroatControlPanel

/// One property of each kind that the API has.
private struct Sample: Described, Hashable {
    static let schemaName = "Sample"

    enum Phase: String, CaseIterable, SchemaValue {
        case first
        case notLast = "not-last"
    }

    struct Part: Described, Hashable {
        static let schemaName = "SamplePart"

        @Property("In g.", -8...8) var x = 0.0
    }

    @Property("What it is.", 0...100) var battery = 0
    @Property(0...39) var channel = 0
    @Property var name = ""
    @Property("Whether it is on.") var isOn = false
    @Property var phase = Phase.first
    @Property("Those before.") var phases: [Phase] = []
    @Property("Bits.", 0...127) var bits: [Int] = []
    @Property var part = Part()
    @Property("All of them.") var parts: [Part] = []
    @Property("Maybe.") var note: String? = nil
    @Property(0...255) var error: Int? = nil
    @Property var other: Part? = nil
    @Property(as: .string("Six digits.", pattern: "^[0-9]{6}$")) var passkey: String? = nil
    @Property(as: .array(.anything("Of the same type."))) var children: [Sample] = []
}

/// The same without wrappers: what JSON would be.
private struct Plain: Codable {
    struct Part: Codable { var x = 0.0 }

    var battery = 0
    var channel = 0
    var name = ""
    var isOn = false
    var phase = "first"
    var phases: [String] = []
    var bits: [Int] = []
    var part = Part()
    var parts: [Part] = []
    var note: String?
    var error: Int?
    var other: Part?
    var passkey: String?
    var children: [Plain] = []
}

private struct Forgetful: Described {
    static let schemaName = "Forgetful"

    @Property var count = 0
    var total = 0
}

private struct Talkative: Described {
    static let schemaName = "Talkative"

    @Property("A second text for an object that has its own.") var part = Sample.Part()
}

@Suite("Objects of the API: value, schema and JSON come from one declaration")
struct DescribedTests {
    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONAnswer.encoder().encode(value), as: UTF8.self)
    }

    private func read<Value: SchemaValue>(_ type: Value.Type, _ text: String) throws(PanelError) -> Value {
        try Call(parameters: [:], queries: [:], bytes: Data(text.utf8)).body(as: type)
    }

    private func components(of schema: Schema) throws -> NSDictionary {
        var components: [String: JSONTree] = [:]
        schema.collect(into: &components)
        return try #require(try JSONSerialization.jsonObject(with: Data(try json(components).utf8)) as? NSDictionary)
    }

    @Test("The schema says type, text, range and words of each property, in order, and which may be left out")
    func schema() throws {
        let expected = #"""
            {
              "Sample": {
                "type": "object", "additionalProperties": false,
                "properties": {
                  "battery": {"type": "integer", "description": "What it is.", "minimum": 0, "maximum": 100},
                  "channel": {"type": "integer", "minimum": 0, "maximum": 39},
                  "name": {"type": "string"},
                  "isOn": {"type": "boolean", "description": "Whether it is on."},
                  "phase": {"type": "string", "enum": ["first", "not-last"]},
                  "phases": {
                    "type": "array", "description": "Those before.",
                    "items": {"type": "string", "enum": ["first", "not-last"]}
                  },
                  "bits": {
                    "type": "array", "description": "Bits.", "items": {"type": "integer", "minimum": 0, "maximum": 127}
                  },
                  "part": {"$ref": "#/components/schemas/SamplePart"},
                  "parts": {
                    "type": "array", "description": "All of them.", "items": {"$ref": "#/components/schemas/SamplePart"}
                  },
                  "note": {"type": "string", "description": "Maybe."},
                  "error": {"type": "integer", "minimum": 0, "maximum": 255},
                  "other": {"$ref": "#/components/schemas/SamplePart"},
                  "passkey": {"type": "string", "description": "Six digits.", "pattern": "^[0-9]{6}$"},
                  "children": {"type": "array", "items": {"type": "object", "description": "Of the same type."}}
                },
                "required": [
                  "battery", "channel", "name", "isOn", "phase", "phases", "bits", "part", "parts", "children"
                ]
              },
              "SamplePart": {
                "type": "object", "additionalProperties": false,
                "properties": {"x": {"type": "number", "description": "In g.", "minimum": -8, "maximum": 8}},
                "required": ["x"]
              }
            }
            """#
        let tree = try #require(try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary)
        #expect(try components(of: Sample.schema) == tree)
        // Asked again, it is the same.
        #expect(try components(of: [Sample].schema) == tree)
        #expect([Sample].schema.name == "array of Sample")
    }

    @Test("JSON is what it would be without the wrapper, and can be read again")
    func roundTrip() throws {
        var value = Sample()
        var plain = Plain()
        #expect(try json(value) == json(plain))
        (value.battery, value.name, value.isOn, value.phase) = (7, "a", true, .notLast)
        (plain.battery, plain.name, plain.isOn, plain.phase) = (7, "a", true, "not-last")
        (value.note, value.error, value.other, value.bits) = ("n", 5, .init(x: 1.5), [1, 2])
        (plain.note, plain.error, plain.other, plain.bits) = ("n", 5, .init(x: 1.5), [1, 2])
        (value.children, plain.children) = ([Sample(channel: 3)], [Plain(channel: 3)])
        #expect(try json(value) == json(plain))
        #expect(try read(Sample.self, json(value)) == value)
        #expect(try JSONDecoder().decode([Sample?].self, from: JSONEncoder().encode([value, nil])) == [value, nil])
    }

    @Test("What may be left out is nil if it is left out or null, and nil is not written")
    func absent() throws {
        #expect(try read(Move.self, "{}").x == nil)
        #expect(try read(Move.self, #"{"x":null,"y":2}"#).x == nil)
        #expect(try read(Move.self, #"{"x":null,"y":2}"#).y == 2)
        #expect(try json(Move(y: 2)) == #"{"y":2}"#)
        #expect(try json(Move()) == "{}")
    }

    @Test("Members that nobody knows are passed over")
    func unknown() throws {
        #expect(try read(OnOff.self, #"{"isOn":true,"colour":"red"}"#).isOn)
    }

    @Test(
        "What is missing, null or of another type is refused, by its name",
        arguments: [
            (#"{}"#, #""x" is missing"#),
            (#"{"x":null}"#, #""x" must not be null; it has to be a number"#),
            (#"{"x":"1"}"#, #""x" has to be of another type: a number"#),
            (#"{"x":[1]}"#, #""x" has to be of another type: a number"#),
            (#"[]"#, #""" has to be of another type: an object"#),
        ]
    )
    func refused(_ text: String, _ sentence: String) {
        let error = #expect(throws: PanelError.self) { try read(Sample.Part.self, text) }
        #expect(error?.kind == .badRequest && error?.message == sentence)
    }

    @Test("A word that is none of an enum's, and a part of a number, are refused by their names")
    func otherValues() throws {
        let fine = try json(Sample())
        for (old, new, name) in [
            (#""phase":"first""#, #""phase":"last""#, "phase"), (#""battery":0"#, #""battery":0.5"#, "battery"),
            (#""part":{"x":0}"#, #""part":{"x":true}"#, "part.x"), (#""bits":[]"#, #""bits":["1"]"#, "bits"),
        ] {
            let text = fine.replacingOccurrences(of: old, with: new)
            #expect(text != fine)
            let error = #expect(throws: PanelError.self) { try read(Sample.self, text) }
            #expect(error?.message.hasPrefix("\"\(name)") == true, "\(error?.message ?? "")")
        }
    }

    @Test("Equality and hash are those of the value, whatever is declared of it")
    func equality() {
        let plain = Property(wrappedValue: 3)
        #expect(plain == Property(wrappedValue: 3, "What it is.", 0...100))
        #expect(plain.hashValue == Property(wrappedValue: 3, "What it is.", 0...100).hashValue)
        #expect(plain != Property(wrappedValue: 4))
        var declared = plain
        _ = SchemaDerivation.run {
            declared = Property(wrappedValue: 3, "What it is.")
            return declared.schema ?? .boolean()
        }
        #expect(declared.schema != nil && declared == plain && declared.hashValue == plain.hashValue)
        #expect(Set([Sample(battery: 1), Sample(battery: 1), Sample(battery: 2)]).count == 2)
    }

    @Test("A property costs one word more than its value")
    func size() {
        #expect(MemoryLayout<Property<Int>>.size == MemoryLayout<Int>.size + MemoryLayout<Int>.size)
        #expect(MemoryLayout<Property<String>>.size == MemoryLayout<String>.size + MemoryLayout<Int>.size)
    }

    private func expect(_ words: String, in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        // A program that was built for speed stops without a word.
        #expect(text.contains(words) || !_isDebugAssertConfiguration(), "\(text)")
    }

    @Test("A property that was forgotten to be declared stops the program when its schema is asked for")
    func forgotten() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Forgetful.schema
        }
        expect("Forgetful.total is not declared as @Property", in: result)
    }

    @Test("A text for a property that holds an object stops the program, as the description has no place for it")
    func textOfObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Talkative.schema
        }
        expect("a property of type Part has no text", in: result)
    }
}
