public import BluethroatEvents
import BluethroatHost

/// A value to be written, as a command line has it: `FFA1=01` or `1802/2A06=02`, the value in hexadecimal digits.
public struct AttributeAssignment: Sendable {
    public let path: AttributePath
    public let bytes: [UInt8]

    /// Throws if there is no `=`, if an `AttributePath` cannot be read in front of it, or hexadecimal digits behind it.
    public init(parsing text: String) throws {
        guard let mark = text.firstIndex(of: "=") else {
            throw InvalidText("\(text) says no value; write the attribute, =, and hexadecimal digits, as in FFA1=01")
        }
        path = try AttributePath(parsing: String(text[..<mark]))
        bytes = try ValueForm.hex.bytes(of: String(text[text.index(after: mark)...]))
    }
}

extension Central {
    /// Writes values one after the other, and reports each: with response, unless the characteristic takes writes without
    /// one only.
    public func write(_ assignments: [AttributeAssignment]) async throws(OperationFailure) {
        guard !assignments.isEmpty else { return }
        let database = try await discover()
        for assignment in assignments {
            let found = try database.resolve(assignment.path)
            let properties = found.characteristic?.properties ?? .write
            let isAnswered = properties.contains(.write) || !properties.contains(.writeWithoutResponse)
            if isAnswered {
                try await write(assignment.bytes, to: found.handle)
            } else {
                try await writeWithoutResponse(assignment.bytes, to: found.handle)
            }
            emit(.written(found, assignment.bytes, response: isAnswered))
        }
    }
}
