import NovaCore
import NovaMedia

extension ContractScenario {
  static let uploads = [chunks, chunkErrors, reading, image]
  static let videos = [video, reel]

  private static let chunks = ContractScenario(
    "media.upload", summary: "An upload is started, sent in chunks, completed, and read."
  ) { run in
    let ada = try await run.user("ada")
    let file = UploadedFile(count: 4000)
    let upload = try await run.upload(file, of: ada)
    await run.step("progress past the file", fails: .invalidArgument) {
      try await ada.media.updateUploadProgress(uploadId: upload.id, uploadedSize: 4001)
    }
    await run.step("the first chunk") { try await ada.send(0..<2500, of: file, to: upload) }.expect { $0.status == 200 }
    await run.step("where it is") { try await ada.media.getUpload(uploadId: upload.id) }
      .expect { $0?.uploadedSize == 2500 && $0?.status == "uploading" }
    await run.step("progress changes nothing now") {
      try await ada.media.updateUploadProgress(uploadId: upload.id, uploadedSize: 10)
    }.expect { $0.uploadedSize == 2500 }
    await run.step("completed too early", fails: .failedPrecondition) {
      try await ada.media.completeUpload(uploadId: upload.id, sha256: try file.sha256())
    }
    await run.step("the second chunk") { try await ada.send(2500..<4000, of: file, to: upload) }.expect {
      $0.status == 200
    }
    await run.step("another file's digest", fails: .failedPrecondition) {
      try await ada.media.completeUpload(uploadId: upload.id, sha256: String(repeating: "0", count: 64))
    }
    for time in ["completed", "completed again"] {
      await run.step(time) { try await ada.media.completeUpload(uploadId: upload.id, sha256: try file.sha256()) }
        .expect { $0.status == "completed" && $0.uploadedSize == 4000 && !$0.url.isEmpty }
    }
    await run.step("it stays so") { try await ada.media.getUpload(uploadId: upload.id) }
      .expect {
        $0?.status == "completed" && $0?.fileName == "file.bin" && $0?.contentType == "application/octet-stream"
      }
  }

  private static let chunkErrors = ContractScenario(
    "media.chunks", summary: "Chunks that do not fit are refused, and none of their bytes are stored."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let file = UploadedFile(count: 1000)
    let upload = try await run.upload(file, of: ada)
    await run.step("a gap", fails: .conflict) { try await ada.send(500..<1000, of: file, to: upload) }
    await run.step("another digest", fails: .invalidArgument, status: 422) {
      try await ada.send(0..<500, of: file, to: upload, digestOf: [1, 2, 3])
    }
    await run.step("past the end", fails: .invalidArgument, status: 413) {
      try await ada.send(0..<1001, of: UploadedFile(count: 1001), to: upload)
    }
    await run.step("no bytes", fails: .invalidArgument) {
      try await ada.send([], headers: ["Content-Range": "bytes 0-0/1000"], to: upload.url)
    }
    await run.step("a range that does not fit", fails: .invalidArgument) {
      try await ada.send(file.bytes, headers: ["Content-Range": "bytes 0-9/1000"], to: upload.url)
    }
    await run.step("another user's upload", fails: .permissionDenied) {
      try await bea.send(0..<500, of: file, to: upload)
    }
    await run.step("nothing is stored") { try await ada.media.getUpload(uploadId: upload.id) }
      .expect { $0?.uploadedSize == 0 }
    await run.step("a chunk") { try await ada.send(0..<500, of: file, to: upload) }.expect { $0.status == 200 }
    await run.step("the same chunk again", fails: .conflict) { try await ada.send(0..<500, of: file, to: upload) }
    for (name, size, fileName) in [
      ("no size", 0, "a"), ("a size below 0", -1, "a"), ("no name", 1, ""), ("a folder", 1, "a/b"),
      ("a name of 256 bytes", 1, String(repeating: "a", count: 256)),
    ] {
      await run.step(name, fails: .invalidArgument) {
        try await ada.unchecked.media.startUpload(userId: ada.id, fileName: fileName, fileSize: Int64(size))
      }
    }
    let missing = run.missingID
    await run.step("no upload") { try await ada.media.getUpload(uploadId: missing) }.expect(nil)
    await run.steps(
      fail: .notFound,
      [
        "no upload to complete": { try await ada.media.completeUpload(uploadId: missing, sha256: try file.sha256()) },
        "no upload's progress": { try await ada.media.updateUploadProgress(uploadId: missing, uploadedSize: 0) },
      ])
  }

