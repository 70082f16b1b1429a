import NovaCapture
import NovaContent
public import NovaCore
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
    self.rpc = rpc.descriptor
    self.request = request
    self.response = response
    self.form = form
    self.breakingReason = breakingReason
  }
}

// Responses that determine their request.
extension EdgeCaseAnswer {
  static func profile(_ profile: UserProfile, form: Form = .complete) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      UserRPC.getUserProfile, GetUserProfileRequest(userId: profile.id),
      response: GetUserProfileResponse(profile: profile),
      form: form)
  }

  static func settings(_ settings: UserSettings) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      UserRPC.getUserSettings, GetUserSettingsRequest(userId: settings.userId),
      response: GetUserSettingsResponse(settings: settings))
  }

  static func post(_ post: Post, form: Form = .complete, breakingReason: String? = nil) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      ContentRPC.getPost, GetPostRequest(postId: post.id), response: GetPostResponse(post: post, found: true),
      form: form,
      breakingReason: breakingReason)
  }

  static func comment(_ comment: Comment) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      SocialRPC.getComment, GetCommentRequest(commentId: comment.id), response: GetCommentResponse(comment: comment))
  }

  static func something(_ something: Something, form: Form = .complete) -> EdgeCaseAnswer {
    EdgeCaseAnswer(CaptureRPC.getSomething, GetSomethingRequest(id: something.id), response: something, form: form)
  }
}
