import Foundation
import NovaTestSupport
import Testing

/// Test support stays out of the programs.
@Suite struct LinkedModulesTests {
  @Test(arguments: ["nova", "nova-serve"])
  func programsDoNotLinkTestSupport(name: String) async throws {
    let program = try ProgramRun.program().deletingLastPathComponent().appendingPathComponent(name).path
    // Mangled names contain the module's name with its length in front.
    #expect(try await contains("8NovaCore", program))
    #expect(try await !contains("11NovaTesting", program))
    #expect(try await !contains("11FaultServer", program))
    #expect(try await !contains("9RawServer", program))
  }

  private func contains(_ text: String, _ file: String) async throws -> Bool {
    let run = try ProgramRun(["-q", "-F", "-a", text, file], executable: URL(filePath: "/usr/bin/grep"))
    let result = try await run.result()
    try #require(result.status < 2, "\(result.errors)")
    return result.status == 0
  }
}
