import NovaCore
import NovaMedia

extension CheckRun {
  /// What is uploaded: small, and nothing that could be mistaken for somebody's.
  private static let file = Array("A check of the contract.\n".utf8)

  private static let start = "a small file"

  mutating func checkMedia(_ me: String) async throws {
    let upload = try await uploadFile()
    let uploadID = upload?.id ?? Facts.unknownID
    try await valid(
      MediaRPC.getUpload, GetUploadRequest(uploadId: uploadID), upload == nil ? "an unknown upload" : "the upload",
      nothing: upload == nil)
    try await checkVideos(me, upload)
    try await checkReels(upload)
  }

  private mutating func uploadFile() async throws -> Upload? {
    guard !isReadOnly, let own = facts.account else { return nil }
    let start = try await valid(
      MediaRPC.startUpload,
      StartUploadRequest(
        userId: own.id, fileName: "nova-contract.txt", fileSize: Int64(Self.file.count), contentType: "text/plain"),
      Self.start)
    let rest = [MediaRPC.updateUploadProgress.descriptor, MediaRPC.completeUpload.descriptor]
    guard let start, let upload = start.upload, !upload.id.isEmpty else {
      skip(rest + [MediaRPC.createReel.descriptor], "no upload could be started")
      return nil
    }
    recorder.leftBehind.append("upload \(upload.id)")
    guard let place = uploadPlace(start.uploadUrl) else {
      skip(rest + [MediaRPC.createReel.descriptor], "the upload's bytes cannot be sent")
      return nil
    }
    try await putBytes(to: place)
    try await valid(
      MediaRPC.updateUploadProgress,
      UpdateUploadProgressRequest(uploadId: upload.id, uploadedSize: Int64(Self.file.count)), "all bytes")
    guard let digest = try? SHA256.digest(of: Self.file) else {
      skip(MediaRPC.completeUpload, "libcrypto cannot be loaded, so that there is no digest")
      return upload
    }
    let complete = CompleteUploadRequest(uploadId: upload.id, sha256: Hexadecimal.encode(digest))
    try await refused(
      MediaRPC.completeUpload,
      CompleteUploadRequest(uploadId: upload.id, sha256: String(repeating: "0", count: 64)), "another digest",
      Refusal(codes: [.failedPrecondition], statuses: [400], accepted: .breaking))
    return try await valid(MediaRPC.completeUpload, complete, "the digest")?.upload ?? upload
  }

  /// Where the bytes may go; nil for what the SDK refuses, too. Nothing is sent there.
  private mutating func uploadPlace(_ url: String) -> UploadPlace? {
    // An absent URL is found as any absent field is.
    guard !url.isEmpty else { return nil }
    let rpc = MediaRPC.startUpload.descriptor
    do { return try UploadPlace(url, gateway: check.baseURL(rpc.service)) } catch {
      recorder.note(
        Finding(
          .outOfRange, .breaking, at: "upload_url",
          expected: "a path on the gateway, or the URL of a storage over https or on this machine",
          found: error.description),
        rpc.id, Self.start)
      return nil
    }
  }

  /// Sends the bytes where the gateway wants them, and holds the answer against the upload that it should be.
  private mutating func putBytes(to place: UploadPlace) async throws {
    let rpc = MediaRPC.startUpload.descriptor
    let size = Self.file.count
    let headers: HTTPHeaders = [
      "Content-Type": "application/octet-stream", "Content-Range": "bytes 0-\(size - 1)/\(size)",
    ]
    let gatewayHeaders = try await request(rpc, .put, "", Self.file).headers
    let request = place.put(
      Self.file, headers: headers, gatewayHeaders: gatewayHeaders, limits: check.options.limits)
    let name = "PUT of its bytes"
    guard let response = try await exchange(rpc, name, request).map(recorder.masked) else { return }
    guard response.status == 200, let json = try? JSONValue(keepingRepeatedNames: response.body) else {
      return recorder.note(
        Finding(.status, .breaking, expected: "status 200 and JSON", found: "status \(response.status)"), rpc.id, name)
    }
    var message = MessageCheck(check.registry, rpc.http)
    message.check(json["upload"] ?? .null, Upload.descriptor, at: "upload")
    for finding in message.findings { recorder.note(finding, rpc.id, name) }
  }

  private mutating func checkVideos(_ me: String, _ upload: Upload?) async throws {
    var video: Video?
    if !isReadOnly, let own = facts.account {
      video = try await valid(
        MediaRPC.createVideo,
        CreateVideoRequest(
          creatorId: own.id, title: "nova-contract", description: "A check of the contract.", visibility: "private",
          uploadId: upload?.url.isEmpty == false ? upload?.id ?? "" : ""), "a video")?.video
      if let video { recorder.leftBehind.append("video \(video.id)") }
    }
    for user in [me] + facts.users.prefix(3).filter({ $0 != me }) {
      let list = try await valid(
        MediaRPC.getUserVideos, GetUserVideosRequest(userId: user, limit: 3), user == me ? "a user" : "another user")
      video = video ?? list?.videos.first
    }
    if let video { try await valid(MediaRPC.getVideo, GetVideoRequest(videoId: video.id), "a video") }
    try await valid(MediaRPC.getVideo, GetVideoRequest(videoId: Facts.unknownID), "an unknown video", nothing: true)
  }

  private mutating func checkReels(_ upload: Upload?) async throws {
    var reel: Reel?
    if !isReadOnly, let own = facts.account, let upload {
      reel = try await valid(
        MediaRPC.createReel,
        CreateReelRequest(
          creatorId: own.id, uploadId: upload.id, caption: "nova-contract", durationSeconds: 1, visibility: "private"),
        "a reel")?.reel
      if let reel { recorder.leftBehind.append("reel \(reel.id)") }
    } else {
      skip(MediaRPC.createReel, "there is no upload of its own")
    }
    let list = try await valid(MediaRPC.listReels, ListReelsRequest(limit: 3), "limit 3")
    if let reel = reel ?? list?.reels.first {
      try await valid(MediaRPC.getReel, GetReelRequest(reelId: reel.id), "a reel")
    }
    try await valid(MediaRPC.getReel, GetReelRequest(reelId: Facts.unknownID), "an unknown reel", nothing: true)
  }
}
