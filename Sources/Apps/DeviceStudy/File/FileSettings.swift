import Yams

/// Settings that were read from a file, and where in it they stand.
struct FileSettings {
    var values: WorldSettings
    /// By path, of what the file says; what is not there has its initial value.
    private(set) var nodes: [String: Node] = [:]

    init(values: WorldSettings) { self.values = values }

    mutating func set(_ value: StudyValue, _ path: String, _ node: Node) {
        values[path] = value
        nodes[path] = node
    }
}
