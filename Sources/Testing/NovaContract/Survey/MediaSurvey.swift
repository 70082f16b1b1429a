import NovaCore
import NovaCrypto
import NovaMedia

extension SurveyRun {
  /// A file that users cannot mistake for their own.
  private static let file = Array("A check of the contract.\n".utf8)

  private static let start = "a small file"

  mutating func checkMedia(_ me: String) async throws {
    let upload = try await uploadFile()
    if let upload {
      try await valid(MediaRPC.getUpload, .init(uploadId: upload.id), as: "the upload")
    } else {
      try await absent(MediaRPC.getUpload, .init(uploadId: unknownID), as: "an unknown upload")
    }
    try await checkVideos(me, upload)
    try await checkReels(upload)
  }

  private mutating func uploadFile() async throws -> Upload? {
    guard let own = writer else { return nil }
    let start = try await valid(
      MediaRPC.startUpload,
      .init(userId: own.id, fileName: "nova-contract.txt", fileSize: Int64(Self.file.count), contentType: "text/plain"),
      as: Self.start)
    guard let start, let upload = start.upload, !upload.id.isEmpty else {
      skip(
        MediaRPC.updateUploadProgress, MediaRPC.completeUpload, MediaRPC.createReel,
        because: "no upload could be started")
      return nil
    }
    leaveBehind("upload \(upload.id)")
    guard try await calls.put(Self.file, to: start.uploadUrl, startedAs: Self.start) else {
      skip(
        MediaRPC.updateUploadProgress, MediaRPC.completeUpload, MediaRPC.createReel,
        because: calls.check.gatewayURL(of: "media") == nil
          ? SurveyCalls.noGateway : "the upload's bytes cannot be sent")
      return nil
    }
    try await valid(
      MediaRPC.updateUploadProgress, .init(uploadId: upload.id, uploadedSize: Int64(Self.file.count)), as: "all bytes")
    guard let digest = try? SHA256.digest(of: Self.file) else {
      skip(MediaRPC.completeUpload, because: "libcrypto cannot be loaded to compute a digest")
      return upload
    }
    let complete = CompleteUploadRequest(uploadId: upload.id, sha256: Hexadecimal.encode(digest))
    try await refused(
      MediaRPC.completeUpload, .init(uploadId: upload.id, sha256: String(repeating: "0", count: 64)),
      as: "another digest", with: .failedPrecondition)
    guard let completed = try await valid(MediaRPC.completeUpload, complete, as: "the digest")?.upload else {
      return upload
    }
    // Fixtures are made of requests and responses of RPCs.
    if !isForFixtures { try await calls.readBack(Self.file, from: completed.url) }
    return completed
  }

  private mutating func checkVideos(_ me: String, _ upload: Upload?) async throws {
    var video: Video?
    if let own = writer {
      video = try await valid(
        MediaRPC.createVideo,
        .init(
          creatorId: own.id, title: "nova-contract", description: "A check of the contract.", visibility: "private",
          uploadId: upload?.url.isEmpty == false ? upload?.id ?? "" : ""), as: "a video")?.video
      if let video { leaveBehind("video \(video.id)") }
      if video?.visibility == "private" { discovered.privateVideo = video?.id }
    }
    for user in discovered.users(from: me, others: 3) {
      let list = try await valid(MediaRPC.getUserVideos, .init(userId: user.id, limit: 3), as: user.name)
      video = video ?? list?.videos.first
    }
    if let video { try await valid(MediaRPC.getVideo, .init(videoId: video.id), as: "a video") }
    try await absent(MediaRPC.getVideo, .init(videoId: unknownID), as: "an unknown video")
  }

  private mutating func checkReels(_ upload: Upload?) async throws {
    var reel: Reel?
    if let own = writer, let upload {
      reel = try await valid(
        MediaRPC.createReel,
        .init(
          creatorId: own.id, uploadId: upload.id, caption: "nova-contract", durationSeconds: 1, visibility: "private"),
        as: "a reel")?.reel
      if let reel { leaveBehind("reel \(reel.id)") }
      if reel?.visibility == "private" { discovered.privateReel = reel?.id }
    } else {
      skip(MediaRPC.createReel, because: "the check has no upload of its own")
    }
    let list = try await valid(MediaRPC.listReels, .init(limit: 3), as: "limit 3")
    if let reel = reel ?? list?.reels.first {
      try await valid(MediaRPC.getReel, .init(reelId: reel.id), as: "a reel")
    }
    try await absent(MediaRPC.getReel, .init(reelId: unknownID), as: "an unknown reel")
  }
}
