import NovaCore
import NovaMedia
import NovaTestSupport
import Testing

/// Responses of real backends that the mock does not send.
@Suite struct MediaAnswerTests {
  private func service(_ body: String) throws -> MediaService {
    MediaService(client: try APIClient.test(RecordingTransport(body)))
  }

  @Test(arguments: [
    #"{"found":true,"upload":{"id":"u","file_size":5000000000,"created_at":1704164645}}"#,
    #"{"found":true,"upload":{"id":"u","fileSize":"5000000000","createdAt":"1704164645","url":null}}"#,
    #"{"found":true,"upload":{"id":"u","fileSize":5e9,"createdAt":"2024-01-02T03:04:05Z","parts":[{}]}}"#,
    #"{"found":true,"error":{},"upload":{"id":"u","file_size":"5000000000","created_at":"2024-01-02 03:04:05"}}"#,
  ])
  func uploadsAreReadInEveryForm(body: String) async throws {
    #expect(
      try await service(body).getUpload(uploadId: "u")
        == Upload(id: "u", fileSize: 5_000_000_000, createdAt: 1_704_164_645))
  }

  @Test(arguments: [
    #"{"found":true,"reel":{"id":"r","allow_comments":true,"published_at":0,"variants":[{"frame_rate":29.97}]}}"#,
    #"{"found":true,"reel":{"id":"r","allowComments":true,"transcodeJobs":[],"variants":[{"frameRate":"29.97"}]}}"#,
  ])
  func reelsAreReadInEveryForm(body: String) async throws {
    #expect(
      try await service(body).getReel(reelId: "r")
        == Reel(id: "r", allowComments: true, variants: [ReelVariant(frameRate: 29.97)]))
  }

  @Test func aFailedTranscodingIsNoFailedCall() async throws {
    let reel = try await service(
      #"{"found":true,"reel":{"id":"r","transcode_jobs":[{"error":{"code":"INTERNAL","message":"codec"}}]}}"#
    ).getReel(reelId: "r")
    #expect(reel?.transcodeJobs.first?.error?.code == "INTERNAL")
  }

  @Test(arguments: ["{}", #"{"found":false,"error":{"code":"NOT_FOUND"}}"#, #"{"error":{"code":"REEL_NOT_FOUND"}}"#])
  func missingThingsAreNil(body: String) async throws {
    let media = try service(body)
    #expect(try await media.getUpload(uploadId: "u") == nil)
    #expect(try await media.getVideo(videoId: "v") == nil)
    #expect(try await media.getReel(reelId: "r") == nil)
  }

  @Test(arguments: [
    (#"{"found":true}"#, APIError.Code.invalidResponse),
    (#"{"found":false,"error":{"code":"INTERNAL","message":"disk"}}"#, .serverError),
    (#"{"found":true,"video":{"id":"v"},"error":{"code":"7"}}"#, .permissionDenied),
  ])
  func anyOtherFailureIsAnError(body: String, code: APIError.Code) async throws {
    let media = try service(body)
    #expect(await apiError { try await media.getVideo(videoId: "v") }?.code == code)
  }

  @Test func writesWithoutTheirResultAreErrors() async throws {
    let media = try service("{}")
    let errors = [
      await apiError { try await media.updateUploadProgress(uploadId: "u", uploadedSize: 1) },
      await apiError { try await media.completeUpload(uploadId: "u", sha256: "00") },
      await apiError { try await media.createVideo(creatorId: "u", title: "x") },
      await apiError { try await media.createReel(creatorId: "u", uploadId: "x") },
    ]
    #expect(errors.allSatisfy { $0?.code == .invalidResponse })
    #expect(try await media.startUpload(userId: "u", fileName: "a", fileSize: 1) == StartUploadResponse())
    #expect(try await media.getUserVideos(userId: "u").isEmpty)
    #expect(try await media.listReels().isEmpty)
  }

  @Test func aFailureInsideSuccessIsAnError() async throws {
    let media = try service(#"{"error":{"code":"RESOURCE_EXHAUSTED","message":"full"}}"#)
    let errors = [
      await apiError { try await media.startUpload(userId: "u", fileName: "a", fileSize: 1) },
      await apiError { try await media.completeUpload(uploadId: "u", sha256: "00") },
      await apiError { try await media.listReels() },
      await apiError { try await media.getUserVideos(userId: "u") },
    ]
    #expect(errors.allSatisfy { $0?.code == .rateLimited && $0?.server?.message == "full" })
  }
}
