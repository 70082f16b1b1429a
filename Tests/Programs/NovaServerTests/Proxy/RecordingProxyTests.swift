import Foundation
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaRecording
@testable import NovaServer

/// A recorder in front of a gateway, and servers that respond from its cassette.
@Suite(.hangLimit) struct RecordingProxyTests {
  /// A path for a cassette, in a folder that is removed.
  private static func withCassette(_ body: (_ path: String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await body("\(folder.path)/run.jsonl")
    withExtendedLifetime(folder) {}
  }

  /// The recording of one call that got different responses.
  private static func recording(of responses: [(status: Int, body: String)]) async throws -> Cassette {
    let recorder = Recorder()
    let transport = recorder.recording(
      RecordingTransport { number, _ in
        let (status, body) = responses[number]
        return HTTPResponse(status: status, headers: ["Content-Length": "\(body.utf8.count)"], body: Array(body.utf8))
      })
    for _ in responses {
      _ = try await transport.send(
        HTTPRequest(
          method: .post, url: try HTTPURL(parsing: "http://localhost:8080\(isMutedPath)"), body: Array(isMutedBody.utf8)
        ))
    }
    return recorder.cassette
  }

  private static func recorder(_ path: String) throws -> Recorder {
    try Recorder(proxying: path, replacing: false, decode: GatewayProxy.decode)
  }

  private static func send(
    _ body: String, to port: UInt16, path: String = isMutedPath, headers: HTTPHeaders = [:]
  ) async throws -> HTTPResponse {
    let client = CurlTransport()
    var headers = headers
    headers["Content-Type"] = "application/json"
    let response = try await client.send(
      HTTPRequest(
        method: .post, url: try HTTPURL(parsing: "http://127.0.0.1:\(port)\(path)"), headers: headers,
        body: Array(body.utf8)))
    await client.shutdown()
    return response
  }

  @Test func whoeverHasTheResponseFindsItInTheFile() async throws {
    try await Self.withCassette { path in
      try await withServer { gateway, _ in
        let recorder = try Self.recorder(path)
        try await withProxy(to: gateway.url, recorder: recorder) { port in
          for number in 1...20 {
            let response = try await Self.send(#"{"muter_id":"a","mutee_id":"\#(number)"}"#, to: port)
            #expect(response.status == 200)
            // Before the recorder has finished: as if it were killed now.
            let cassette = try Cassette(path: path)
            #expect(cassette.interactions.count == number && !cassette.isTruncated)
          }
        }
        try await recorder.finishWhenWritten()
        #expect(recorder.summary == Recorder.Summary(count: 20))
      }
    }
  }

  @Test func nothingIsLostOrChangedWhenManyAskAtOnce() async throws {
    try await Self.withCassette { path in
      try await withServer { gateway, _ in
        let recorder = try Self.recorder(path)
        try await withProxy(to: gateway.url, recorder: recorder) { port in
          let client = CurlTransport()
          let url = try HTTPURL(parsing: "http://127.0.0.1:\(port)\(isMutedPath)")
          try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
              group.addTask {
                let headers: HTTPHeaders = ["Content-Type": "application/json", "X-Request-ID": "r\(number)"]
                let request = HTTPRequest(method: .post, url: url, headers: headers, body: Array(isMutedBody.utf8))
                let response = try await client.send(request)
                #expect(response.status == 200 && response.headers["X-Request-ID"] == "r\(number)")
              }
            }
            try await group.waitForAll()
          }
          await client.shutdown()
        }
        try await recorder.finishWhenWritten()
      }
      let interactions = try Cassette(path: path).interactions
      #expect(interactions.count == 400)
      #expect(Set(interactions.compactMap { $0.request.headers["X-Request-ID"] }).count == 400)
      #expect(
        interactions.allSatisfy { $0.request.headers["X-Request-ID"] == $0.outcome.response?.headers["X-Request-ID"] })
    }
  }

  @Test func secretsAreMaskedAlsoInCompressedBodies() async throws {
    let body = #"{"access_token":"secret-of-the-gateway"}"#
    let zipped = try #require(Gzip.compress(Array((body + String(repeating: " ", count: 500)).utf8)[...], after: 0))
    try await Self.withCassette { path in
      try await withRawServer {
        try $0.respondToAll(headers: ["Content-Type: application/json", "Content-Encoding: gzip"], body: zipped)
      } _: { gateway in
        let recorder = try Self.recorder(path)
        try await withProxy(to: gateway.url(""), recorder: recorder) { port in
          let headers: HTTPHeaders = [
            "Authorization": "Bearer token-of-the-client", "Accept-Encoding": "br, gzip;q=0.5",
          ]
          _ = try await Self.send(#"{"password":"correct horse"}"#, to: port, headers: headers)
        }
        try await recorder.finishWhenWritten()
        #expect(gateway.requests.first?.header("Accept-Encoding") == "gzip;q=0.5")
        #expect(gateway.requests.first?.header("Authorization") == "Bearer token-of-the-client")
      }
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for secret in ["secret-of-the-gateway", "token-of-the-client", "correct horse"] {
        #expect(!text.contains(secret), "\(text)")
      }
      #expect(text.contains("access_token") && !text.contains("base64"), "\(text)")
    }
  }

  @Test(arguments: [true, false]) func aServerRespondsFromTheCassette(_ isStrict: Bool) async throws {
    let recorded = try await Self.recording(of: [(200, #"{"is_muted": true}"#), (503, #"{"error":"busy"}"#)])
    let backend = MockBackend(dataSet: .empty)
    backend.use(ReplaySource(recorded, isStrict: isStrict))
    try await withServer(backend, hasAdmin: true) { _, port in
      let body = #"{"mutee_id":"b","muter_id":"a"}"#
      for (status, text) in [(200, #"{"is_muted":true}"#), (503, #"{"error":"busy"}"#), (503, #"{"error":"busy"}"#)] {
        let response = try await Self.send(body, to: port)
        #expect(response.status == status)
        #expect(String(decoding: response.body.bytes ?? [], as: UTF8.self) == text)
      }
      let other = try await Self.send(#"{"muter_id":"a","mutee_id":"c"}"#, to: port)
      let text = String(decoding: other.body.bytes ?? [], as: UTF8.self)
      #expect(other.status == (isStrict ? 501 : 200), "\(text)")
      #expect(text.contains("closest recorded request: #1") == isStrict, "\(text)")
      // Clients print the message in one line.
      #expect(!text.contains(#"\n"#), "\(text)")
      #expect(backend.unmatchedCount == 1)
      #expect(backend.unmatchedReports.first?.contains(#"request.mutee_id: expected "b", got "c""#) == true)
      // From the beginning.
      backend.reset()
      #expect(try await Self.send(body, to: port).status == 200)
    }
  }
}
