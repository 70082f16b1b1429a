import NovaCore
import NovaMedia

extension ContractScenario {
  static let media = [chunks, chunkErrors, image, video, reel]

  private static let chunks = ContractScenario(
    "media.upload", "An upload is started, sent in chunks, completed, and can be had again.", .writes
  ) { run in
    let ada = try await run.user("ada")
    let file = UploadedFile(count: 100_000)
    let upload = try await run.upload(file, of: ada)
    await run.step("progress past the file", fails: .invalidArgument) {
      try await ada.media.updateUploadProgress(uploadId: upload.id, uploadedSize: 100_001)
    }
    await run.step("the first chunk") { try await ada.send(file, 0..<60_000, upload) } holds: { $0.status == 200 }
    await run.step("where it is") { try await ada.media.getUpload(uploadId: upload.id) } holds: {
      $0?.uploadedSize == 60_000 && $0?.status == "uploading"
    }
    await run.step("progress changes nothing now") {
      try await ada.media.updateUploadProgress(uploadId: upload.id, uploadedSize: 10)
    } holds: { $0.uploadedSize == 60_000 }
    await run.step("completed too early", fails: .failedPrecondition) {
      try await ada.media.completeUpload(uploadId: upload.id, sha256: try file.sha256())
    }
    await run.step("the second chunk") { try await ada.send(file, 60_000..<100_000, upload) } holds: { $0.status == 200 }
    await run.step("another file's digest", fails: .failedPrecondition) {
      try await ada.media.completeUpload(uploadId: upload.id, sha256: String(repeating: "0", count: 64))
    }
    for time in ["completed", "completed again"] {
      await run.step(time) {
        try await ada.media.completeUpload(uploadId: upload.id, sha256: try file.sha256())
      } holds: { $0.status == "completed" && $0.uploadedSize == 100_000 && !$0.url.isEmpty }
    }
    await run.step("it stays so") { try await ada.media.getUpload(uploadId: upload.id) } holds: {
      $0?.status == "completed" && $0?.fileName == "file.bin" && $0?.contentType == "application/octet-stream"
    }
  }

  private static let chunkErrors = ContractScenario(
    "media.chunks", "Chunks that do not fit are refused, and nothing of them is stored.", .writes
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let file = UploadedFile(count: 1000)
    let upload = try await run.upload(file, of: ada)
    await run.step("a gap", fails: .conflict) { try await ada.send(file, 500..<1000, upload) }
    await run.step("another digest", fails: .invalidArgument, 422) {
      try await ada.send(file, 0..<500, upload, digestOf: [1, 2, 3])
    }
    await run.step("past the end", fails: .invalidArgument, 413) {
      try await ada.send(UploadedFile(count: 1001), 0..<1001, upload)
    }
    await run.step("no bytes", fails: .invalidArgument) {
      try await ada.send(file, [], headers: ["Content-Range": "bytes 0-0/1000"], to: upload.url)
    }
    await run.step("a range that does not fit", fails: .invalidArgument) {
      try await ada.send(file, file.bytes, headers: ["Content-Range": "bytes 0-9/1000"], to: upload.url)
    }
    await run.step("somebody else's upload", fails: .permissionDenied) { try await bea.send(file, 0..<500, upload) }
    await run.step("nothing is stored") {
      try await ada.media.getUpload(uploadId: upload.id)
    } holds: { $0?.uploadedSize == 0 }
    await run.step("a chunk") { try await ada.send(file, 0..<500, upload) } holds: { $0.status == 200 }
    await run.step("the same chunk again", fails: .conflict) { try await ada.send(file, 0..<500, upload) }
    for (name, size, fileName) in [
      ("no size", 0, "a"), ("a size below 0", -1, "a"), ("no name", 1, ""), ("a folder", 1, "a/b"),
      ("a name of 256 bytes", 1, String(repeating: "a", count: 256)),
    ] {
      await run.step(name, fails: .invalidArgument) {
        try await ada.unchecked.media.startUpload(userId: ada.id, fileName: fileName, fileSize: Int64(size))
      }
    }
    let missing = run.missing(1)[0]
    await run.step("no upload") { try await ada.media.getUpload(uploadId: missing) } holds: { $0 == nil }
    await run.step("no upload to complete", fails: .notFound) {
      try await ada.media.completeUpload(uploadId: missing, sha256: try file.sha256())
    }
    await run.step("no upload's progress", fails: .notFound) {
      try await ada.media.updateUploadProgress(uploadId: missing, uploadedSize: 0)
    }
  }

  private static let image = ContractScenario(
    "media.image", "An image is uploaded in one call.", .writes
  ) { run in
    let ada = try await run.user("ada")
    await run.step("uploadImage") { () -> [String: String] in
      let url = try await ada.media.uploadImage(
        image: UploadedFile(count: 5000).bytes, userId: ada.id, contentType: "image/png", fileName: "cat.png")
      // Nothing tells the upload's id, which is in the path; the name is what stays.
      return ["url": String(url.split(separator: "/").last ?? "")]
    } holds: { $0["url"] != "" }
    await run.step("an empty image") {
      do {
        return try await ada.media.uploadImage(image: [], userId: ada.id)
      } catch APIError.invalidArgument {
        return "refused before anything is sent"
      }
    }
  }

