import NovaContent
import NovaCore
import NovaGraph

extension Kernel {
  static let codecs: [Kernel] = [
    plain("decode-1000-posts") { try decoding(posts(1000)) },
    plain("decode-20-posts") { try decoding(posts(20)) },
    plain("decode-1000-ids") { try decoding(followers(1000)) },
    plain("encode-1000-posts") { encoding(posts(1000)) },
    plain("encode-request") { encoding(followersRequest) },
  ]

  static let followersRequest = GetFollowersRequest(userId: "9f8b6c1e-4d2a-4b7e-8c3d-100000000000", limit: 20)

  /// A page of a user's followers.
  static func followers(_ count: Int) -> GetFollowersResponse {
    GetFollowersResponse(
      userIds: (0..<count).map { "9f8b6c1e-4d2a-4b7e-8c3d-\(100_000_000_000 + $0)" }, totalCount: 3021, hasMore: true)
  }

  private static func decoding<Message: ProtoMessage>(_ message: Message) throws -> () throws -> Void {
    let json = try message.jsonUTF8()
    return {
      let decoded = try Message(jsonUTF8: json)
      withExtendedLifetime(decoded) {}
    }
  }

  private static func encoding<Message: ProtoMessage>(_ message: Message) -> () throws -> Void {
    {
      let json = try message.jsonUTF8()
      precondition(!json.isEmpty)
    }
  }

  static func posts(_ count: Int) -> GetPostsByAuthorResponse {
    GetPostsByAuthorResponse(
      posts: (0..<count).map { index in
        Post(
          id: "post-\(index)", creatorId: "user-\(index % 50)",
          content: "Post number \(index): a walk along the river with \"friends\", and coffee afterwards.",
          createdAt: 1_700_000_000 + Int64(index), updatedAt: 1_700_000_100 + Int64(index),
          title: "Title \(index)", privacy: "public", status: "published",
          mediaIds: index % 3 == 0 ? ["media-\(index)"] : [])
      }, totalCount: 245, hasMore: true)
  }
}
