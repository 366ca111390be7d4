import BluethroatEvents
import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatDeviceStudy
@testable import BluethroatStudies

/// Files of studies that somebody else may have written: plans, recorded ways, and outcomes that are kept. Each is used, or is
/// refused in one line that says where and why; what is used makes nothing trap that is computed of it.
enum StudyFuzzTargets {
    static let all = [plans, traces, outcomes, outcomeFiles]

    // MARK: Plans

    static let plans = FuzzTarget(decoder: "study-plans", upTo: 1_200) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        do {
            let plan = try StudyPlan(yaml: text, named: "a.yaml") { path throws(OperationFailure) in
                guard path == "ways.csv" else { throw OperationFailure("cannot read \(path)") }
                return "a,0,0,0\nb,0,1,1\n"
            }
            check(plan, text)
        } catch let error as StudyFileError {
            let line = "\(error)"
            hold(line.hasPrefix("a.yaml:") && line.firstUnshown == nil, "\(line.debugDescription) is said")
            // The place behind the last character is one, too.
            let lines = 1 + text.unicodeScalars.count { isNewline($0) }
            hold((1...lines + 1).contains(error.line) && error.column >= 1, "\(line) is said of \(lines) lines")
            hold(line.utf8.count <= 4 * bytes.count + 1_000, "\(line.utf8.count) bytes are said")
        } catch let failure as OperationFailure {
            hold(failure.message.firstUnshown == nil, "\(failure.message.debugDescription) is said")
        } catch { hold(false, "\(error) is neither of a file nor of an operation") }
    }

    private static func isNewline(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    private static func check(_ plan: StudyPlan, _ text: String) {
        hold(plan.title.firstUnshown == nil, "the title is \(plan.title.debugDescription)")
        hold((1...10_000).contains(plan.worlds) && (1...10_000).contains(plan.rows.count), "\(plan.rows.count) rows")
        hold(!plan.columns.isEmpty && plan.groups.isEmpty == plan.isCrowd, "nothing is measured")
        for row in plan.rows.prefix(20) {
            hold(plan.objection(to: row) == nil, "a row is taken that is objected to")
            for parameter in plan.parameters {
                guard let value = row[parameter.path] else { return hold(false, "\(parameter.path) has no value") }
                hold(parameter.text(value).firstUnshown == nil, "\(parameter.path) cannot be printed")
                guard case .number(_, let range, _, _) = parameter.kind else { continue }
                guard case .number(let number) = value else { return hold(false, "\(parameter.path) is no number") }
                hold(range.contains(number), "\(parameter.path) is \(number)")
            }
        }
        // Two worlds that are the same have the same key, and no others do.
        var few = plan
        few.rows = Array(plan.rows.prefix(20))
        few.worlds = min(plan.worlds, 2)
        let tasks = PlanWork(plan: few).tasks
        hold(tasks.count == few.rows.count * few.worlds, "\(tasks.count) worlds are computed")
        hold(Set(tasks.map(\.key)).count == tasks.count, "two worlds of \(text.debugDescription) have the same key")
        for task in tasks { hold(task.effort > 0 && task.effort.isFinite, "a world is an effort of \(task.effort)") }
        hold(StudyResults(plan: few, outcomes: []).conditions.firstUnshown == nil, "what all rows share is no line")
    }

    // MARK: Recorded ways

    static let traces = FuzzTarget(decoder: "study-traces", upTo: 400) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        let trace: Trace
        do throws(InvalidText) { trace = try Trace(csv: text) } catch {
            hold(
                "\(error)".firstUnshown == nil && "\(error)".utf8.count <= 400,
                "\("\(error)".debugDescription) is said"
            )
            return
        }
        hold(!trace.ways.isEmpty && trace.ways.allSatisfy { !$0.isEmpty }, "\(text.debugDescription) has an empty way")
        var lines = ["device,time,x,y"]
        for (number, way) in trace.ways.enumerated() {
            hold(zip(way, way.dropFirst()).allSatisfy { $0.time < $1.time }, "time stands still, or goes back")
            for point in way {
                hold(
                    [point.time, point.x, point.y].allSatisfy { $0.magnitude <= 2_000_000 },
                    "\(point) is too far away"
                )
                lines.append("\(number),\(point.time),\(point.x),\(point.y)")
            }
        }
        let again = try? Trace(csv: lines.joined(separator: "\n"))
        hold(
            again?.ways == trace.ways && again?.digest == trace.digest,
            "\(text.debugDescription) is written as another"
        )
        for way in trace.ways {
            var walker = TraceWalker(way)
            for seconds in [0, 0.5, 1e6] {
                walker.walk(for: seconds)
                _ = walker.position
            }
        }
    }

    // MARK: Outcomes

    /// The first byte says whether it is any contents, or JSON with the checksum that anybody can compute.
    static let outcomes = FuzzTarget(decoder: "study-outcomes", upTo: 400) { bytes in
        try KeptOutcome(bytes)?.check()
    }

    static let outcomeFiles = FuzzTarget(file: "study-outcome-files", upTo: 400) { bytes in
        try KeptOutcome(bytes)?.checkFile()
    }
}
