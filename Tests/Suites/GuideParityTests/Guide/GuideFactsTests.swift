import Foundation
import NovaSDK
import Testing

/// What the guide states: names, addresses, models and answers.
@Suite struct GuideFactsTests {
  @Test func endpoints() {
    #expect(APIConfig.Graph.followers == "/api/v1/graph/followers")
    #expect(APIConfig.Graph.following == "/api/v1/graph/following")
    #expect(APIConfig.Graph.follow == "/api/v1/graph/follow")
    #expect(APIConfig.Graph.unfollow == "/api/v1/graph/unfollow")
    #expect(APIConfig.Social.createLike == "/api/v1/social/like")
    #expect(APIConfig.Social.deleteLike == "/api/v1/social/unlike")
    #expect(APIConfig.Social.getLikes == "/api/v1/social/likes")
    #expect(APIConfig.Social.createComment == "/api/v1/social/comment")
    #expect(APIConfig.Social.getComments == "/api/v1/social/comments")
    #expect(APIConfig.Content.postsByAuthor == "/api/v1/content/posts/author")
    #expect(APIConfig.Content.bookmarks == "/api/v1/content/bookmarks")
    #expect(APIConfig.Content.createPost == "/api/v1/content/post/create")
    #expect(APIConfig.Media.uploadStart == "/api/v1/media/upload/start")
    #expect(APIConfig.Media.uploadStart == MediaRPC.startUpload.descriptor.http.path)
  }

  @Test(arguments: [
    (APIEnvironment.development, "http://localhost:8080"), (.staging, "https://staging-api.nova.social"),
    (.production, "https://api.nova.social"),
  ])
  func environments(_ environment: APIEnvironment, _ url: String) throws {
    #expect(try APIConfiguration(ConfigurationOverrides(environment: environment)).baseURL.text == url)
  }

  @Test func models() throws {
    let profile = UserProfile(id: "u", username: "bruce_li", followerCount: 3021, followingCount: 1500, postCount: 245)
    let optionals: [String?] = [
      profile.email, profile.displayName, profile.bio, profile.avatarUrl, profile.coverUrl, profile.location,
    ]
    let counts: [Int] = [profile.followerCount, profile.followingCount, profile.postCount]
    #expect(optionals.allSatisfy { $0 == nil })
    #expect(counts == [3021, 1500, 245])
    #expect(try JSONDecoder().decode(UserProfile.self, from: JSONEncoder().encode(profile)) == profile)
  }

  @Test func followersAnswer() throws {
    let json = #"{"user_ids": ["user-uuid-1", "user-uuid-2"], "total_count": 3021, "has_more": true}"#
    let expected = GetFollowersResponse(userIds: ["user-uuid-1", "user-uuid-2"], totalCount: 3021, hasMore: true)
    #expect(try GetFollowersResponse(jsonUTF8: Array(json.utf8)) == expected)
    #expect(try JSONDecoder().decode(GetFollowersResponse.self, from: Data(json.utf8)) == expected)
  }

  @Test func postsAnswer() throws {
    let json = """
      {"posts": [{"id": "post-uuid", "creator_id": "user-uuid", "content": "Post content...",
      "created_at": 1234567890, "updated_at": 1234567890}], "total_count": 245}
      """
    let post = Post(
      id: "post-uuid", creatorId: "user-uuid", content: "Post content...", createdAt: 1_234_567_890,
      updatedAt: 1_234_567_890)
    let expected = GetPostsByAuthorResponse(posts: [post], totalCount: 245)
    #expect(try GetPostsByAuthorResponse(jsonUTF8: Array(json.utf8)) == expected)
    #expect(try JSONDecoder().decode(GetPostsByAuthorResponse.self, from: Data(json.utf8)) == expected)
  }

  @Test func likeAnswer() throws {
    let json = #"{"success": true}"#
    #expect(try CreateLikeResponse(jsonUTF8: Array(json.utf8)) == CreateLikeResponse(success: true))
  }

  /// The guide's error cases, by their codes and with their values; see APIErrorKindTests for all.
  @Test func errors() {
    let codes: [APIError.Code] = [
      APIError.invalidURL, APIError.invalidResponse, APIError.networkError, APIError.decodingError,
      APIError.serverError, APIError.unauthorized, APIError.notFound,
    ]
    #expect(Set(codes).count == 7)
    let error: any Error = APIError(.serverError, "it failed", httpStatus: 500)
    #expect((error as? APIError)?.httpStatus == 500)
  }
}
