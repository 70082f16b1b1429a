import NovaCapture
import NovaContent
import NovaCore
import NovaSocial
import NovaUsers

/// Answers about one thing, whose request follows from it.
extension EdgeAnswer {
  static func profile(_ profile: UserProfile, form: Form = .complete) -> EdgeAnswer {
    EdgeAnswer(
      UserRPC.getUserProfile, GetUserProfileRequest(userId: profile.id), GetUserProfileResponse(profile: profile),
      form: form)
  }

  static func settings(_ settings: UserSettings) -> EdgeAnswer {
    EdgeAnswer(
      UserRPC.getUserSettings, GetUserSettingsRequest(userId: settings.userId),
      GetUserSettingsResponse(settings: settings))
  }

  static func post(_ post: Post, form: Form = .complete, isBreakingBecause: String? = nil) -> EdgeAnswer {
    EdgeAnswer(
      ContentRPC.getPost, GetPostRequest(postId: post.id), GetPostResponse(post: post, found: true), form: form,
      isBreakingBecause: isBreakingBecause)
  }

  static func comment(_ comment: Comment) -> EdgeAnswer {
    EdgeAnswer(
      SocialRPC.getComment, GetCommentRequest(commentId: comment.id), GetCommentResponse(comment: comment))
  }

  static func something(_ something: Something, form: Form = .complete) -> EdgeAnswer {
    EdgeAnswer(CaptureRPC.getSomething, GetSomethingRequest(id: something.id), something, form: form)
  }
}
