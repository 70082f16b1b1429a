import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// Commands that the inspector copies, run in a shell; and its archive.
@Suite(.hangLimit, .serialized, .sharedBrowser) struct InspectorCommandTests {
  private struct Call: Sendable {
    let method: HTTPMethod
    let path: String
    var body = ""
    var isRPC = true
  }

  private static let calls = [
    Call(
      method: .post, path: "/api/v1/graph/is-following",
      body: #"{"follower_id":"it's $(id) `id` \"\\ 👩‍💻","followee_id":"a\u202eb\nc"}"#),
    Call(method: .get, path: "/api/v1/announcements?lat=1.5&lng=2&x[]=a"),
    Call(method: .get, path: "/api/v1/somethings/7"),
    Call(method: .post, path: "/api/v1/graph/followers", body: #"{"user_id":5}"#, isRPC: false),
    Call(method: .get, path: "/nowhere?access_token=abcd-1234", isRPC: false),
  ]

  @Test(arguments: Inspector.widths) func copiedCommandsRepeatTheRequest(width: Int) async throws {
    try await Inspector.with(width: width, "--require-tokens") { inspector in
      let login = #"{"email":"bruce@nova.social","password":"mock-password"}"#
      let token = try #require(
        try await inspector.send(.post, "/api/v1/auth/login", body: login)?["token"]?.stringValue)
      for call in Self.calls {
        try await inspector.send(
          call.method, call.path, body: call.body, headers: ["Authorization": "Bearer \(token)", "X-Note": "it's"])
      }
      let environment = ["NOVA_TOKEN": token, "PASSWORD": "mock-password", "ACCESS_TOKEN": "abcd-1234"]
      let calls = [Call(method: .post, path: "/api/v1/auth/login", body: login)] + Self.calls
      for (index, call) in calls.enumerated() {
        let before = try await inspector.send(.get, "/_nova/requests/\(index + 1)")
        try await check(inspector, before, isRPC: true, button: 1, environment: environment)
        try await check(inspector, before, isRPC: call.isRPC, button: 2, environment: environment)
      }
    }
  }

  /// Copies a command, runs it, and compares the request that it sends.
  private func check(
    _ inspector: Inspector, _ before: JSONValue?, isRPC: Bool, button: Int, environment: [String: String]
  ) async throws {
    let browser = inspector.browser
    try await inspector.run("copied.length = 0; showMessage('')")
    try await inspector.showDetails(try #require(before?["number"]?.integerValue))
    try await browser.click("#details button:nth-child(\(button))")
    guard isRPC else {
      try await inspector.waitForMessage("no command")
      return try await inspector.expectVisibleMessage()
    }
    try await inspector.wait(for: "copied.length === 1")
    let command = try #require(try await browser.value("copied[0]")?.stringValue)
    #expect(!command.contains(try #require(environment["NOVA_TOKEN"])) && !command.contains("\u{202E}"), "\(command)")
    let result = try await inspector.shell(command, environment: environment)
    let entries = try await inspector.send(.get, "/_nova/requests?full=true")?["requests"]?.elements
    let after = try #require(entries?.last)
    #expect(after["number"] != before?["number"])
    for name in ["method", "rpc", "message", "status"] + (button == 1 ? ["path", "request_body"] : []) {
      #expect(after[name] == before?[name], "\(name) of \(command): \(result)")
    }
  }

  @Test func theArchiveIsValid() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-har-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Inspector.with { inspector in
      let browser = inspector.browser
      for user in ["ann", String(repeating: "long", count: 3000), "ann"] { try await inspector.isFollowing(user) }
      try await inspector.isFollowing("ann", headers: ["Authorization": "Bearer nope-nope"])
      try await inspector.send(.post, "/nowhere", body: "{", headers: ["Nova-Fault": "503"])
      _ = try? await inspector.send(.get, "/api/v1/announcements?lat=1", headers: ["Nova-Fault": "drop"])
      try await inspector.wait(for: "log.entries.length >= 6")
      try await browser.command(
        "Browser.setDownloadBehavior", #"{"behavior":"allow","downloadPath":"\#(folder.path)"}"#)
      try await browser.click("#export")
      try await inspector.waitForMessage("exported")
      let file = folder.appending(path: "nova-requests.har")
      var bytes = Data()
      try await waitUntil {
        bytes = (try? Data(contentsOf: file)) ?? Data()
        return !bytes.isEmpty
      }
      let archive = try JSONValue(jsonUTF8: Array(bytes))
      let problems = ArchiveCheck.problems(in: archive)
      #expect(problems.isEmpty, "\(problems)")
      let entries = archive["log"]?["entries"]?.elements ?? []
      #expect(entries.map { $0["response"]?["status"]?.integerValue }.prefix(5) == [200, 400, 200, 401, 503])
      #expect(entries.last?["response"]?["status"]?.integerValue == 0)
      #expect(entries[1]["request"]?["postData"]?["text"]?.stringValue?.utf8.count == 12_036)
      #expect(!String(decoding: bytes, as: UTF8.self).contains("nope-nope"))
    }
  }
}

/// The required members of HAR 1.2 with their types.
enum ArchiveCheck {
  private indirect enum Shape: Sendable {
    case text, number, time
    case list(Shape)
    case object([(name: String, shape: Shape, isRequired: Bool)])
  }

  static func problems(in archive: JSONValue) -> [String] {
    check(archive, .object([("log", log, true)]), at: "archive")
  }

  private static let pair = Shape.object([("name", .text, true), ("value", .text, true), ("comment", .text, false)])
  private static let request = Shape.object([
    ("method", .text, true), ("url", .text, true), ("httpVersion", .text, true), ("cookies", .list(pair), true),
    ("headers", .list(pair), true), ("queryString", .list(pair), true), ("headersSize", .number, true),
    ("bodySize", .number, true),
    ("postData", .object([("mimeType", .text, true), ("params", .list(pair), false), ("text", .text, false)]), false),
  ])
  private static let response = Shape.object([
    ("status", .number, true), ("statusText", .text, true), ("httpVersion", .text, true),
    ("cookies", .list(pair), true), ("headers", .list(pair), true), ("redirectURL", .text, true),
    ("headersSize", .number, true), ("bodySize", .number, true),
    ("content", .object([("size", .number, true), ("mimeType", .text, true), ("text", .text, false)]), true),
  ])
  private static let log = Shape.object([
    ("version", .text, true), ("creator", .object([("name", .text, true), ("version", .text, true)]), true),
    ("pages", .list(.object([])), false),
    (
      "entries",
      .list(
        .object([
          ("startedDateTime", .time, true), ("time", .number, true), ("request", request, true),
          ("response", response, true), ("cache", .object([]), true), ("comment", .text, false),
          ("timings", .object([("send", .number, true), ("wait", .number, true), ("receive", .number, true)]), true),
        ])), true
    ),
  ])

  private static func check(_ value: JSONValue, _ shape: Shape, at path: String) -> [String] {
    switch (shape, value) {
    case (.text, .string), (.number, .number): []
    case (.time, .string(let text)) where text.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/): []
    case (.list(let shape), .array(let elements)):
      elements.enumerated().flatMap { check($1, shape, at: "\(path)[\($0)]") }
    case (.object(let fields), .object(let members)):
      members.filter { member in !fields.contains { $0.name == member.name } }.map { "\(path) has \($0.name)" }
        + fields.flatMap { field in
          value[field.name].map { check($0, field.shape, at: "\(path).\(field.name)") }
            ?? (field.isRequired ? ["\(path) has no \(field.name)"] : [])
        }
    default: ["\(path) is \(value.kindDescription)"]
    }
  }
}
