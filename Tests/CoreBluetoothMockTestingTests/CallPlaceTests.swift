import Testing

@testable import CoreBluetoothMockTesting

@Suite("The place of a wait in the source of a test")
struct CallPlaceTests {
    private let lines = """
        class LampTests {
            func testOne() {
                wait(for: [a], timeout: 1, enforceOrder: true)
            }
            func testOneBehind() {}
            func testTwo() {
                wait(for: [a], timeout: 1, enforceOrder: true)
                wait(for: [b], timeout: 1, enforceOrder: true)
            }
        }
        """.split(separator: "\n", omittingEmptySubsequences: false)

    private func line(_ test: String?, _ text: String = "enforceOrder:") -> UInt {
        CallPlace(file: #filePath, test: test).line(of: text, in: lines)
    }

    @Test("It is the only call in the test, or the only one in the file; of several it is the test")
    func places() {
        #expect(line("LampTests.testOne") == 3)
        #expect(line("LampTests.testTwo") == 6)
        // It waits in a function that it calls, or in another file.
        #expect(line("LampTests.testOneBehind") == 5)
        #expect(line("LampTests.testElsewhere") == 0 && line(nil) == 0 && line("") == 0)
        #expect(line("LampTests.testOneBehind", "[b]") == 8 && line(nil, "[b]") == 8)
        #expect(CallPlace(file: "/nowhere/LampTests.swift", test: nil).line(of: "wait") == 0)
        #expect(CallPlace(file: #filePath, test: nil).line(of: "@testable " + "import") == 3)
    }
}
