import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

/// The media service against the mock backend.
@Suite struct MediaServiceTests {
  private let client: APIClient
  private var media: MediaService { MediaService(client: client) }

  init() throws { client = try APIClient.test(MockTransport(MockBackend(dataSet: .empty)), token: nil) }

  private func completedUpload() async throws -> String {
    _ = try await media.uploadImage(
      image: SampleMedia.mp4(), userId: "u", contentType: "video/mp4", fileName: "walk.mp4")
    return "upload-1"
  }

  @Test func uploadsGoStepByStep() async throws {
    let start = try await media.startUpload(userId: "u", fileName: "a.bin", fileSize: 10, contentType: "x/y")
    let upload = try #require(start.upload)
    #expect(!start.uploadUrl.isEmpty && start.chunkSize > 0)
    #expect(upload.fileName == "a.bin" && upload.fileSize == 10 && upload.contentType == "x/y")
    #expect(try await media.updateUploadProgress(uploadId: upload.id, uploadedSize: 4).uploadedSize == 4)
    #expect(try await media.getUpload(uploadId: upload.id)?.uploadedSize == 4)
    let early = await apiError { try await media.completeUpload(uploadId: upload.id, sha256: "00") }
    #expect(early?.code == .failedPrecondition && early?.rpc == "media.CompleteUpload")
    let tooMuch = await apiError { try await media.updateUploadProgress(uploadId: upload.id, uploadedSize: 11) }
    #expect(tooMuch?.code == .invalidArgument)
    #expect(await apiError { try await media.startUpload(userId: "u", fileName: "a/b", fileSize: 1) } != nil)
  }

  @Test func missingThingsAreNil() async throws {
    #expect(try await media.getUpload(uploadId: "nothing") == nil)
    #expect(try await media.getVideo(videoId: "nothing") == nil)
    #expect(try await media.getReel(reelId: "nothing") == nil)
    let error = await apiError { try await media.completeUpload(uploadId: "nothing", sha256: "00") }
    #expect(error?.code == .notFound)
  }

  @Test(arguments: [8, 1000, 1 << 20 + 1])
  func imagesArrive(size: Int) async throws {
    let image = SampleMedia.png(count: size)
    let url = try await media.uploadImage(image: image, userId: "u", contentType: "image/png", fileName: "a b.png")
    #expect(url == "/media/upload-1/a%20b.png")
    let upload = try #require(try await media.getUpload(uploadId: "upload-1"))
    #expect(upload.status == "completed" && upload.uploadedSize == Int64(size) && upload.url == url)
  }

  @Test func videosAreMadeOfUploads() async throws {
    let uploadID = try await completedUpload()
    let video = try await media.createVideo(
      creatorId: "u", title: "Walk", description: "By the river", visibility: "public", uploadId: uploadID)
    #expect(video.title == "Walk" && video.description == "By the river" && video.visibility == "public")
    #expect(try await media.getVideo(videoId: video.id) == video)
    let draft = try await media.createVideo(creatorId: "u", title: "Later")
    #expect(try await media.getUserVideos(userId: "u").map(\.id) == [draft.id, video.id])
    #expect(try await media.getUserVideos(userId: "u", limit: 1).map(\.id) == [draft.id])
    #expect(try await media.getUserVideos(userId: "nobody").isEmpty)
    let theft = await apiError { try await media.createVideo(creatorId: "other", title: "x", uploadId: uploadID) }
    #expect(theft?.code == .failedPrecondition)
    let nothing = await apiError { try await media.createVideo(creatorId: "u", title: "x", uploadId: "nothing") }
    #expect(nothing?.code == .notFound)
  }

  @Test func reelsAreMadeOfUploads() async throws {
    let uploadID = try await completedUpload()
    let reel = try await media.createReel(
      creatorId: "u", uploadId: uploadID, caption: "Walk", musicTitle: "Song", musicArtist: "Singer",
      durationSeconds: 7, visibility: "public", allowShares: false, coverImageUrl: "/cover.png")
    #expect(reel.caption == "Walk" && reel.musicTitle == "Song" && reel.musicArtist == "Singer")
    #expect(reel.allowComments && !reel.allowShares && reel.durationSeconds == 7)
    #expect(reel.visibility == "public" && reel.coverImageUrl == "/cover.png")
    #expect(try await media.getReel(reelId: reel.id)?.uploadId == uploadID)
    let second = try await media.createReel(creatorId: "u", uploadId: uploadID)
    #expect(try await media.listReels().map(\.id) == [second.id, reel.id])
    #expect(try await media.listReels(limit: 1).map(\.id) == [second.id])
    let error = await apiError { try await media.createReel(creatorId: "u", uploadId: "nothing") }
    #expect(error?.code == .notFound)
  }

  @Test func badArgumentsAreNotSent() async throws {
    let transport = RecordingTransport("{}")
    let media = MediaService(client: try APIClient.test(transport))
    let errors = [
      await apiError { try await media.getUpload(uploadId: "") },
      await apiError { try await media.getUserVideos(userId: "u", limit: -1) },
      await apiError { try await media.createReel(creatorId: "u", uploadId: "") },
      await apiError { try await media.uploadImage(image: [], userId: "u") },
      await apiError { try await media.uploadImage(image: SampleMedia.jpeg(), userId: "") },
    ]
    #expect(errors.allSatisfy { $0?.code == .invalidArgument && $0?.httpStatus == nil && $0?.rpc != nil })
    #expect(transport.requests.isEmpty)
  }
}
