import NovaSDK

/// The guide's tabs.
enum ContentTab { case posts, saved, liked }

/// The guide's view model without SwiftUI: its methods have the guide's bodies.
@MainActor final class UserProfileViewModel {
  let userId: String
  let currentUserId = "user-0001"
  var followerIds: [String] = []
  var followingIds: [String] = []
  var totals: [Int] = []
  var posts: [Post] = []
  var savedPosts: [Post] = []
  var likedPosts: [Post] = []
  var errorMessage: String?

  private let graphService = GraphService()
  private let socialService = SocialService()
  private let contentService = ContentService()

  init(userId: String) { self.userId = userId }

  func loadFollowers(userId: String) async {
    do {
      let (userIds, totalCount, hasMore) = try await graphService.getFollowers(userId: userId)
      followerIds = userIds
      if hasMore { totals.append(totalCount) }
    } catch {
      errorMessage = "\(error)"
    }
  }

  func loadFollowing(userId: String) async {
    do {
      let (userIds, totalCount, hasMore) = try await graphService.getFollowing(userId: userId)
      followingIds = userIds
      if hasMore { totals.append(totalCount) }
    } catch {
      errorMessage = "\(error)"
    }
  }

  func likePost(postId: String) async {
    do {
      try await socialService.createLike(postId: postId, userId: currentUserId)
    } catch {
      errorMessage = "\(error)"
    }
  }

  func unlikePost(postId: String) async {
    do {
      try await socialService.deleteLike(postId: postId, userId: currentUserId)
    } catch {
      errorMessage = "\(error)"
    }
  }

  func loadContent(for tab: ContentTab) async throws {
    switch tab {
    case .posts:
      let response = try await contentService.getPostsByAuthor(authorId: userId)
      posts = response.posts

    case .saved:
      let response = try await contentService.getUserBookmarks(userId: userId)
      savedPosts = response.posts

    case .liked:
      // What the guide leaves to do.
      let response = try await socialService.getUserLikedPosts(userId: userId)
      likedPosts = try await contentService.getPostsByIds(postIds: response.postIds)
    }
  }
}
