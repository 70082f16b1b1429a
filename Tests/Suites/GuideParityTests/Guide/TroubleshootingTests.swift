import Foundation
import NovaTestSupport
import Testing

/// What docs/troubleshooting.md quotes is what `nova` says.
@Suite struct TroubleshootingTests {
  /// Runs `nova` and expects a text in what it says, and on the page.
  private func expect(
    _ quote: String, _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) async throws {
    let run = try await novaSays(arguments, input: input, environment: environment)
    #expect(run.contains(quote), "\(run)")
    #expect(try Checkout.text(of: "docs/troubleshooting.md").contains(quote))
  }

  @Test func nothingListens() async throws {
    try await expect(
      "nova: 127.0.0.1:9 refused the connection (graph.GetFollowers, request ", "followers", "x", "--base-url",
      "http://127.0.0.1:9")
  }

  @Test func whatIsSent() async throws {
    try await expect(
      "rpc=graph.GetFollowers url=http://127.0.0.1:9/api/v1/graph/followers [NovaCore] Sending request",
      "followers", "x", "--base-url", "http://127.0.0.1:9", "--verbose", environment: ["NOVA_RETRY_ATTEMPTS": "1"])
    try await expect(
      "url=mock:/api/v1/graph/followers", "followers", "x", "--mock", "--verbose",
      environment: ["NOVA_ENVIRONMENT": "production"])
  }

  @Test func aSavedAnswer() async throws {
    try await expect(
      "nova: 1:14: user_ids: expected a list, found number 3", "decode", "GetFollowersResponse",
      input: #"{"user_ids": 3}"#)
  }

  @Test func tokens() async throws {
    try await expect(
      "nova: not signed in: the access token is expired, revoked or not of this backend (graph.GetFollowers, HTTP 401, ",
      "followers", "x", "--mock", environment: ["NOVA_TOKEN": "another-backends"])
    try await expect("****", "config", "show", environment: ["NOVA_TOKEN": "canary"])
    try await expect(
      "expected https", "followers", "x", "--base-url", "http://192.0.2.1", environment: ["NOVA_TOKEN": "canary"])
    let known = try await novaSays(["call", "auth.VerifyToken", "-", "--mock"], input: #"{"token":"none"}"#)
    for name in ["is_valid", "expires_at", "is_revoked"] { #expect(known.contains("\"\(name)\"")) }
  }
}
