import NovaCore
import NovaMedia
import Testing

extension VisibilityTable {
  static let media: [String: VisibilityClass] = [
    "media.StartUpload": .ownOnly, "media.UpdateUploadProgress": .ownOnly, "media.CompleteUpload": .ownOnly,
    "media.CreateVideo": .ownOnly, "media.CreateReel": .ownOnly,
    "media.GetUpload": .shows(
      VisibilityRow("an upload in a post", if: \.showsPost) { try await $0.isUploadFound($0.item.upload) },
      VisibilityRow("an upload in a video", if: \.showsMedia) { try await $0.isUploadFound($0.item.videoUpload) },
      VisibilityRow("an upload in a reel", if: \.showsMedia) { try await $0.isUploadFound($0.item.reelUpload) },
      VisibilityRow("an upload in nothing", if: \.showsOwn) { try await $0.isUploadFound($0.world.hiddenUpload.id) },
      VisibilityRow("an avatar", if: { _ in true }) { try await $0.isUploadFound($0.world.avatar.id) },
      VisibilityRow("a cover", if: \.showsProfile) { try await $0.isUploadFound($0.world.cover.id) }),
    "media.GetVideo": .shows(
      VisibilityRow("found", if: \.showsMedia) {
        try await $0.client.call(MediaRPC.getVideo, .init(videoId: $0.item.video)).found
      }),
    "media.GetUserVideos": .shows(
      VisibilityRow("in the list", if: \.showsMedia) { call in
        let videos = try await call.client.call(MediaRPC.getUserVideos, .init(userId: call.owner)).videos
        return videos.contains { $0.id == call.item.video }
      }),
    "media.GetReel": .shows(
      VisibilityRow("found", if: \.showsMedia) {
        try await $0.client.call(MediaRPC.getReel, .init(reelId: $0.item.reel)).found
      }),
    "media.ListReels": .shows(
      VisibilityRow("in the list", if: \.showsMedia) { call in
        try await call.client.call(MediaRPC.listReels, .init()).reels.contains { $0.id == call.item.reel }
      }),
  ]

  /// The bytes behind the URLs, which no RPC reads.
  static let files = [
    VisibilityRow("the file of a post", if: \.showsPost) { try await $0.isFileFound($0.item.fileURL) },
    VisibilityRow("the file of a video", if: \.showsMedia) {
      try await $0.isFileFound("/media/\($0.item.videoUpload)/a.png")
    },
    VisibilityRow("the file of a reel", if: \.showsMedia) {
      try await $0.isFileFound("/media/\($0.item.reelUpload)/a.png")
    },
    VisibilityRow("a still image", if: \.showsMedia) { try await $0.isFileFound($0.item.thumbnailURL) },
    VisibilityRow("a file that nothing shows", if: \.showsOwn) { try await $0.isFileFound($0.world.hiddenUpload.url) },
    VisibilityRow("an avatar", if: { _ in true }) { try await $0.isFileFound($0.world.avatar.url) },
    VisibilityRow("a cover", if: \.showsProfile) { try await $0.isFileFound($0.world.cover.url) },
  ]
}

extension VisibilityCall {
  fileprivate func isUploadFound(_ id: String) async throws -> Bool {
    try await client.call(MediaRPC.getUpload, .init(uploadId: id)).found
  }

  fileprivate func isFileFound(_ url: String) async throws -> Bool {
    try await isFound { try await MediaService(client: client).bytes(of: url, limit: 1000).collect() }
  }
}
