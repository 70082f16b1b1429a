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

  @Test func followersAndFollowing() async throws {
    try await withMockData {
      let viewModel = UserProfileViewModel(userId: "mock-user-id")
      await viewModel.loadFollowers(userId: "mock-user-id")
      await viewModel.loadFollowing(userId: "mock-user-id")
      #expect(viewModel.followerIds.count == 50)
      #expect(viewModel.followingIds.count == 50)
      #expect(viewModel.totals == [3021, 1500])
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
      let viewModel = UserProfileViewModel(userId: "mock-user-id")
      let social = SocialService()
      await viewModel.likePost(postId: "post-3")
      let isLiked = try await social.checkUserLiked(postId: "post-3", userId: viewModel.currentUserId)
      #expect(isLiked)
      await viewModel.unlikePost(postId: "post-3")
      let isStillLiked = try await social.checkUserLiked(postId: "post-3", userId: viewModel.currentUserId)
      #expect(!isStillLiked)
      #expect(viewModel.errorMessage == nil)
      await viewModel.likePost(postId: "no-such-post")
      #expect(viewModel.errorMessage?.hasPrefix("social.CreateLike: not found") == true)
    }
  }

  @Test func postsByTab() async throws {
    try await withMockData {
      let viewModel = UserProfileViewModel(userId: "mock-user-id")
      try await viewModel.loadContent(for: .posts)
      #expect(viewModel.posts.count == 50)
      #expect(viewModel.posts.allSatisfy { $0.creatorId == "mock-user-id" })
      try await viewModel.loadContent(for: .saved)
      #expect(viewModel.savedPosts.count == 37)
      try await viewModel.loadContent(for: .liked)
      #expect(!viewModel.likedPosts.isEmpty)
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
