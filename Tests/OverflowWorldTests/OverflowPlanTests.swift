import BluethroatOverflowArea
import Testing

@testable import BluethroatOverflowWorld

@Suite("Plans of a demonstration")
struct OverflowPlanTests {
    @Test(
        "The number of the first phone in a conversation is from 0 to 15; any other one is refused in a line",
        arguments: [Int.min, -1, Conversation.phoneCount, Int.max - 1, Int.max]
    )
    func numbers(number: Int) {
        var plan = OverflowPlan()
        (plan.mode, plan.firstNumber) = (.conversation, number)
        for phoneCount in [1, 2, 16] {
            plan.phoneCount = phoneCount
            let error = #expect(throws: (any Error).self) { try plan.checked() }
            #expect(error.map { "\($0)" }?.contains("numbers from 0 to 15") == true)
        }
    }

    @Test("The last phone of a conversation has number 15")
    func lastNumber() throws {
        var plan = OverflowPlan()
        (plan.mode, plan.phoneCount, plan.firstNumber) = (.conversation, 1, 15)
        #expect(try plan.checked().firstNumber == 15)
        plan.phoneCount = 2
        #expect(throws: (any Error).self) { try plan.checked() }
    }
}
