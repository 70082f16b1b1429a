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
    var answers: [String: any ProtoMessage] = [:]
    func answer<Request, Response>(_ rpc: RPC<Request, Response>, _ response: Response) {
      answers[rpc.descriptor.http.path] = response
    }
    answer(UserRPC.getUserProfile, GetUserProfileResponse(profile: sample.profile))
    answer(UserRPC.updateUserProfile, UpdateUserProfileResponse(profile: changed))
    answer(
      GraphRPC.getFollowers,
      GetFollowersResponse(userIds: sample.followerIds, totalCount: sample.profile.followerCount))
    answer(
      GraphRPC.getFollowing,
      GetFollowingResponse(userIds: sample.followingIds, totalCount: sample.profile.followingCount))
    answer(ContentRPC.getPostsByAuthor, GetPostsByAuthorResponse(posts: posts, totalCount: posts.count))
    answer(ContentRPC.getUserBookmarks, GetUserBookmarksResponse(posts: saved, total: saved.count))
    answer(ContentRPC.getPostsByIds, GetPostsByIdsResponse(posts: sample.posts))
    answer(SocialRPC.getUserLikedPosts, GetUserLikedPostsResponse(postIds: liked.map(\.id), total: liked.count))
    answer(SocialRPC.batchCheckUserLiked, BatchCheckUserLikedResponse(results: isLiked))
    answer(SocialRPC.batchGetPostStats, BatchGetPostStatsResponse(stats: sample.stats))
    answer(MediaRPC.startUpload, StartUploadResponse(upload: upload, uploadUrl: "/api/v1/media/preview"))
    answer(MediaRPC.updateUploadProgress, UpdateUploadProgressResponse(upload: upload))
    answer(MediaRPC.completeUpload, CompleteUploadResponse(upload: upload))
    self.answers = answers
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let body = try answers[request.url.path]?.jsonUTF8() ?? Array(#"{"success":true}"#.utf8)
    return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body)
  }
}