  private static let image = ContractScenario("media.image", summary: "An image is uploaded in one call.") { run in
    let ada = try await run.user("ada")
    await run.step("uploadImage") { () -> [String: String] in
      let url = try await ada.media.uploadImage(
        image: UploadedFile(count: 500).png, userId: ada.id, contentType: "image/png", fileName: "cat.png")
      // The path contains the upload's id, which differs in every run.
      return ["url": String(url.split(separator: "/").last ?? "")]
    }.expect { $0["url"] != "" }
    await run.step("an empty image") {
      do {
        return try await ada.media.uploadImage(image: [], userId: ada.id)
      } catch APIError.invalidArgument {
        return "refused before anything is sent"
      }
    }
  }

  private static let video = ContractScenario(
    "media.video", summary: "A video is created from a completed upload, or as a draft without one."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let file = UploadedFile(count: 600)
    let open = try await run.upload(file, of: ada)
    await run.step("of an upload under way", fails: .failedPrecondition) {
      try await ada.media.createVideo(creatorId: ada.id, title: "Too early", uploadId: open.id)
    }
    let upload = try await run.completedUpload(file, of: ada)
    let made = try await run.step("of a completed one") {
      try await ada.media.createVideo(
        creatorId: ada.id, title: "A title", description: "About it.", visibility: "public", uploadId: upload)
    }.expect { $0.creatorId == ada.id && $0.title == "A title" && !$0.cdnUrl.isEmpty }.value
    let draft = try await run.step("of none") { try await ada.media.createVideo(creatorId: ada.id, title: "A draft") }
      .expect { $0.cdnUrl.isEmpty }.value
    await run.step("it is there") { try await bea.media.getVideo(videoId: made.id) }.expect(made)
    await run.step("both, newest first") { try await ada.media.getUserVideos(userId: ada.id) }
      .expect { $0.map(\.id) == [draft.id, made.id] }
    await run.step("the newest") { try await ada.media.getUserVideos(userId: ada.id, limit: 1) }
      .expect { $0.map(\.id) == [draft.id] }
    await run.step("of another's upload", fails: .failedPrecondition) {
      try await bea.media.createVideo(creatorId: bea.id, title: "Mine?", uploadId: upload)
    }
    await run.step("of no upload", fails: .notFound) {
      try await ada.media.createVideo(creatorId: ada.id, title: "Of what?", uploadId: run.missingID)
    }
    await run.step("no video") { try await ada.media.getVideo(videoId: run.missingID) }.expect(nil)
  }

  private static let reel = ContractScenario(
    "media.reel", summary: "A reel is created from a completed upload; its processing only advances."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let upload = try await run.completedUpload(UploadedFile(count: 700), of: ada)
    let reel = try await ada.media.createReel(
      creatorId: ada.id, uploadId: upload, caption: "Bread", musicTitle: "Song", musicArtist: "Band",
      durationSeconds: 12, allowComments: true, allowShares: false, coverImageUrl: "https://cdn.example/c.jpg")
    await run.step("made") { reel.withoutProgress }
      .expect {
        $0.creatorId == ada.id && $0.uploadId == upload && $0.durationSeconds == 12 && $0.allowComments
          && !$0.allowShares
      }
    let later = try await bea.media.getReel(reelId: reel.id) ?? Reel()
    await run.step("it is there") { later.withoutProgress }.expect(reel.withoutProgress)
    await run.step("its processing is plausible") { [reel, later].map(\.isPlausible) }.expect([true, true])
    await run.step("and does not go back") { later.processingProgress >= reel.processingProgress }.expect(true)
    await run.step("among the newest") {
      try await bea.media.listReels(limit: 100).filter { $0.creatorId == ada.id }.map(\.id)
    }.expect([reel.id])
    await run.step("of another's upload", fails: .failedPrecondition) {
      try await bea.media.createReel(creatorId: bea.id, uploadId: upload)
    }
    await run.step("of no upload", fails: .notFound) {
      try await ada.media.createReel(creatorId: ada.id, uploadId: run.missingID)
    }
    await run.step("of a negative duration", fails: .invalidArgument) {
      try await ada.media.createReel(creatorId: ada.id, uploadId: upload, durationSeconds: -1)
    }
    await run.step("no reel") { try await ada.media.getReel(reelId: run.missingID) }.expect(nil)
  }
}

extension Reel {
  /// The reel without the fields that change while it is processed.
  fileprivate var withoutProgress: Reel {
    var reel = self
    (reel.status, reel.processingStage, reel.processingProgress) = ("", "", 0)
    (reel.publishedAt, reel.updatedAt) = (0, 0)
    (reel.variants, reel.transcodeJobs) = ([], [])
    return reel
  }

  /// Whether the fields that change during processing agree with each other.
  fileprivate var isPlausible: Bool {
    let isPublished = status == "published"
    return (isPublished || status == "processing") && (0...100).contains(processingProgress)
      && (publishedAt != 0) == isPublished && updatedAt >= createdAt && failedAt == 0
      && variants.filter(\.isDefault).count <= 1
      && transcodeJobs.allSatisfy { (0...100).contains($0.progress) }
  }
}
