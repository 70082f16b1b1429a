import Foundation
import NovaSDK
import NovaTestSupport
import Testing

@Suite struct ParityTests {
  @Test(arguments: RPCRegistry.nova.rpcs.map(\.id))
  func everyRPCHasACallThatMakesItAndIsAnswered(id: String) async throws {
    let calls = GuideCall.all.filter { $0.id == id }
    #expect(!calls.isEmpty, "\(id) has no call: add one to Tests/Suites/GuideParityTests/Calls")
    for call in calls {
      let outcome = await ParityTable.outcome(call, MockBackend())
      let signature = try call.signature()
      #expect(outcome.rpcs == [id], "\(signature)")
      #expect(!outcome.isUnimplemented, "the mock has no handler for \(id): add one in Sources/Testing/NovaMock")
    }
  }

  @Test func everyCallIsOfAnRPC() {
    for call in GuideCall.all { #expect(RPCRegistry.nova.rpc(named: call.id)?.id == call.id) }
  }

  @Test func commandsMakeTheCallTheyStandBeside() async throws {
    let commands = GuideCall.all.compactMap { call in call.command.map { (id: call.id, command: $0) } }
    // Each starts the program.
    for (id, command) in TestDepth.cases(commands, sample: 15) {
      let words = command.split(separator: " ").map(String.init) + ["--mock", "--verbose"]
      // `register` asks for a password.
      let run = try await novaSays(words, input: "correct horse\n")
      #expect(run.contains("rpc=\(id) "), "nova \(command): \(run)")
    }
  }

  @Test func theTableIsWhatIsThere() async throws {
    let file = Checkout.root.appending(path: "docs/guide-parity.md")
    let table = try await ParityTable.rendered()
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" {
      try Data(table.utf8).write(to: file)
    }
    let committed = try String(contentsOf: file, encoding: .utf8)
    // Without the two texts in the message.
    let isCurrent = committed == table
    #expect(
      isCurrent,
      """
      docs/guide-parity.md is out of date: run \
      UPDATE_DOCS=1 NOVA_TESTS=GuideParityTests Tools/swift test --filter GuideParityTests
      """)
  }

  @Test func theReadmeHasTheNumberOfRPCs() throws {
    let readme = try Checkout.text(of: "README.md")
    let count = RPCRegistry.nova.rpcs.count
    let hasNumber = readme.contains("the contract's \(count) RPCs")
    #expect(hasNumber, "README.md must say that the contract has \(count) RPCs")
  }
}
