import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaRecording

/// Archives as browsers and proxies write them.
@Suite struct ArchiveImportTests {
  private static func archive(_ entries: String) -> [UInt8] {
    Array(#"{"log":{"version":"1.2","creator":{"name":"x"},"entries":[\#(entries)]}}"#.utf8)
  }

  private static func entry(
    method: String = "GET", url: String = "https://api.example/api/v1/x", request: String = "",
    response: String = #""status":200,"content":{"size":2,"text":"{}"}"#
  ) -> String {
    #"{"request":{"method":"\#(method)","url":"\#(url)"\#(request)},"response":{\#(response)},"_priority":"High"}"#
  }

  @Test func exportsAreReadAgain() async throws {
    let bytes: [UInt8] = [0, 255, 7]
    let cassette = try await recording([
      .json(.post, "/api/v1/graph/followers", body: #"{"user_id":"a"}"#), .json(.get, "/files/1?size=2"),
    ]) { request in
      request.method == .get
        ? HTTPResponse(status: 206, headers: ["Content-Type": "image/png"], body: bytes) : .json(#"{"user_ids":["b"]}"#)
    }
    let read = try Cassette(har: cassette.har)
    #expect(read.interactions.map(\.rpc) == ["graph.GetFollowers", nil])
    #expect(read.interactions.map(\.request.url) == cassette.interactions.map(\.request.url))
    #expect(read.interactions.map(\.request.body) == cassette.interactions.map(\.request.body))
    #expect(read.interactions.map { $0.outcome.response?.status } == [200, 206])
    #expect(read.interactions.last?.outcome.response?.body.bytes == bytes)
  }

  @Test func whatBrowsersWriteIsUnderstood() throws {
    let headers =
      #","headers":[{"name":":authority","value":"api.example"},{"name":"accept-encoding","value":"br"},{"x":1}]"#
    let read = try Cassette(
      har: [0xEF, 0xBB, 0xBF]
        + Self.archive(
          [
            Self.entry(request: headers),
            Self.entry(
              method: "POST", request: #","postData":{"mimeType":"a/b","params":[{"name":"a","value":"1 2"}]}"#),
            Self.entry(
              response:
                #""status":200,"headers":[{"name":"set-cookie","value":"a=1\nb=2"},{"name":"content-encoding","value":"br"}],"content":{"text":"aGk=","encoding":"base64","mimeType":"text/plain"}"#
            ),
            Self.entry(response: #""status":0,"_error":"net::ERR_ABORTED""#),
            Self.entry(response: #""status":200,"content":{"size":70000}"#),
            Self.entry(url: "data:text/plain,hi"), Self.entry(url: "wss://api.example/ws"), "{}", "null",
          ].joined(separator: ",")))
    #expect(read.interactions.count == 5)
    #expect(read.interactions[0].request.headers.map(\.name) == ["accept-encoding"])
    #expect(String(decoding: read.interactions[1].request.body, as: UTF8.self) == "a=1%202")
    let response = try #require(read.interactions[2].outcome.response)
    #expect(response.body.bytes == Array("hi".utf8) && response.headers["content-encoding"] == nil)
    #expect(response.headers.values(for: "set-cookie").count == 2)
    #expect(response.headers["Content-Type"] == "text/plain")
    #expect(read.interactions[3].outcome.failure?.message.contains("ERR_ABORTED") == true)
    #expect(read.interactions[4].outcome.failure?.kind == .notRecorded)
  }

  @Test func aResponseToHEADDescribesTheOtherBody() throws {
    let response =
      #""status":200,"headers":[{"name":"Content-Length","value":"1234"}],"content":{"size":0,"text":""}"#
    let read = try Cassette(
      har: Self.archive(
        Self.entry(method: "HEAD", response: response) + "," + Self.entry(response: response)))
    let lengths = read.interactions.map { $0.outcome.response?.headers["Content-Length"] }
    #expect(lengths == ["1234", nil])
  }

  @Test func secretsAreMasked() throws {
    let headers = #","headers":[{"name":"Authorization","value":"Bearer abcdefgh12345678"}]"#
    let read = try Cassette(har: Self.archive(Self.entry(request: headers)))
    #expect(read.interactions[0].request.headers["Authorization"] == "Bearer {{secret:1}}")
  }

  @Test(arguments: [
    ("", "expected an HTTP Archive"), ("{}", "expected an HTTP Archive"), ("[1]", "expected an HTTP Archive"),
    (#"{"log":{"entries":[]}}"#, "none of its 0 entries"), (#"{"log":{"entries":[1,{}]}}"#, "none of its 2 entries"),
  ])
  func otherFilesAreRefused(_ text: String, _ reason: String) {
    let error = #expect(throws: CassetteError.self) { try Cassette(har: Array(text.utf8), name: "x.har") }
    #expect(
      error?.description.contains("x.har") == true && error?.description.contains(reason) == true, "\(error as Any)")
  }

  @Test func aFileIsReadAsWhatItIs() async throws {
    let folder = try RecordingFolder()
    let cassette = try await recording([.json(.get, "/a")])
    try cassette.write(to: folder.file("a"))
    #expect(try Cassette(path: folder.file("a")).interactions.count == 1)
    try Data(cassette.har).write(to: URL(filePath: folder.file("b")))
    #expect(try Cassette(path: folder.file("b")).interactions.map(\.request.path) == ["/a"])
  }
}
