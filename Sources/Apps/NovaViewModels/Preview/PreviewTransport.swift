import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

/// Responds from a sample: to reads with its content, to writes with success. Writes change nothing.
struct PreviewTransport: HTTPTransport {
  /// The responses by path.
  private let answers: [String: any ProtoMessage]

  init(_ sample: PreviewSample) {
    let posts = sample.posts(of: .posts)
    let saved = sample.posts(of: .saved)
    let liked = sample.posts(of: .liked)
    let isLiked = Dictionary(sample.posts.map { ($0.id, liked.contains($0)) }) { first, _ in first }
    let upload = Upload(id: "preview-upload", userId: sample.profile.id, status: "completed", url: "/preview.jpg")
    var changed = sample.profile
    changed.avatarUrl = changed.avatarUrl ?? upload.url
    let pairs: [(RPCDescriptor, any ProtoMessage)] = [
      (UserRPC.getUserProfile.descriptor, GetUserProfileResponse(profile: sample.profile)),
      (UserRPC.updateUserProfile.descriptor, UpdateUserProfileResponse(profile: changed)),
      (
        GraphRPC.getFollowers.descriptor,
        GetFollowersResponse(userIds: sample.followerIds, totalCount: sample.profile.followerCount)
      ),
      (
        GraphRPC.getFollowing.descriptor,
        GetFollowingResponse(userIds: sample.followingIds, totalCount: sample.profile.followingCount)
      ),
      (ContentRPC.getPostsByAuthor.descriptor, GetPostsByAuthorResponse(posts: posts, totalCount: posts.count)),
      (ContentRPC.getUserBookmarks.descriptor, GetUserBookmarksResponse(posts: saved, total: saved.count)),
      (ContentRPC.getPostsByIds.descriptor, GetPostsByIdsResponse(posts: sample.posts)),
      (
        SocialRPC.getUserLikedPosts.descriptor,
        GetUserLikedPostsResponse(postIds: liked.map(\.id), total: liked.count)
      ),
      (SocialRPC.batchCheckUserLiked.descriptor, BatchCheckUserLikedResponse(results: isLiked)),
      (SocialRPC.batchGetPostStats.descriptor, BatchGetPostStatsResponse(stats: sample.stats)),
      (MediaRPC.startUpload.descriptor, StartUploadResponse(upload: upload, uploadUrl: "/api/v1/media/preview")),
      (MediaRPC.updateUploadProgress.descriptor, UpdateUploadProgressResponse(upload: upload)),
      (MediaRPC.completeUpload.descriptor, CompleteUploadResponse(upload: upload)),
    ]
    answers = Dictionary(pairs.map { ($0.http.path, $1) }) { first, _ in first }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let body = try answers[request.url.path]?.jsonUTF8() ?? Array(#"{"success":true}"#.utf8)
    return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
  }
}
