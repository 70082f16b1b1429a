/// The names, cities, and texts of a language. The lists are part of the scheme: neither they nor their order ever
/// change. A class, because every value uses it and copying would cost time.
final class Words: Sendable {
  /// A given name with its form in a username.
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

  /// Returns a full name, family name first in languages with that order.
  func fullName(_ given: String, _ family: String) -> String {
    switch locale {
    case .japanese, .chinese: family + given
    default: "\(given) \(family)"
    }
  }
}

/// A language of generated names and texts.
public enum FixtureLocale: String, Sendable, Hashable, CaseIterable {
  case english = "en"
  case german = "de"
  case japanese = "ja"
  case arabic = "ar"
  case chinese = "zh"
  case spanish = "es"
}
