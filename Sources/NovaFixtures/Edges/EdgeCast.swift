import NovaCapture
import NovaContent
import NovaCore
import NovaSocial
import NovaUsers

/// The people and things that an edge is made of. Their ids have the edge's name in them.
struct EdgeCast {
  let user: UserProfile
  let post: Post
  let comment: Comment
  let settings: UserSettings
  let something: Something
  let uploadID: String

  init(_ edge: String) {
    // What has no letters in its id has a number that no world reaches.
    let number = edge.utf8.reduce(0) { ($0 &* 31 &+ Int64($1)) & 0xFF_FFFF } + 1_000_000_000
    let made = EdgeCast.with(Fixture.user(seed: Seed(1))) { $0.id = "\(edge)-user" }
    user = made
    post = EdgeCast.with(Fixture.post(by: made)) { $0.id = "\(edge)-post" }
    comment = EdgeCast.with(Fixture.comment(on: post, by: Fixture.user(seed: Seed(2)))) { $0.id = "\(edge)-comment" }
    settings = UserSettings(
      userId: made.id, emailNotifications: true, timezone: "UTC", language: "en", privacyLevel: "public",
      createdAt: made.createdAt, updatedAt: made.createdAt)
    something = Something(
      id: number, userId: made.id, content: "Something", contentType: "text",
      createdAt: Timestamp(seconds: made.createdAt), updatedAt: Timestamp(seconds: made.createdAt))
    uploadID = "\(edge)-upload"
  }

  static func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }
}
