import Foundation
import NovaSDK
import Observation

// The integration guide's view model: followers and following, likes, posts by tab, and errors. Above a line that differs from
// the guide's, a comment has the guide's: `// guide:`, or `// guide: -` for a line that the guide does not have.

enum GuideProfileSample {
  // guide: -
  @MainActor @Observable
  // guide: class UserProfileViewModel: ObservableObject {
  final class UserProfileViewModel {
    // guide: @Published var followerIds: [String] = []
    var followerIds: [String] = []
    // guide: @Published var followingIds: [String] = []
    var followingIds: [String] = []
    var posts: [Post] = []
    var savedPosts: [Post] = []
    var likedPosts: [Post] = []
    // guide: @Published var errorMessage: String?
    var errorMessage: String?

    let graphService = GraphService()
    let socialService = SocialService()
    let contentService = ContentService()
    let userId = "mock-user-id"
    let currentUserId = "user-0001"

    func loadFollowers(userId: String) async {
      do {
        let (userIds, totalCount, hasMore) = try await graphService.getFollowers(userId: userId)
        followerIds = userIds
        // guide: -
        _ = (totalCount, hasMore)
      } catch {
        errorMessage = error.localizedDescription
      }
    }

    func loadFollowing(userId: String) async {
      do {
        let (userIds, totalCount, hasMore) = try await graphService.getFollowing(userId: userId)
        followingIds = userIds
        // guide: -
        _ = (totalCount, hasMore)
      } catch {
        errorMessage = error.localizedDescription
      }
    }

    func likePost(postId: String) async {
      do {
        try await socialService.createLike(postId: postId, userId: currentUserId)
        // Reload content to reflect the change
      } catch {
        errorMessage = error.localizedDescription
      }
    }

    func unlikePost(postId: String) async {
      do {
        try await socialService.deleteLike(postId: postId, userId: currentUserId)
        // Reload content to reflect the change
      } catch {
        errorMessage = error.localizedDescription
      }
    }

    // guide: func loadContent(for tab: ContentTab) async {
    func loadContent(for tab: ContentTab) async throws {
      switch tab {
      case .posts:
        let response = try await contentService.getPostsByAuthor(authorId: userId)
        posts = response.posts

      case .saved:
        let response = try await contentService.getUserBookmarks(userId: userId)
        savedPosts = response.posts

      case .liked:
        // guide: // TODO: Need API endpoint for fetching posts liked by a user
        let liked = try await socialService.getUserLikedPosts(userId: userId)
        // guide: likedPosts = []
        likedPosts = try await contentService.getPostsByIds(postIds: liked.postIds)
      }
    }
  }
}
