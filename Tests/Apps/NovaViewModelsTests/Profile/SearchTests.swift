import NovaContent
import NovaGraph
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaViewModels

@Suite(.hangLimit) @MainActor struct SearchTests {
  private func stage() async throws -> Stage {
    let stage = try Stage(viewer: "ada", dataSet: .empty)
    let walk = try await stage.content.createPost(creatorId: "ada", content: "Spaziergang in München", title: "Früh")
    try await stage.content.createPost(creatorId: "ada", content: "Cafés of Łódź")
    let other = try await stage.content.createPost(creatorId: "bob", content: "Another CAFE\u{301}")
    try await stage.content.createBookmark(postId: other.id, userId: "ada")
    try await stage.content.createBookmark(postId: walk.id, userId: "ada")
    await stage.load("ada")
    return stage
  }

  @Test(arguments: [
    ("cafe", ["Cafés of Łódź", "Another CAFE\u{301}"]), ("CAFÉ", ["Cafés of Łódź", "Another CAFE\u{301}"]),
    ("lodz cafe", ["Cafés of Łódź"]), ("munchen fruh", ["Spaziergang in München"]), ("tea", []), ("  \n", []), ("", []),
  ])
  func caseAndDiacriticsMakeNoDifference(_ query: String, _ expected: [String]) async throws {
    #expect(try await stage().model.searchInProfile(query: query).map(\.content) == expected)
  }

  @Test func theTabInFrontComesFirstAndNothingTwice() async throws {
    let stage = try await stage()
    stage.model.selectedTab = .saved
    #expect(
      stage.model.searchInProfile(query: "a").map(\.content) == [
        "Spaziergang in München", "Another CAFE\u{301}", "Cafés of Łódź",
      ])
  }
}
