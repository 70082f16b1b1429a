import NovaCore
import NovaMedia

extension ContractScenario {
  static let videos = [video, reel]

  private static let video = ContractScenario(
    "media.video", summary: "A video is made of a completed upload, or as a draft of none."
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
    await run.step("both, newest first") { try await bea.media.getUserVideos(userId: ada.id) }
      .expect { $0.map(\.id) == [draft.id, made.id] }
    await run.step("the newest") { try await bea.media.getUserVideos(userId: ada.id, limit: 1) }
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
    "media.reel", summary: "A reel is made of a completed upload; its processing goes forward only."
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
