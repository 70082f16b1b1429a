import NovaAuth
import NovaContent
import NovaCore
import NovaCrypto
import NovaGraph
import NovaMedia
import NovaMock
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// A backend with a user who has a post, an upload, a video, and a reel of every kind, and with someone of every relation
/// to that user. Each call finds it as it was.
final class VisibilityWorld: Sendable {
  /// One thing of each kind.
  struct Item: Sendable {
    var post = ""
    var upload = ""
    var fileURL = ""
    var comment = ""
    /// The comments of those who ask, by their ids.
    var comments: [String: String] = [:]
    var video = ""
    var videoUpload = ""
    var thumbnailURL = ""
    var reel = ""
    var reelUpload = ""
  }

  static let file: [UInt8] = [1, 2, 3]

  let owner: String
  /// A private user who follows the owner, and none of those who ask.
  let hermit: String
  let ids: [ViewerRelation: String]
  let items: [String: Item]
  /// The file of the owner that nothing shows, and those of the owner's avatar and cover.
  let hiddenUpload: Upload
  let avatar: Upload
  let cover: Upload
  /// The position before the first event.
  let beginning: String
  private let mock: MockCaller
  private let snapshot: MockSnapshot
  private let clients: [ViewerRelation: APIClient]

  static func key(_ privacy: String, _ status: String) -> String { "\(privacy), \(status)" }

  func item(_ item: VisibilityCase) throws -> Item {
    try #require(items[Self.key(item.privacy, item.status)])
  }

  func client(_ relation: ViewerRelation) throws -> APIClient { try #require(clients[relation]) }

  /// The id of the user who asks; without a token, that of a stranger.
  func id(_ relation: ViewerRelation) -> String { ids[relation] ?? ids[.stranger] ?? "" }

  func restore() { mock.backend.restore(snapshot) }

  /// Lets an event of each post happen: a restored backend has no history.
  ///
  /// - Returns: the position before them.
  func touchPosts() throws -> String {
    let position = mock.backend.eventPosition
    for item in items.values {
      _ = try mock.call(ContentRPC.updatePost, UpdatePostRequest(postId: item.post, content: "touched"))
    }
    return position
  }

  init(isPrivateAccount: Bool) throws {
    let mock = MockCaller()
    self.mock = mock
    beginning = "\(mock.backend.eventPosition.prefix { $0 != ":" }):0"
    var (ids, clients) = ([ViewerRelation: String](), [ViewerRelation: APIClient]())
    func register(_ name: String) throws -> RegisterResponse {
      try mock.call(
        AuthRPC.register,
        RegisterRequest(email: "\(name)@nova.example", username: "the_\(name)", password: "a-password"))
    }
    for relation in ViewerRelation.allCases {
      if relation == .noToken {
        clients[relation] = try APIClient.test(MockTransport(mock.backend), token: nil)
      } else {
        let account = try register(relation.rawValue)
        ids[relation] = account.userId
        clients[relation] = try APIClient.test(MockTransport(mock.backend), token: account.token)
      }
    }
    (self.ids, self.clients) = (ids, clients)
    let owner = ids[.oneself] ?? ""
    self.owner = owner
    hermit = try register("hermit").userId
    let (other, idol) = (ids[.follower] ?? "", try register("idol").userId)
    for (follower, followee) in [(other, owner), (hermit, owner), (owner, other), (other, idol)] {
      _ = try mock.call(GraphRPC.createFollow, .init(followerId: follower, followeeId: followee))
    }
    _ = try mock.call(GraphRPC.createBlock, .init(blockerId: owner, blockedId: ids[.blocked] ?? ""))
    _ = try mock.call(GraphRPC.createBlock, .init(blockerId: ids[.blocking] ?? "", blockedId: owner))

    let builder = ItemBuilder(mock: mock, owner: owner, others: ids.values.sorted())
    hiddenUpload = try builder.upload()
    (avatar, cover) = (try builder.upload(), try builder.upload())
    var items: [String: Item] = [:]
    for privacy in VisibilityCase.privacies {
      let media = try builder.media(visibility: privacy)
      for status in VisibilityCase.statuses {
        items[Self.key(privacy, status)] = try builder.item(privacy: privacy, status: status, media: media)
      }
    }
    self.items = items
    _ = try mock.call(
      UserRPC.updateUserProfile,
      .init(
        userId: owner, displayName: "Owner", bio: "Bakes.", avatarUrl: avatar.url,
        coverUrl: "http://localhost:8080\(cover.url)", website: "https://owner.example", location: "Lisbon",
        isPrivate: isPrivateAccount))
    _ = try mock.call(UserRPC.updateUserProfile, .init(userId: hermit, isPrivate: true))
    snapshot = mock.backend.snapshot()
  }
}

/// Builds the items of a world, without tokens.
private struct ItemBuilder {
  let mock: MockCaller
  let owner: String
  let others: [String]

  func upload() throws -> Upload {
    let start = try mock.call(
      MediaRPC.startUpload, .init(userId: owner, fileName: "a.png", fileSize: 3, contentType: "image/png"))
    try #require(mock.put(VisibilityWorld.file, to: start.uploadUrl, range: nil, digest: nil).status == 200)
    return try mock.complete(start.upload?.id ?? "", VisibilityWorld.file)
  }

  func media(visibility: String) throws -> VisibilityWorld.Item {
    var item = VisibilityWorld.Item()
    (item.videoUpload, item.reelUpload) = (try upload().id, try upload().id)
    let video = try mock.call(
      MediaRPC.createVideo, .init(creatorId: owner, title: "v", visibility: visibility, uploadId: item.videoUpload))
    (item.video, item.thumbnailURL) = (video.video?.id ?? "", video.video?.thumbnailUrl ?? "")
    let reel = CreateReelRequest(creatorId: owner, uploadId: item.reelUpload, visibility: visibility)
    item.reel = try mock.call(MediaRPC.createReel, reel).reel?.id ?? ""
    return item
  }

  func item(privacy: String, status: String, media: VisibilityWorld.Item) throws -> VisibilityWorld.Item {
    var item = media
    let upload = try upload()
    (item.upload, item.fileURL) = (upload.id, upload.url)
    let post = CreatePostRequest(
      creatorId: owner, content: "p", privacy: privacy, status: status, mediaIds: [upload.id])
    item.post = try mock.call(ContentRPC.createPost, post).post?.id ?? ""
    func comment(_ user: String) throws -> String {
      let request = CreateCommentRequest(postId: item.post, userId: user, content: "c")
      return try mock.call(SocialRPC.createComment, request).comment?.id ?? ""
    }
    item.comment = try comment(owner)
    for user in others {
      if user != owner { item.comments[user] = try comment(user) } else { item.comments[user] = item.comment }
      _ = try mock.call(SocialRPC.createLike, .init(userId: user, postId: item.post))
      _ = try mock.call(SocialRPC.createShare, .init(userId: user, postId: item.post))
      _ = try mock.call(ContentRPC.createBookmark, .init(userId: user, postId: item.post))
    }
    return item
  }
}
