import NovaCapture
import NovaContent
public import NovaCore
import NovaSocial
import NovaUsers

/// A gateway's answer, with its request.
public struct EdgeCaseAnswer: Sendable {
  /// The fields in the answer's JSON.
  public enum Form: Sendable, Hashable {
    /// Every field, as the mock backend writes.
    case complete
    /// Only fields that are not at their defaults, as many gateways write.
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
  /// Why the contract check reports this answer as breaking, though the SDK can read it; nil if it does not.
  public let breakingReason: String?

  init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, _ response: Response, form: Form = .complete,
    breakingReason: String? = nil
  ) {
    self.rpc = rpc.descriptor
    self.request = request
    self.response = response
    self.form = form
    self.breakingReason = breakingReason
  }
}

/// Answers whose request follows from the response.
extension EdgeCaseAnswer {
  static func profile(_ profile: UserProfile, form: Form = .complete) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      UserRPC.getUserProfile, GetUserProfileRequest(userId: profile.id), GetUserProfileResponse(profile: profile),
      form: form)
  }

  static func settings(_ settings: UserSettings) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      UserRPC.getUserSettings, GetUserSettingsRequest(userId: settings.userId),
      GetUserSettingsResponse(settings: settings))
  }

  static func post(_ post: Post, form: Form = .complete, breakingReason: String? = nil) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      ContentRPC.getPost, GetPostRequest(postId: post.id), GetPostResponse(post: post, found: true), form: form,
      breakingReason: breakingReason)
  }

  static func comment(_ comment: Comment) -> EdgeCaseAnswer {
    EdgeCaseAnswer(
      SocialRPC.getComment, GetCommentRequest(commentId: comment.id), GetCommentResponse(comment: comment))
  }

  static func something(_ something: Something, form: Form = .complete) -> EdgeCaseAnswer {
    EdgeCaseAnswer(CaptureRPC.getSomething, GetSomethingRequest(id: something.id), something, form: form)
  }
}
