internal import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// The records of incomplete uploads, and what is known about their files.
@Suite(.hangLimit) struct PendingUploadTests {
  /// If nothing has begun, there is nothing to resume. Later, another account may be signed in.
  @Test(arguments: [(.start, 1, true), (.put, 3, false), (.complete, 1, false)] as [(UploadServer.Step, Int, Bool)])
  func anUploadThatIsNotAllowed(at step: UploadServer.Step, number: Int, isRemoved: Bool) async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let path = try folder.write(UploadServer.walk, to: "walk.bin")
    let media = try server.media(state: folder, attempts: 1)
    server.setScript { at, count in at == step && count == number ? .status(403) : nil }
    let error = await apiError { try await media.upload(.file(path), userId: "u").value }
    #expect(error?.code == .permissionDenied, "\(error as Any)")
    #expect(try await media.pendingUploads().uploads.isEmpty == isRemoved)
  }

  @Test func theFileOfAnUploadIsRecognized() async throws {
    let (server, folder) = (UploadServer(), try TemporaryFolder())
    let (_, pending, path) = try await server.interrupted(in: folder)
    #expect(pending.fileChange == nil && pending.isUpload(ofFileAt: path))
    let copy = try folder.write(UploadServer.walk, to: "copy.bin")
    #expect(!pending.isUpload(ofFileAt: copy) && !pending.isUpload(ofFileAt: "\(path).none"))
    try FileChange.append([1], to: path)
    #expect(pending.fileChange == "it grew from 200000 to 200001 bytes" && !pending.isUpload(ofFileAt: path))
    try FileManager.default.moveItem(atPath: path, toPath: "\(path).old")
    #expect(pending.fileChange == "it was removed or renamed" && !pending.isUpload(ofFileAt: "\(path).old"))
  }

  @Test func aRunningUploadIsListedAsSuch() async throws {
    let (server, folder) = (UploadServer { step, _ in step == .put ? .hangs : nil }, try TemporaryFolder())
    let path = try folder.write(UploadServer.walk, to: "walk.bin")
    let media = try server.media(state: folder, attempts: 1)
    let upload = media.upload(.file(path), userId: "u")
    for await progress in upload.updates where progress.state == .uploading { break }
    let all = try await media.pendingUploads()
    #expect(all.uploads.isEmpty && all.running == [upload.id])
    await upload.cancel()
    #expect(try await media.pendingUploads() == PendingUploads(uploads: [], dropped: []))
  }
}
