import Foundation
import NovaSDK
import Observation

// The integration guide's view model: followers and following, likes, posts by tab, and errors. A line that differs from the
// guide's ends in its text there, after `// guide:`; a line that stands for nothing of the guide's, in `// guide: -`.

enum GuideProfileSample {
  @MainActor @Observable  // guide: -
  final class UserProfileViewModel {  // guide: class UserProfileViewModel: ObservableObject {
    var followerIds: [String] = []  // guide: @Published var followerIds: [String] = []
    var followingIds: [String] = []  // guide: @Published var followingIds: [String] = []
    var posts: [Post] = []
    var savedPosts: [Post] = []
    var likedPosts: [Post] = []
    var errorMessage: String?  // guide: @Published var errorMessage: String?

    let graphService = GraphService()
    let socialService = SocialService()
    let contentService = ContentService()
    let userId = "mock-user-id"
    let currentUserId = "user-0001"

    func loadFollowers(userId: String) async {
      do {
        let (userIds, totalCount, hasMore) = try await graphService.getFollowers(userId: userId)
        followerIds = userIds
        _ = (totalCount, hasMore)  // guide: -
      } catch {
        errorMessage = error.localizedDescription
      }
    }

    func loadFollowing(userId: String) async {
      do {
        let (userIds, totalCount, hasMore) = try await graphService.getFollowing(userId: userId)
        followingIds = userIds
        _ = (totalCount, hasMore)  // guide: -
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

    func loadContent(for tab: ContentTab) async throws {  // guide: func loadContent(for tab: ContentTab) async {
      switch tab {
      case .posts:
        let response = try await contentService.getPostsByAuthor(authorId: userId)
        posts = response.posts

      case .saved:
        let response = try await contentService.getUserBookmarks(userId: userId)
        savedPosts = response.posts

      case .liked:
        let liked = try await socialService.getUserLikedPosts(userId: userId)  // guide: // TODO: Need API endpoint for fetching posts liked by a user
        likedPosts = try await contentService.getPostsByIds(postIds: liked.postIds)  // guide: likedPosts = []
      }
    }
  }
}
