import Foundation
import NovaTestSupport
import Testing

/// The commands that README.md shows print what it shows, and the program of the first tutorial is the example. Tools/check-pages
/// covers the Swift code of all pages.
@Suite struct ReadmeTests {
  @Test func theFirstTutorialHasTheProgramOfTheExample() throws {
    let quickstart = try String(
      contentsOf: Checkout.root.appending(path: "Examples/Quickstart/Sources/Quickstart/main.swift"), encoding: .utf8)
    #expect(try GuidePage("docs/tutorial-first-ten-minutes.md").blocks("swift").contains(quickstart))
  }

  @Test func everyCommandPrintsWhatIsShown() async throws {
    let examples = try GuidePage("README.md").examples
    #expect(!examples.isEmpty)
    for example in examples {
      let result = try await ProgramRun(example.arguments).result()
      #expect(result.status == 0, "nova \(example.arguments): \(result.errors)")
      #expect(result.output == example.shown, "nova \(example.arguments)")
    }
  }
}
