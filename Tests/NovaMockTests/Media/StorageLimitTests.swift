import NovaCore
import NovaMedia
import NovaTestSupport
import Testing

@testable import NovaMock

@Suite struct StorageLimitTests {
  @Test func allUploadsTogetherAreBounded() {
    var state = MockState()
    state.media = MediaStore(maximumStoredBytes: 10)
    for _ in 1...2 { _ = state.media.start(Upload(userId: "u", fileName: "a", fileSize: 8)) }
    func put(_ id: String, _ count: Int, range: String) -> HTTPResponse {
      let request = HTTPRequest(
        method: .put, url: "", headers: ["Content-Range": range], body: [UInt8](repeating: 1, count: count))
      return UploadedChunk.answer(request, uploadID: id, in: &state)
    }
    #expect(put("upload-1", 8, range: "bytes 0-7/8").status == 200)
    let refusal = put("upload-2", 3, range: "bytes 0-2/8")
    #expect(refusal.status == 429 && Refusal(refusal).grpcStatus == .resourceExhausted)
    #expect(put("upload-2", 2, range: "bytes 0-1/8").status == 200)
    #expect(state.media.storedBytes == 10)
  }
}
