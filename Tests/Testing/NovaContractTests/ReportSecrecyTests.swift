import NovaContract
import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

/// A gateway that returns secrets in every encoding; the report shows none of them.
@Suite struct ReportSecrecyTests {
  /// Lets the check open its accounts, and quotes the password or the token in whatever else it answers.
  private struct QuotingGateway: HTTPTransport {
    let base: any HTTPTransport
    let seed: UInt64
    let seen: Locked<[(secret: String, spelled: SpelledSecret)]>
    let password: Locked<String>

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let sent = try? JSONValue(jsonUTF8: request.body.inMemory)
      if request.url.text.hasSuffix("/register") || request.url.text.hasSuffix("/login") {
        if let text = sent?["password"]?.stringValue, text.utf8.count > 12, !text.hasPrefix("wrong") {
          password.withLock { if $0.isEmpty { $0 = text } }
        }
        return try await base.send(request)
      }
      let token = request.headers["Authorization"].map { String($0.dropFirst(7)) }
      let number = seen.withLock { $0.count }
      let secret = number % 2 == 0 ? token ?? password.withLock { $0 } : password.withLock { $0 }
      guard secret.utf8.count > 12, !secret.hasPrefix("nova-contract") else { return try await base.send(request) }
      var generator = SeededGenerator(seed: seed)
      let all = SecretSpellings.all(of: secret, using: &generator)
      let spelled = all[number / 2 % all.count]
      seen.withLock { $0.append((secret, spelled)) }
      let bodies = [
        #"{"code":3,"message":"no: \#(spelled.inJSON)"}"#, "no: \(spelled.text)",
        #"{"user_id":["\#(spelled.inJSON)"],"\#(spelled.inJSON)":1,"total_count":"\#(spelled.inJSON)"}"#,
        #"{"error":{"code":"X","message":"\#(spelled.inJSON)"}}"#,
      ]
      let kind = number / 2 / all.count % 4
      return HTTPResponse(
        status: kind < 2 ? 400 : 200,
        headers: ["Content-Type": kind == 1 ? "text/\(spelled.text)" : "application/json"],
        body: Array(bodies[kind].utf8))
    }
  }

  @Test func noSpellingShows() async {
    let seed = 1
    let seen = Locked<[(secret: String, spelled: SpelledSecret)]>([])
    let report = await ContractCheck.ofMock(prefixOfIDs: "f3a91c07-5bd2-4e68-a0c4") {
      QuotingGateway(base: $0, seed: UInt64(seed), seen: seen, password: Locked(""))
    }.run()
    let all = report.inEveryFormat
    let quoted = seen.withLock { $0 }
    #expect(quoted.count > 40)
    #expect(all.contains("****"))
    var checked: Set<[String]> = []
    for (secret, spelled) in TestDepth.cases(quoted, sample: 20) where checked.insert([secret, spelled.text]).inserted {
      #expect(SecretSpellings.leaks(of: secret, spelled, in: all) == [], "\(spelled) of \(secret)")
    }
  }
}
