import NovaCore
import NovaMedia
import NovaMock
import NovaTestSupport
import Testing

@Suite struct StorageLimitTests {
  private let mock = MockCaller(mediaLimit: 10)

  private func put(_ id: String, _ bytes: [UInt8], range: String) -> HTTPResponse {
    mock.put(bytes, to: "/api/v1/media/upload/\(id)/bytes", range: range, digest: nil)
  }

  @Test func allUploadsTogetherAreBounded() throws {
    for _ in 1...2 { _ = try mock.startUpload(8) }
    let ones = [UInt8](repeating: 1, count: 8)
    #expect(put("upload-1", ones, range: "bytes 0-7/8").status == 200)
    let refusal = put("upload-2", Array(ones.prefix(3)), range: "bytes 0-2/8")
    #expect(refusal.status == 429 && Refusal(refusal).grpcStatus == .resourceExhausted)
    #expect(put("upload-2", Array(ones.prefix(2)), range: "bytes 0-1/8").status == 200, "nothing was stored before")
    #expect(put("upload-2", [UInt8](repeating: 0, count: 6), range: "bytes 2-7/8").status == 200, "zeros are holes")
  }

  @Test func whatNobodyNeedsMakesRoom() throws {
    let start = mock.backend.snapshot()
    let ones = [UInt8](repeating: 1, count: 8)
    for _ in 1...3 {
      mock.backend.restore(start)
      _ = try mock.startUpload(8)
      #expect(put("upload-1", ones, range: "bytes 0-7/8").status == 200)
    }
  }

  @Test func largerFilesAreRefused() throws {
    let refusal = try mock.refusal(
      MediaRPC.startUpload, StartUploadRequest(userId: "u", fileName: "a", fileSize: 11))
    #expect(refusal?.grpcStatus == .invalidArgument, "\(String(describing: refusal))")
  }
}
