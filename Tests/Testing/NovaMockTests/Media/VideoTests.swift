import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct VideoTests {
  private let mock = MockCaller()
  private let file = [UInt8](repeating: 1, count: 1_000_000)

  @Test func videosAreCreatedFromUploads() async throws {
    _ = try mock.upload(file)
    let request = CreateVideoRequest(creatorId: "u", title: "Walk", description: "By the river", uploadId: "upload-1")
    let video = try #require(try mock.call(MediaRPC.createVideo, request).video)
    #expect(
      video
        == Video(
          id: "video-1", creatorId: "u", title: "Walk", description: "By the river", durationSeconds: 4,
          cdnUrl: "/media/upload-1/walk.mp4", thumbnailUrl: "/media/video-1/thumbnail.gif", status: "published",
          visibility: "public", createdAt: MockCaller.start))
    #expect(try await mock.bytes(video.cdnUrl) == file)
    let image = mock.get(video.thumbnailUrl)
    #expect(image.status == 200 && image.headers["Content-Type"] == "image/gif")
    #expect(image.body.inMemory.starts(with: "GIF89a".utf8))
    #expect(try mock.upload("upload-1")?.videoId == "video-1")
    let answer = try mock.call(MediaRPC.getVideo, GetVideoRequest(videoId: "video-1"))
    #expect(answer.found && answer.video == video)
    #expect(try mock.call(MediaRPC.getVideo, GetVideoRequest(videoId: "video-2")) == GetVideoResponse())
  }

  @Test func videosWithoutAFileAreAllowed() throws {
    let request = CreateVideoRequest(creatorId: "u", title: "Soon", visibility: "private")
    let video = try #require(try mock.call(MediaRPC.createVideo, request).video)
    #expect(video.status == "draft" && video.cdnUrl.isEmpty && video.thumbnailUrl.isEmpty)
    #expect(video.visibility == "private")
    #expect(mock.get("/media/video-1/thumbnail.gif").status == 404)
  }

  @Test func videosAreListedNewestFirst() throws {
    for number in 1...60 {
      let creator = number % 2 == 0 ? "even" : "odd"
      _ = try mock.call(MediaRPC.createVideo, CreateVideoRequest(creatorId: creator, title: "\(number)"))
    }
    func titles(_ limit: Int) throws -> [String] {
      try mock.call(MediaRPC.getUserVideos, GetUserVideosRequest(userId: "even", limit: limit)).videos.map(\.title)
    }
    #expect(try titles(3) == ["60", "58", "56"])
    #expect(try titles(0).count == 30)
    let refusal = try mock.refusal(MediaRPC.getUserVideos, GetUserVideosRequest(userId: "even", limit: -1))
    #expect(refusal?.grpcStatus == .invalidArgument)
  }

  @Test func theUploadMustBeCompletedAndTheCreatorsOwn() throws {
    _ = try mock.upload(file)
    _ = try mock.startUpload(10)
    for (creator, upload, status) in [
      ("other", "upload-1", GRPCStatus.failedPrecondition), ("u", "upload-2", .failedPrecondition),
      ("u", "upload-3", .notFound), ("", "upload-1", .invalidArgument),
    ] {
      let video = CreateVideoRequest(creatorId: creator, uploadId: upload)
      #expect(try mock.refusal(MediaRPC.createVideo, video)?.grpcStatus == status, "\(video)")
      let reel = CreateReelRequest(creatorId: creator, uploadId: upload)
      #expect(try mock.refusal(MediaRPC.createReel, reel)?.grpcStatus == status, "\(reel)")
    }
    for reel in [CreateReelRequest(creatorId: "u"), .init(creatorId: "u", uploadId: "upload-1", durationSeconds: -1)] {
      #expect(try mock.refusal(MediaRPC.createReel, reel)?.grpcStatus == .invalidArgument)
    }
  }
}
