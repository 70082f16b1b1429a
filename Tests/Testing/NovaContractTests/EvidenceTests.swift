import Foundation
import NovaCore
import NovaMock
import NovaRegistry
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaContract

@Suite struct EvidenceTests {
  private func rpc(_ name: String) throws -> RPCDescriptor { try #require(RPCRegistry.nova.rpc(named: name)) }

  /// What a shell makes of the command: one line for each argument of curl.
  private func arguments(of command: String) async throws -> [String] {
    let script = "curl() { for argument; do printf '%s\\0' \"$argument\"; done; }; NOVA_TOKEN=given; \(command)"
    let result = try await ProgramRun(["-c", script], executable: URL(filePath: "/bin/sh")).result()
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    return result.output.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test(arguments: [
    #"{"user_id":"it's"}"#, #"{"user_id":"$(touch /tmp/x) `id` ${HOME} \\ !! ~ *"}"#, "{\"user_id\":\n\"a\"}",
    "{\"broken",
    #"'; exit 1; '"#, "'\u{301}; exit 1; '\u{301}", "{\"user_id\":\"'\u{301}; exit 1; '\u{301}\"}", "@/etc/passwd",
  ])
  func theCommandIsOneForAShell(_ body: String) async throws {
    let request = HTTPRequest(
      method: .post, url: "http://localhost:8080/api/v1/graph/followers",
      headers: [
        "Content-Type": "application/json", "Authorization": "Bearer eyJ.secret.token", "X-Request-ID": "1",
        "Idempotency-Key": "2",
      ], body: Array(body.utf8))
    let evidence = ContractEvidence(request, nil, of: try rpc("graph.GetFollowers"))
    #expect(!evidence.curl.contains("eyJ"))
    #expect(
      try await arguments(of: evidence.curl) == [
        "-sS", "-i", "http://localhost:8080/api/v1/graph/followers", "-H", "Content-Type: application/json", "-H",
        "Authorization: Bearer given", "--data-raw", body,
      ])
    #expect(evidence.status == nil && evidence.response() == "no response")
  }

  @Test func methodsAndParametersAreShown() throws {
    let request = HTTPRequest(method: .get, url: "http://localhost:8080/api/v1/somethings?limit=3&signature=abc&sig=d")
    let evidence = ContractEvidence(request, nil, of: try rpc("capture.ListSomethings"))
    #expect(
      evidence.curl
        == "curl -sS -i 'http://localhost:8080/api/v1/somethings?limit=3&signature=****&sig=****'")
    let put = HTTPRequest(method: .put, url: "http://localhost:8080/x", body: [0, 255])
    #expect(
      ContractEvidence(put, nil, of: try rpc("media.StartUpload")).curl
        == "curl -sS -i -X PUT 'http://localhost:8080/x' --data-binary @body.bin")
  }

  @Test(arguments: [
    (#"{"token":"abcdefgh","user_id":"u"}"#, #"HTTP 200, 34 bytes: {"token":"****","user_id":"u"}"#),
    (#"{"token":"abcdefgh""#, "HTTP 200, 19 bytes: (not shown: not JSON, and it may contain a session)"),
    ("", "HTTP 200 without a body"),
  ])
  func sessionsAreMasked(_ body: String, _ shown: String) throws {
    let request = HTTPRequest(
      method: .post, url: "http://localhost:8080/", body: Array(#"{"email":"a@b.c","password":"abcdefgh"}"#.utf8))
    let evidence = ContractEvidence(
      request, HTTPResponse(status: 200, body: Array(body.utf8)), of: try rpc("auth.Login"))
    #expect(evidence.response() == shown)
    #expect(evidence.curl.hasSuffix(#"--data-raw '{"email":"a@b.c","password":"****"}'"#))
  }

  @Test func bodiesAreCapped() throws {
    let body = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 22)
    let request = HTTPRequest(method: .get, url: "http://localhost:8080/")
    let evidence = ContractEvidence(
      request, HTTPResponse(status: 200, body: body), of: try rpc("graph.GetFollowers"))
    #expect(evidence.body.count == ContractEvidence.maximumBodyLength + 1 && evidence.bodyByteCount == 1 << 22)
  }

  @Test func everyDifferenceHasIt() async {
    let report = await ContractCheck.ofMock(transport: {
      WrongGateway(
        base: $0, path: "/api/v1/graph/followers", change: WrongGateway.member("total_count") { _ in [] })
    }).run()
    #expect(!report.differences.isEmpty)
    for difference in report.differences {
      #expect(difference.evidence?.curl.hasPrefix("curl -sS -i 'http://localhost:8080/api/v1/") == true)
      #expect(difference.evidence?.status == 200 && difference.evidence?.body.isEmpty == false)
    }
  }
}
