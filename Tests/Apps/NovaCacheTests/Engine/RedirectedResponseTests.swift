import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCache

/// Responses after redirects: each redirect affects what is stored.
struct RedirectedResponseTests {
  /// A redirect, and the response of the final server.
  struct Case: Sendable, CustomTestStringConvertible {
    var status = 302
    var control: String?
    var last = "public, max-age=60"
    /// Whose loads need no request: the same caller's after 5 s, and others'.
    var isReused = false
    var isShared = false

    var testDescription: String { "\(status) \(control ?? "nothing") → \(last)" }
  }

  private static let cases = [
    Case(control: "private, no-store"), Case(control: "no-store"), Case(control: "no-cache"), Case(),
    Case(control: "public"), Case(status: 307), Case(status: 303), Case(control: "max-age=x"),
    Case(control: "max-age=3"), Case(control: "max-age=60", last: "max-age=3"),
    Case(control: "private, max-age=60", isReused: true), Case(control: "max-age=60", isReused: true),
    Case(control: "public, max-age=60", last: "private, max-age=60", isReused: true),
    Case(control: "public, max-age=60", last: "max-age=60", isReused: true),
    Case(control: "public, max-age=60", isReused: true, isShared: true),
    Case(status: 301, control: "public, max-age=60", isReused: true, isShared: true),
    Case(status: 308, control: "must-revalidate, s-maxage=1, max-age=60", isReused: true, isShared: true),
    Case(control: "public, max-age=60", last: "public, max-age=60, no-store"),
    Case(status: 301), Case(status: 308),
  ]

  private static func response(_ body: String, after redirects: [(Int, String?, String)], headers: HTTPHeaders)
    -> HTTPResponse
  {
    var response = HTTPResponse(status: 200, headers: headers, body: Array(body.utf8))
    response.redirects = redirects.map { status, control, target in
      HTTPRedirect(
        status: status, headers: control.map { ["Cache-Control": $0] } ?? [:], target: HTTPURL(received: target))
    }
    return response
  }

  @Test(arguments: cases) func theStrictestDecides(_ given: Case) async throws {
    let fixture = CacheFixture(.init()) { number, _ in
      Self.response(
        "\(number)", after: [(given.status, given.control, "https://cdn/1")], headers: ["Cache-Control": given.last])
    }
    _ = try await fixture.send(token: "ada")
    fixture.clock.advance(by: .seconds(5))
    for token in ["bob", nil] { _ = try await fixture.send(token: token) }
    #expect(fixture.requestCount == (given.isShared ? 1 : 3))
    _ = try await fixture.send(token: "ada")
    #expect(fixture.requestCount == (given.isShared ? 1 : given.isReused ? 3 : 4))
  }

  /// The same for several redirects, and for the `Vary` of each.
  @Test func allRedirectsDecide() async throws {
    let hops: [(Int, String?, String)] = [
      (302, "public, max-age=60", "http://localhost/b"), (302, "private, max-age=60", "https://cdn/1"),
    ]
    let fixture = CacheFixture(.init()) { number, _ in
      Self.response("\(number)", after: hops, headers: ["Cache-Control": "public, max-age=60"])
    }
    for token in ["ada", "bob", "ada"] { _ = try await fixture.send(token: token) }
    #expect(fixture.requestCount == 2)
    let varying = CacheFixture(.init()) { number, _ in
      var response = Self.response("\(number)", after: [], headers: ["Cache-Control": "public, max-age=60"])
      response.redirects = [
        HTTPRedirect(
          status: 301, headers: ["Cache-Control": "public, max-age=60", "Vary": "Accept-Language"],
          target: "https://cdn/1")
      ]
      return response
    }
    for language in ["pl", "de", "pl"] { _ = try await varying.send(headers: ["Accept-Language": language]) }
    #expect(varying.requestCount == 2)
  }

  /// A redirect that cannot be reused is requested again. The final server confirms the bytes, as long as the URL is
  /// the same.
  @Test(arguments: [true, false]) func aConfirmationIsThatOfOneURL(isSame: Bool) async throws {
    let fixture = CacheFixture(.init()) { number, request in
      let target = number == 0 || isSame ? "https://cdn/1" : "https://cdn/2"
      var response = Self.response(
        "\(number)", after: [(302, nil, target)], headers: ["Cache-Control": "public, max-age=60", "ETag": "\"v1\""])
      if request.headers["If-None-Match"] == "\"v1\"" { (response.status, response.body) = (304, .empty) }
      return response
    }
    #expect(try await fixture.text(token: "ada").hasPrefix("0 nova; fwd=uri-miss; stored"))
    #expect(try await fixture.text(token: "ada").hasPrefix(isSame ? "0 " : "2 "))
    #expect(fixture.requestCount == (isSame ? 2 : 3))
    #expect(fixture.server.requests[1].headers["If-None-Match"] == "\"v1\"")
  }

  /// A response that must be validated is not returned while the server cannot be reached.
  @Test func isNotReusedOffline() async throws {
    let fixture = CacheFixture(.init()) { number, _ in
      guard number == 0 else { throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false) }
      return Self.response(
        "1", after: [(302, nil, "https://cdn/1")], headers: ["Cache-Control": "max-age=60", "ETag": "\"v1\""])
    }
    _ = try await fixture.send(token: "ada")
    await #expect(throws: TransportError.self) { try await fixture.send(token: "ada") }
  }

  /// The disk contains the redirects, but not the URLs to which they lead.
  @Test func filesHoldRedirects() async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    func fixture() -> CacheFixture {
      CacheFixture(.init(memoryBytes: 0, directory: folder.path), clock: clock) { number, _ in
        Self.response(
          "\(number)", after: [(302, "private, max-age=10", "https://cdn/1?sig=\(Canary.secret)")],
          headers: ["Cache-Control": "public, max-age=60"])
      }
    }
    _ = try await fixture().send(token: Canary.secret)
    let reopened = fixture()
    #expect(try await reopened.text(token: Canary.secret) == "0 nova; hit; ttl=10")
    #expect(try await reopened.text() == "0 nova; fwd=uri-miss; stored")
    clock.advance(by: .seconds(11))
    #expect(try await reopened.text(token: Canary.secret).hasPrefix("1 nova; fwd=stale"))
    for shard in SystemIO.fileNames(in: "\(folder.path)/v3") {
      for name in SystemIO.fileNames(in: "\(folder.path)/v3/\(shard)") {
        let bytes = try folder.bytes("v3/\(shard)/\(name)")
        #expect(Canary.leaks(in: name + String(decoding: bytes, as: UTF8.self)).isEmpty)
      }
    }
  }

  /// Files of earlier versions do not contain their caller. They are not read, and are removed.
  @Test func filesOfEarlierVersionsAreRemoved() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write([1], to: "other")
    try FolderMaker.make("\(folder.path)/v1/ab")
    _ = try folder.write([1, 2, 3], to: "v1/ab/abcd-ef-0")
    let fixture = CacheFixture(.init(directory: folder.path), headers: ["Cache-Control": "max-age=60"])
    _ = try await fixture.send(token: "ada")
    #expect(folder.names.sorted() == ["other", "v3"])
  }
}

private enum FolderMaker {
  static func make(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
}
