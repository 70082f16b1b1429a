import Foundation
import NovaMock
import NovaSDK
import NovaViewModels
import Testing

/// docs/view-models.md shows what compiles and works.
@Suite struct DocumentationTests {
  @Test func theCodeIsWhatTheTestsCompile() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let source = try String(contentsOf: here.appending(path: "Snippets.swift"), encoding: .utf8)
    let page = try String(contentsOf: here.appending(path: "../../../docs/view-models.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(blocks.count == 4)
    for block in blocks { #expect(source.contains(block), "\(block)") }
  }

  @Test @MainActor func theCodeWorks() async throws {
    let nova = NovaClient.mock()
    let model = await profile(of: "mock-user-id", for: "user-0001", on: nova)
    #expect(model.errorMessage == nil)
    #expect(model.isFollowing)
    #expect(try await headline(of: "mock-user-id", on: nova) == "bruce_li wrote 50 posts or more")
    #expect(appState(of: nova) == nil, "it was made without a store for sessions")
  }
}
