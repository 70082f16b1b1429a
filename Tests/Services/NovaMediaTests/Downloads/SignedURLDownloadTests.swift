import NovaCore
import NovaCrypto
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Downloads that continue although the URL was signed again, but never with the bytes of another file.
@Suite(.hangLimit) struct SignedURLDownloadTests {
  private typealias Behavior = FileServer.Behavior

  /// What an earlier download of `/1?sig=1` left, and what the server sends for the URL.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var url = "/1?sig=2"
    var left = 50_000
    /// The names of the file in the earlier download and in this one.
    var before: String?
    var now: String?
    var recordedDigest: [UInt8]?
    var sentDigest: [UInt8]?
    var validator: MediaValidator? = .etag("\"v1\"")
    var hasRanges = true
    /// Nil if the download continues.
    var reason: DownloadRestart.Reason?
  }

  private static let file = someBytes(200_000)
  private static let digest = (try? SHA256.digest(of: file)) ?? []
  private static let otherDigest = (try? SHA256.digest(of: [1])) ?? []

  private static let cases = [
    Case(testDescription: "equal digests", recordedDigest: digest, sentDigest: digest),
    Case(testDescription: "equal digests, no ranges", recordedDigest: digest, sentDigest: digest, hasRanges: false),
    Case(testDescription: "the same source", before: "upload-1", now: "upload-1"),
    Case(testDescription: "the same source, no ranges", before: "upload-1", now: "upload-1", hasRanges: false),
    Case(testDescription: "the same source, all bytes", left: 200_000, before: "upload-1", now: "upload-1"),
    Case(testDescription: "no digests", reason: .differentURL),
    Case(testDescription: "no digest sent", recordedDigest: digest, reason: .differentURL),
    Case(testDescription: "no digest sent, no ranges", recordedDigest: digest, hasRanges: false, reason: .differentURL),
    Case(testDescription: "no digest recorded", sentDigest: digest, reason: .differentURL),
    Case(testDescription: "other digest", recordedDigest: otherDigest, sentDigest: digest, reason: .differentURL),
    Case(
      testDescription: "other digest, no ranges", recordedDigest: otherDigest, sentDigest: digest, hasRanges: false,
      reason: .differentURL),
    Case(testDescription: "all bytes, no digest", left: 200_000, recordedDigest: digest, reason: .differentURL),
    Case(testDescription: "another source", before: "upload-1", now: "upload-2", reason: .differentURL),
    Case(testDescription: "a source once", before: "upload-1", reason: .differentURL),
    Case(testDescription: "another path", url: "/2?sig=1", before: "a", now: "a", reason: .differentURL),
    Case(
      testDescription: "the same source, other digest", before: "a", now: "a", recordedDigest: otherDigest,
      sentDigest: digest, reason: .fileChanged),
    Case(
      testDescription: "the same URL, other digest", url: "/1?sig=1", recordedDigest: otherDigest, sentDigest: digest,
      reason: .fileChanged),
    Case(
      testDescription: "the same source, other tag", before: "a", now: "a", validator: .etag("\"v0\""),
      reason: .fileChanged),
  ]

  @Test(arguments: cases) func anotherQueryContinuesWithProof(_ given: Case) async throws {
    let folder = try TemporaryFolder()
    // Without proof, the bytes are from another file.
    let bytes = given.reason == nil ? Self.file : someBytes(200_000, seed: 2)
    _ = try folder.write(Array(bytes[..<given.left]), to: "file.part")
    let headers = given.sentDigest.map {
      ["Repr-Digest: sha-256=:\(String(decoding: Base64.encode($0), as: UTF8.self)):"]
    }
    let behavior = Behavior(file: Self.file, headers: headers ?? [], hasRanges: given.hasRanges)
    try await withMedia(FileServer.script { _ in behavior }) { media, server in
      var head = MediaHead(etag: "\"v1\"", validator: given.validator, total: Self.file.count)
      head.digest = given.recordedDigest
      let url = try HTTPURL(parsing: server.url("/1?sig=1"))
      let owner = PartOwner(try await media.client.identity())
      _ = try folder.write(
        PartRecord(url: url, source: given.before, owner: owner, head: head).json, to: "file.part.json")
      let file = try await media.download(url: given.url, to: "\(folder.path)/file", source: given.now)
      #expect(file.restart == given.reason.map { DownloadRestart(reason: $0, byteCount: given.left) })
      #expect(file.resumedFrom == (given.reason == nil ? given.left : 0))
    }
    #expect(try folder.bytes("file") == Self.file && folder.names == ["file"])
  }

  /// A download that continued with a second signature continues with a third.
  @Test func signaturesCanChangeOften() async throws {
    let folder = try TemporaryFolder()
    let script = FileServer.script { Behavior(file: Self.file, resetsAfter: $0 < 3 ? 40_000 : nil) }
    try await withMedia(script, resilience: .none) { media, server in
      for signature in 0..<4 {
        let url = "/1?sig=\(signature)"
        _ = try? await media.download(url: url, to: "\(folder.path)/file", source: "upload-1")
      }
      #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=40000-", "bytes=80000-", "bytes=120000-"])
    }
    #expect(try folder.bytes("file") == Self.file && folder.names == ["file"])
  }
}
