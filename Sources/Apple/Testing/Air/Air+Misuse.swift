public import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
public import Testing
import XCTest

extension Air {
    /// Fails the test for each wrong use of CoreBluetooth so far, on all phones: of what Apple's systems log as `API
    /// MISUSE` and the like, with when it was, by which app, and where it is written that it is wrong.
    ///
    /// For both test frameworks. `.air(forbidsMisuse: true)` does the same at the end of each test.
    ///
    /// - Parameters:
    ///   - allowed: kinds that are all right here.
    ///   - sourceLocation: where a test of Swift Testing fails; the call, if nothing is said.
    ///   - file: the file in which a test of XCTest fails.
    ///   - line: its line.
    public func expectNoMisuse(
        except allowed: Set<MisuseKind> = [],
        sourceLocation: SourceLocation = #_sourceLocation,
        file: StaticString = #filePath,
        line: UInt = #line
    ) {
        for text in misuseTexts(except: allowed) {
            if Test.current == nil {
                XCTFail(text, file: file, line: line)
            } else {
                Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
            }
        }
    }

    /// What developers are told, and why it is wrong, in order. What apps have called since the air was last run is
    /// looked at as well.
    func misuseTexts(except allowed: Set<MisuseKind> = []) -> [String] {
        if !isInRun { exclusively { world.runExternalWork() } }
        let found = phones.flatMap { phone in phone.service.misuse.map { (phone, $0) } }
        return found.sorted { $0.1.time < $1.1.time }.filter { !allowed.contains($0.1.kind) }.map { phone, misuse in
            let app = phone.apps.first { $0.id == misuse.app }?.name ?? "an app"
            return """
                the app misused CoreBluetooth: \(misuse.sentence)
                \(misuse.time.duration.text), \(app) on \(phone.name); \(misuse.kind.rawValue): \(misuse.kind.source)
                """
        }
    }
}
