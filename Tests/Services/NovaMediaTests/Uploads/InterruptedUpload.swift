import NovaCore
import NovaMedia
import NovaTestSupport
import Testing

extension UploadServer {
  static let walk = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }

  /// An upload that was stopped before its `number`th step of a kind, as if the process had ended.
  func interrupted(
    in folder: TemporaryFolder, at step: Step = .put, number: Int = 4, by fault: Fault = .lostBefore,
    with token: AccessToken? = nil
  ) async throws -> (media: MediaService, pending: PendingUpload, path: String) {
    let path = try folder.write(Self.walk, to: "walk.bin")
    let media = try media(state: folder, attempts: 1).with { $0.token = token }
    setScript { at, count in at == step && count == number ? fault : nil }
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.code == .networkError, "\(error as Any)")
    setScript { _, _ in nil }
    let all = try await media.pendingUploads()
    #expect(all.dropped.isEmpty && all.uploads.count == 1)
    return (media, try #require(all.uploads.first), path)
  }
}
