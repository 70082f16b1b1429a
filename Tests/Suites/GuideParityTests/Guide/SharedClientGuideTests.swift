import NovaSDK
import NovaTestSupport
import Testing

/// What the guide does with the shared client.
@MainActor @Suite(.serialized) struct SharedClientGuideTests {
  private func withMockData(_ body: @MainActor @Sendable () async throws -> Void) async throws {
    try await SharedClientTurn.run {
      let before = APIFeatureFlags.enableMockData
      defer {
        APIFeatureFlags.enableMockData = before
        APIClient.shared.setAuthToken(nil)
      }
      APIFeatureFlags.enableMockData = true
      try await body()
    }
  }

  /// The shipped view model does what the guide's does.
  @Test func followersAndFollowing() async throws {
    try await withMockData {
      let viewModel = UserProfileViewModel(nova: .shared)
      await viewModel.loadFollowers(userId: "mock-user-id")
      await viewModel.loadFollowing(userId: "mock-user-id")
      #expect(viewModel.followerIds.count == 50)
      #expect(viewModel.followingIds.count == 50)
      #expect(viewModel.errorMessage == nil)
    }
  }

  @Test func requestLoggingCanBeTurnedOnAndOff() async throws {
    try await withMockData {
      let before = APIFeatureFlags.enableRequestLogging
      defer { APIFeatureFlags.enableRequestLogging = before }
      for isEnabled in [true, false] {
        APIFeatureFlags.enableRequestLogging = isEnabled
        #expect(APIFeatureFlags.enableRequestLogging == isEnabled)
        let count = try await SocialService().getLikeCount(postId: "post-1")
        #expect(count >= 0)
      }
    }
  }

  @Test func likingAndUnliking() async throws {
    try await withMockData {
      let viewModel = UserProfileViewModel(nova: .shared, currentUserId: "user-0001")
      let social = SocialService()
      await viewModel.likePost(postId: "post-3")
      #expect(viewModel.isLiked("post-3"))
      let isLiked = try await social.checkUserLiked(postId: "post-3", userId: "user-0001")
      #expect(isLiked)
      await viewModel.unlikePost(postId: "post-3")
      let isStillLiked = try await social.checkUserLiked(postId: "post-3", userId: "user-0001")
      #expect(!isStillLiked)
      #expect(viewModel.errorMessage == nil)
      await viewModel.likePost(postId: "no-such-post")
      #expect(viewModel.errorMessage == "The like was not saved. This no longer exists.")
    }
  }

  @Test func postsByTab() async throws {
    try await withMockData {
      let viewModel = UserProfileViewModel(nova: .shared)
      await viewModel.loadUserProfile(userId: "mock-user-id")
      #expect(viewModel.posts.count == 50)
      #expect(viewModel.posts.allSatisfy { $0.creatorId == "mock-user-id" })
      #expect(viewModel.savedPosts.count == 37)
      await viewModel.loadContent(for: .liked)
      #expect(!viewModel.likedPosts.isEmpty)
      #expect(viewModel.userProfile?.username == "bruce_li")
      #expect(viewModel.errorMessage == nil)
    }
  }

  @Test func tokens() async throws {
    try await withMockData {
      let token = try await AuthService().login(email: "bruce@nova.social", password: "mock-password").token
      APIClient.shared.setAuthToken(token)
      #expect(try await GraphService().getFollowers(userId: "mock-user-id").totalCount == 3021)

      APIClient.shared.setAuthToken("expired-or-invalid")
      var isSignedOut = false
      do {
        _ = try await GraphService().getFollowers(userId: "mock-user-id")
      } catch APIError.unauthorized {
        isSignedOut = true
      }
      #expect(isSignedOut)
    }
  }
}
