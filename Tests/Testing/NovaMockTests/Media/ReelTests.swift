import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct ReelTests {
  private let mock = MockCaller()
  private let file = [UInt8](repeating: 1, count: 1_000_000)

  init() throws { _ = try mock.upload(file) }

  private func makeReel(_ request: CreateReelRequest) throws -> Reel {
    var request = request
    request.creatorId = "u"
    request.uploadId = "upload-1"
    return try #require(try mock.call(MediaRPC.createReel, request).reel)
  }

  private func reel() throws -> Reel {
    try #require(try mock.call(MediaRPC.getReel, GetReelRequest(reelId: "reel-1")).reel)
  }

  @Test func reelsKeepTheirRequestedFields() throws {
    let reel = try makeReel(
      CreateReelRequest(
        caption: "Up", musicTitle: "Song", musicArtist: "Someone", durationSeconds: 15, visibility: "followers",
        allowComments: true, coverImageUrl: "/cover.jpg"))
    #expect(reel.id == "reel-1" && reel.creatorId == "u" && reel.uploadId == "upload-1" && reel.caption == "Up")
    #expect(reel.musicTitle == "Song" && reel.musicArtist == "Someone" && reel.coverImageUrl == "/cover.jpg")
    #expect(reel.durationSeconds == 15 && reel.visibility == "followers")
    #expect(reel.allowComments && !reel.allowShares && reel.sourceVideoUrl == "/media/upload-1/walk.mp4")
    let plain = try makeReel(CreateReelRequest())
    #expect(plain.durationSeconds == 4 && plain.visibility == "public" && plain.coverImageUrl.isEmpty)
  }

  @Test func processingAdvancesWithTime() throws {
    let new = try makeReel(CreateReelRequest())
    #expect(new.status == "processing" && new.processingProgress == 0 && new.variants.isEmpty)
    #expect(new.transcodeJobs.map(\.targetQuality) == ["480p", "720p", "1080p"])
    for (seconds, progress, jobs, variants) in [
      (1, 20, [50, 33, 20], 0), (2, 60, [100, 100, 60], 2), (1, 80, [100, 100, 80], 2),
    ] {
      mock.advance(seconds: Int64(seconds))
      let reel = try reel()
      #expect(reel.status == "processing" && reel.processingProgress == progress && reel.publishedAt == 0)
      #expect(reel.transcodeJobs.map(\.progress) == jobs && reel.variants.count == variants)
    }
  }

  @Test func processingEndsWithPublishing() async throws {
    _ = try makeReel(CreateReelRequest())
    mock.advance(seconds: 1000)
    let reel = try reel()
    #expect(reel.status == "published" && reel.processingStage == "done" && reel.processingProgress == 100)
    #expect(reel.publishedAt == MockCaller.start + 5 && reel.updatedAt == reel.publishedAt && reel.failedAt == 0)
    #expect(reel.transcodeJobs.allSatisfy { $0.status == "completed" && $0.error == nil })
    #expect(reel.variants.filter(\.isDefault).map(\.quality) == ["720p"])
    for variant in reel.variants { #expect(try await mock.bytes(variant.cdnUrl) == file) }
    #expect(mock.get("/media/reel-1/4320p.mp4").status == 404)
  }

  @Test func encodingsAreServedWhenFinished() throws {
    _ = try makeReel(CreateReelRequest())
    #expect(mock.get("/media/reel-1/480p.mp4").status == 404)
    mock.advance(seconds: 2)
    #expect(mock.get("/media/reel-1/480p.mp4").status == 200)
  }

  @Test func reelsAreListedNewestFirst() throws {
    for number in 1...60 { _ = try makeReel(CreateReelRequest(caption: "\(number)")) }
    let reels = try mock.call(MediaRPC.listReels, ListReelsRequest(limit: 2)).reels
    #expect(reels.map(\.caption) == ["60", "59"])
    #expect(try mock.call(MediaRPC.listReels, ListReelsRequest()).reels.count == 50)
    #expect(try mock.call(MediaRPC.getReel, GetReelRequest(reelId: "reel-61")) == GetReelResponse())
    #expect(try mock.refusal(MediaRPC.listReels, ListReelsRequest(limit: -1))?.grpcStatus == .invalidArgument)
  }
}
