import NovaContent
import NovaCore
import NovaSocial
import NovaTestSupport
import Testing

@testable import NovaMock

/// Does random things to a backend and to the model, and compares how each went.
struct SocialSteps {
  let session: MockSession
  var model = SocialModel()
  var generator: SeededGenerator
  let users = (1...7).map { "u\($0)" }

  init(seed: UInt64) throws {
    session = try MockSession()
    generator = SeededGenerator(seed: seed)
  }

  mutating func step() async throws {
    // Often the same second: order must not depend on the time alone.
    if generator.next(below: 3) == 0 { session.advance() }
    switch generator.next(below: 100) {
    case 0..<12: try await createPost()
    case 12..<18: await updatePost()
    case 18..<22: await deletePost()
    case 22..<40: await like()
    case 40..<48: await unlike()
    case 48..<62: await comment()
    case 62..<68: await updateComment()
    case 68..<72: await deleteComment()
    case 72..<77: await share()
    case 77..<85: await bookmark()
    case 85..<95: await follow()
    default: await hide()
    }
  }

  // MARK: Choosing

  mutating func user() -> String { users[generator.next(below: users.count)] }

  /// A post's id: mostly one that is there, now and then one that is gone or never was.
  mutating func postID() -> String {
    if generator.next(below: 10) > 0, !model.posts.isEmpty {
      return model.posts[generator.next(below: model.posts.count)].id
    }
    return "post-\(1 + generator.next(below: model.postCount + 2))"
  }

  mutating func commentID() -> String { "comment-\(1 + generator.next(below: model.commentCount + 2))" }

  mutating func pair() -> SocialModel.Pair { SocialModel.Pair(user: user(), other: postID()) }

  /// Compares how a call went, and does the same to the model if it went well.
  mutating func expect(
    _ expected: APIError.Code?, _ call: () async throws -> some Any,
    then change: (inout SocialModel) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let actual = await code(call)
    #expect(actual == expected, sourceLocation: sourceLocation)
    if actual == nil { change(&model) }
  }

  func missing(_ post: String) -> APIError.Code? { model.post(post) == nil ? .notFound : nil }
}
