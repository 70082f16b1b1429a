import NovaCore
import Testing

@testable import NovaViewModels

@Suite struct LoadedPartsTests {
  private static let unreachable = APIError(.networkError, "the connection broke")

  private func users(_ id: String, _ source: ResponseSource = .network) -> LoadedPart {
    LoadedPart(content: .success(.users(Page(items: [id], totalCount: 1, hasMore: false))), source: source)
  }

  private func failure(_ error: any Error) -> LoadedPart { LoadedPart(content: .failure(error)) }

  private func ids(_ loaded: LoadedParts, _ part: ProfilePart) -> [String]? {
    if case .success(.users(let page))? = loaded.parts[part]?.content { page.items } else { nil }
  }

  @Test func takesStoredPartsOnlyForAGatewayThatCannotBeReached() {
    let stored = LoadedParts(parts: [
      .followers: users("stored", .cache(age: .seconds(9))), .following: users("stored", .cache(age: .seconds(9))),
      .saved: failure(APIError(.notFound, "not stored")),
    ])
    var loaded = LoadedParts(parts: [
      .followers: failure(Self.unreachable), .following: failure(APIError(.permissionDenied, "no")),
      .saved: failure(Self.unreachable),
    ])
    loaded.complete(from: stored)
    #expect(ids(loaded, .followers) == ["stored"])
    #expect(loaded.parts[.followers]?.isOutdated == true)
    #expect(loaded.failures.map(\.part) == [.following, .saved])
    #expect(loaded.reportedFailures.map(\.part) == [.following, .saved], "the profile is not stored")
  }

  @Test func aStoreThatCannotBeWrittenReplacesNothing() {
    let before = LoadedParts(parts: [.followers: users("old", .cache(age: .seconds(60)))])
    for (age, expected) in [(Duration.seconds(61), "new"), (.seconds(0), "stored")] {
      var loaded = LoadedParts(parts: [.followers: users("new")])
      loaded.complete(from: before)
      _ = loaded.align(with: LoadedParts(parts: [.followers: users("stored", .cache(age: age))]), after: before)
      #expect(ids(loaded, .followers) == [expected])
      #expect(loaded.parts[.followers]?.source == .network)
    }
  }

  @Test func withoutAgesTheGatewaysAnswerStays() {
    let old = LoadedParts(parts: [.followers: users("old", .cache(age: nil))])
    var loaded = LoadedParts(parts: [.followers: users("new")])
    #expect(loaded.align(with: old, after: old) == [.followers], "it is loaded once more")
    #expect(ids(loaded, .followers) == ["new"])
  }

  @Test func whatIsNotStoredIsAFailureOnlyIfNothingIsStored() {
    let missing = failure(APIError(.notFound, "not stored", rpc: "graph.GetFollowers"))
    let nothing = LoadedParts(parts: [.profile: missing, .followers: missing])
    #expect(nothing.reportedFailures.map(\.part) == [.profile, .followers])
    let some = LoadedParts(parts: [
      .profile: missing, .followers: users("stored", .cache(age: .seconds(9))),
      .posts: failure(APIError(.permissionDenied, "no")),
    ])
    #expect(some.reportedFailures.map(\.part) == [.posts])
    let mixed = LoadedParts(parts: [.profile: missing, .followers: users("sent")])
    #expect(mixed.reportedFailures.map(\.part) == [.profile])
  }

  @Test(arguments: [
    (ResponseSource.network, ResponseSource.network, ResponseSource.network),
    (.network, .cache(age: .seconds(1)), .cache(age: .seconds(1))),
    (.cache(age: .seconds(2)), .cache(age: .seconds(1)), .cache(age: .seconds(2))),
    (.cache(age: nil), .cache(age: .seconds(1)), .cache(age: nil)), (.outbox, .network, .outbox),
  ])
  func ofTwoSourcesTheOlderCounts(one: ResponseSource, other: ResponseSource, both: ResponseSource) {
    #expect(one.combined(with: other) == both)
    #expect(other.combined(with: one) == both)
  }
}
