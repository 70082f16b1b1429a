import NovaCore
import NovaFixtureFiles
import NovaFixtures
import Testing

@Suite struct OptionTests {
  @Test(arguments: [
    (World.Size(users: 0), [FixtureFormat.json], FixtureDialect.wire, FixtureEntity.allCases, "users is 0; expected 1"),
    (.init(users: 1), [], .wire, FixtureEntity.allCases, "no formats; expected one or more of json, ndjson"),
    (.init(users: 1), [.json], .wire, [], "no entities; expected one or more of users, settings"),
    (.init(users: 1), [.csv, .sqlite], .camel, [.users], "the dialect camel requires a JSON format"),
  ])
  func invalidOptionsAreRejected(
    size: World.Size, formats: [FixtureFormat], dialect: FixtureDialect, entities: [FixtureEntity],
    reason: String
  ) {
    let error = failure {
      _ = try FixtureOptions(seed: Seed(1), size: size, formats: formats, dialect: dialect, entities: entities)
    }
    if case .options(let text) = error { #expect(text.hasPrefix(reason)) } else { Issue.record("\(error as Any)") }
  }

  @Test func orderAndRepetitionMakeNoDifference() throws {
    let one = try FixtureOptions(
      seed: Seed(1), size: .init(users: 1), formats: [.csv, .json, .csv], entities: [.posts, .users, .posts])
    #expect(one.formats == [.json, .csv] && one.entities == [.users, .posts])
    #expect(
      try one
        == FixtureOptions(seed: Seed(1), size: .init(users: 1), formats: [.json, .csv], entities: [.users, .posts]))
  }

  @Test func everyEntityHasItsOwnMessage() {
    #expect(Set(FixtureEntity.allCases.map(\.message.name)).count == FixtureEntity.allCases.count)
  }
}
