import NovaCapture
import NovaContent
import NovaCore
import NovaSocial
import NovaUsers

/// Responses with values at the limits of the contract or beyond, which clients often handle incorrectly.
///
/// No two responses share a request, and none uses an id of a ``World``, so one server can serve all of them.
///
/// ```swift
/// for answer in try #require(EdgeCase.named("emoji-zwj")).answers { … }
/// ```
public struct EdgeCase: Sendable {
  /// The name, in lower case with hyphens: `emoji-zwj`.
  public let name: String
  /// One sentence that describes the values.
  public let summary: String
  /// The responses with their requests; at least one.
  public let answers: [EdgeCaseAnswer]

  /// - Parameter answers: creates the responses from subjects that are unique to this edge case.
  init(_ name: String, summary: String, answers: (EdgeCaseSubjects) -> [EdgeCaseAnswer]) {
    (self.name, self.summary, self.answers) = (name, summary, answers(EdgeCaseSubjects(name)))
  }

  /// All edge cases, in the order of the documentation.
  public static let all: [EdgeCase] = [
    .largeIntegers, .zeroTimes, .negativeTimes, .emptyStrings, .maximumLengths, .emoji, .rightToLeft,
    .controlCharacters, .unknownValues, .missingOptionals, .legacyTimes, .deepThreads, .celebrity,
    .userWithNothing,
  ]

  /// Returns the edge case with a name; nil if there is none.
  public static func named(_ name: String) -> EdgeCase? { all.first { $0.name == name } }
}

/// The user, post and so on that an edge case is about. Their ids contain the name of the edge case.
struct EdgeCaseSubjects {
  let user: UserProfile
  let post: Post
  let comment: Comment
  let settings: UserSettings
  let something: Something
  let uploadID: String

  init(_ edgeCase: String) {
    // Numeric ids are larger than those of any world.
    let number = edgeCase.utf8.reduce(0) { ($0 &* 31 &+ Int64($1)) & 0xFF_FFFF } + 1_000_000_000
    var user = Fixture.user(seed: Seed(1))
    user.id = "\(edgeCase)-user"
    var post = Fixture.post(by: user)
    post.id = "\(edgeCase)-post"
    var comment = Fixture.comment(on: post, by: Fixture.user(seed: Seed(2)))
    comment.id = "\(edgeCase)-comment"
    (self.user, self.post, self.comment) = (user, post, comment)
    settings = UserSettings(
      userId: user.id, emailNotifications: true, timezone: "UTC", language: "en", privacyLevel: "public",
      createdAt: user.createdAt, updatedAt: user.createdAt)
    something = Something(
      id: number, userId: user.id, content: "Something", contentType: "text",
      createdAt: Timestamp(seconds: user.createdAt), updatedAt: Timestamp(seconds: user.createdAt))
    uploadID = "\(edgeCase)-upload"
  }
}
