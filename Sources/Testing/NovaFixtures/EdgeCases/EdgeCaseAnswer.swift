import NovaCapture
import NovaContent
public import NovaCore
import NovaMedia
import NovaSocial
import NovaUsers

/// A gateway's response with its request.
public struct EdgeCaseAnswer: Sendable {
  /// The fields in the response's JSON.
  public enum Form: Sendable, Hashable {
    /// All fields, as the mock backend writes them.
    case complete
    /// Only fields that differ from their defaults, as many gateways write them.
    case sparse
  }

  /// The RPC.
  public let rpc: RPCDescriptor
  /// The request.
  public let request: any ProtoMessage
  /// The response.
  public let response: any ProtoMessage
  /// The fields in its JSON.
  public let form: Form
  /// The reason why the contract check reports this response as breaking, though the SDK can decode it; nil if it
  /// doesn't.
  public let breakingReason: String?

  init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, response: Response, form: Form = .complete,
    breakingReason: String? = nil
  ) {
    (self.rpc, self.request, self.response) = (rpc.descriptor, request, response)
    (self.form, self.breakingReason) = (form, breakingReason)
  }
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

/// Changes a subject for a response.
typealias Change<Value> = (inout Value) -> Void

// Responses that determine their request.
extension EdgeCaseAnswer {
  static func profile(
    _ profile: UserProfile, form: Form = .complete, _ change: Change<UserProfile> = { _ in }
  ) -> EdgeCaseAnswer {
    let profile = changed(profile, change)
    return EdgeCaseAnswer(
      UserRPC.getUserProfile, .init(userId: profile.id), response: .init(profile: profile), form: form)
  }

  static func settings(_ settings: UserSettings, _ change: Change<UserSettings>) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      UserRPC.getUserSettings, .init(userId: settings.userId), response: .init(settings: changed(settings, change)))
  }

  static func post(
    _ post: Post, form: Form = .complete, breakingReason: String? = nil, _ change: Change<Post> = { _ in }
  ) -> EdgeCaseAnswer {
    let post = changed(post, change)
    return EdgeCaseAnswer(
      ContentRPC.getPost, .init(postId: post.id), response: .init(post: post, found: true), form: form,
      breakingReason: breakingReason)
  }

  static func comment(_ comment: Comment, _ change: Change<Comment>) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      SocialRPC.getComment, .init(commentId: comment.id), response: .init(comment: changed(comment, change)))
  }

  static func something(
    _ something: Something, form: Form = .complete, _ change: Change<Something>
  ) -> EdgeCaseAnswer {
    let something = changed(something, change)
    return EdgeCaseAnswer(CaptureRPC.getSomething, .init(id: something.id), response: something, form: form)
  }

  static func upload(_ upload: Upload) -> EdgeCaseAnswer {
    EdgeCaseAnswer(MediaRPC.getUpload, .init(uploadId: upload.id), response: .init(upload: upload, found: true))
  }

  private static func changed<Value>(_ value: Value, _ change: Change<Value>) -> Value {
    var value = value
    change(&value)
    return value
  }
}
