import Foundation
import NovaCore
import NovaMedia
import NovaTestSupport
import Testing

@testable import NovaMock

@Suite struct MediaFileTests {
  private let mock = MockCaller()

  private func chunk(_ range: String) throws -> IncomingChunk {
    let headers: HTTPHeaders = ["Content-Range": range]
    let url = HTTPURL(received: "/api/v1/media/upload/upload-1/bytes")
    return try #require(mock.backend.incomingChunk(HTTPRequest(method: .put, url: url, headers: headers)))
  }

  private func send(_ chunk: IncomingChunk, _ range: String) async throws -> Int {
    let url = HTTPURL(received: "/api/v1/media/upload/upload-1/bytes")
    let request = HTTPRequest(method: .put, url: url, headers: ["Content-Range": range])
    return try await mock.backend.answer(request, chunk: chunk).status
  }

  /// A client whose connection was lost sends the chunk again while the server still waits for the first request.
  @Test func aRepeatedChunkSupersedesTheFirstOne() async throws {
    let path = try mock.startUpload(12).uploadUrl
    #expect(mock.put([7, 7, 7, 7], to: path, range: "bytes 0-3/12", digest: nil).status == 200)
    let range = "bytes 4-7/12"
    let (first, second) = (try chunk(range), try chunk(range))
    first.append([9, 9])
    second.append([1, 2])
    first.append([9, 9])
    second.append([3, 4])
    #expect(try await send(first, range) == 409)
    #expect(try await send(second, range) == 200)
    #expect(mock.put([5, 6, 7, 8], to: path, range: "bytes 8-11/12", digest: nil).status == 200)
    let file: [UInt8] = [7, 7, 7, 7, 1, 2, 3, 4, 5, 6, 7, 8]
    #expect(try await mock.bytes(try mock.complete("upload-1", file).url) == file)
  }

  @Test func aChunkThatIsCancelledLeavesNothing() async throws {
    _ = try mock.startUpload(4)
    do {
      let cancelled = try chunk("bytes 0-3/4")
      cancelled.append([9, 9, 9])
      cancelled.cancel()
    }
    #expect(try mock.upload("upload-1")?.uploadedSize == 0)
    // Zeros are not written: what was there before must be gone.
    #expect(mock.put([0, 0, 0, 0], to: "/api/v1/media/upload/upload-1/bytes", range: nil, digest: nil).status == 200)
    #expect(try await mock.bytes(try mock.complete("upload-1", [0, 0, 0, 0]).url) == [0, 0, 0, 0])
  }

  @Test func filesGoWithTheirLastState() throws {
    let path: String
    do {
      let mock = MockCaller()
      guard case .file(let region) = mock.get(try mock.upload([1, 2, 3]).url).body else {
        Issue.record("the body is in memory")
        return
      }
      path = region.path
      #expect(FileManager.default.fileExists(atPath: path))
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func foldersThatAreNobodysAreRefused() throws {
    let file = NSTemporaryDirectory() + "media-\(UUID().uuidString)"
    try Data().write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect { try MediaFolder(at: file, limit: 1) } throws: { "\($0)".contains("is not a folder") }
  }
}