  private static let video = ContractScenario(
    "media.video", "A video is made of a completed upload, or as a draft of none.", .writes
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let file = UploadedFile(count: 600)
    let open = try await run.upload(file, of: ada)
    await run.step("of an upload under way", fails: .failedPrecondition) {
      try await ada.media.createVideo(creatorId: ada.id, title: "Too early", uploadId: open.id)
    }
    let upload = try await run.completedUpload(file, of: ada)
    let made = try await run.need("of a completed one") {
      try await ada.media.createVideo(
        creatorId: ada.id, title: "A title", description: "About it.", visibility: "public", uploadId: upload)
    } holds: { $0.creatorId == ada.id && $0.title == "A title" && !$0.cdnUrl.isEmpty }
    let draft = try await run.need("of none") {
      try await ada.media.createVideo(creatorId: ada.id, title: "A draft")
    } holds: { $0.cdnUrl.isEmpty }
    await run.step("it is there") { try await bea.media.getVideo(videoId: made.id) } holds: { $0 == made }
    await run.step("both, newest first") {
      try await bea.media.getUserVideos(userId: ada.id)
    } holds: { $0.map(\.id) == [draft.id, made.id] }
    await run.step("the newest") {
      try await bea.media.getUserVideos(userId: ada.id, limit: 1)
    } holds: { $0.map(\.id) == [draft.id] }
    await run.step("of another's upload", fails: .failedPrecondition) {
      try await bea.media.createVideo(creatorId: bea.id, title: "Mine?", uploadId: upload)
    }
    await run.step("of no upload", fails: .notFound) {
      try await ada.media.createVideo(creatorId: ada.id, title: "Of what?", uploadId: run.missing(1)[0])
    }
    await run.step("no video") { try await ada.media.getVideo(videoId: run.missing(1)[0]) } holds: { $0 == nil }
  }

  private static let reel = ContractScenario(
    "media.reel", "A reel is made of a completed upload; its processing goes forward only.", .writes
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let upload = try await run.completedUpload(UploadedFile(count: 700), of: ada)
    let reel = try await ada.media.createReel(
      creatorId: ada.id, uploadId: upload, caption: "Bread", musicTitle: "Song", musicArtist: "Band",
      durationSeconds: 12, allowComments: true, allowShares: false, coverImageUrl: "https://cdn.example/c.jpg")
    await run.step("made") { reel.withoutProgress } holds: {
      $0.creatorId == ada.id && $0.uploadId == upload && $0.durationSeconds == 12 && $0.allowComments && !$0.allowShares
    }
    let later = try await bea.media.getReel(reelId: reel.id) ?? Reel()
    await run.step("it is there") { later.withoutProgress } holds: { $0 == reel.withoutProgress }
    await run.step("its processing is plausible") { [reel, later].map(\.isPlausible) } holds: { $0 == [true, true] }
    await run.step("and does not go back") { later.processingProgress >= reel.processingProgress } holds: { $0 }
    await run.step("among the newest") {
      try await bea.media.listReels(limit: 100).filter { $0.creatorId == ada.id }.map(\.id)
    } holds: { $0 == [reel.id] }
    await run.step("of another's upload", fails: .failedPrecondition) {
      try await bea.media.createReel(creatorId: bea.id, uploadId: upload)
    }
    await run.step("of no upload", fails: .notFound) {
      try await ada.media.createReel(creatorId: ada.id, uploadId: run.missing(1)[0])
    }
    await run.step("of less than no time", fails: .invalidArgument) {
      try await ada.media.createReel(creatorId: ada.id, uploadId: upload, durationSeconds: -1)
    }
    await run.step("no reel") { try await ada.media.getReel(reelId: run.missing(1)[0]) } holds: { $0 == nil }
  }
}

extension Reel {
  /// What does not depend on how long ago the reel was made.
  fileprivate var withoutProgress: Reel {
    var reel = self
    (reel.status, reel.processingStage, reel.processingProgress) = ("", "", 0)
    (reel.publishedAt, reel.updatedAt) = (0, 0)
    (reel.variants, reel.transcodeJobs) = ([], [])
    return reel
  }

  /// Whether what does depend on it goes together.
  fileprivate var isPlausible: Bool {
    let isPublished = status == "published"
    return (isPublished || status == "processing") && (0...100).contains(processingProgress)
      && (publishedAt != 0) == isPublished && updatedAt >= createdAt && failedAt == 0
      && variants.filter(\.isDefault).count <= 1
      && transcodeJobs.allSatisfy { (0...100).contains($0.progress) }
  }
}
