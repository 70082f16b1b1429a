import Foundation
import NovaCore
import NovaTestSupport
import NovaRecording
import NovaTesting

/// A folder that goes when the value does.
final class RecordingFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String = "cassette.jsonl") -> String { "\(path)/\(name)" }

  func bytes(_ name: String = "cassette.jsonl") throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: file(name))))
  }

  func mode(_ name: String = "cassette.jsonl") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
  }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

extension HTTPRequest {
  /// A request with JSON, or none.
  static func json(_ method: HTTPMethod, _ path: String, body: String = "", host: String = "http://localhost:8080")
    -> HTTPRequest
  {
    HTTPRequest(
      method: method, url: host + path, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}

/// Records requests, answered by `respond`.
func recording(
  _ requests: [HTTPRequest],
  _ respond: @escaping @Sendable (HTTPRequest) -> HTTPResponse = { _ in .json("{}") }
) async throws -> Cassette {
  let recorder = Recorder(clock: ManualClock())
  let transport = recorder.recording(RecordingTransport { _, request in respond(request) })
  for request in requests { _ = try await transport.send(request) }
  return recorder.cassette
}

extension HTTPResponse {
  static func json(_ body: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
    var headers = headers
    headers["Content-Type"] = "application/json"
    return HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }
}
