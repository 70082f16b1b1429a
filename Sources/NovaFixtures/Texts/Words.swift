/// What people of a language are called, where they live and what they write. Lists are part of the scheme: they never
/// change, not even their order. A class, because it is handed about for every value and never copied.
final class Words: Sendable {
  /// A given name, and how it is written in a user name.
  typealias Name = (name: String, ascii: String)

  let locale: FixtureLocale
  let timezone: String
  let given: [Name]
  let family: [String]
  let cities: [String]
  let posts: [String]
  let comments: [String]
  let bios: [String]
  let titles: [String]

  init(
    locale: FixtureLocale, timezone: String, given: [Name], family: [String], cities: [String], posts: [String],
    comments: [String], bios: [String], titles: [String]
  ) {
    self.locale = locale
    self.timezone = timezone
    self.given = given
    self.family = family
    self.cities = cities
    self.posts = posts
    self.comments = comments
    self.bios = bios
    self.titles = titles
  }

  /// In the order of ``FixtureLocale``.
  static let all = FixtureLocale.allCases.map(of)

  static func of(_ locale: FixtureLocale) -> Words {
    switch locale {
    case .english: english
    case .german: german
    case .japanese: japanese
    case .arabic: arabic
    case .chinese: chinese
    case .spanish: spanish
    }
  }

  /// As it is said in this language, the family first where that is the custom.
  func fullName(_ given: String, _ family: String) -> String {
    switch locale {
    case .japanese, .chinese: family + given
    default: "\(given) \(family)"
    }
  }
}

/// A language that generated names and texts are in.
public enum FixtureLocale: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case german = "de"
  case japanese = "ja"
  case arabic = "ar"
  case chinese = "zh"
  case spanish = "es"
}
