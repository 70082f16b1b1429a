import Logging
import NovaCore
import NovaTestSupport
import Testing

/// Secrets inside other messages, wherever they could show.
@Suite struct NestedSecretTests {
  private static let secret = Canary.secret
  private static let card = Card(holder: "Ann", digits: secret, other: Card(holder: "Ben", digits: secret))

  private static let requests: [PayJobRequest] = [
    PayJobRequest(id: "j", card: card), PayJobRequest(id: "j", cards: [card, card]),
    PayJobRequest(id: "j", namedCards: ["first": card]), PayJobRequest(id: "j", payment: .voucher(secret)),
    PayJobRequest(id: "j", payment: .stored(card)), PayJobRequest(id: "j", card: Card(stamp: Array(secret.utf8))),
    PayJobRequest(id: "j", card: Card(pins: [secret: secret])),
  ]

  /// Everything that shows of a call: its log, and its error.
  private func shown<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, status: Int, answer: String
  ) async throws -> String {
    let log = CapturedLog()
    let client = try APIClient.test(
      RecordingTransport(status: status, answer),
      overrides: ConfigurationOverrides(logLevel: .trace, logBodyBytes: 65_536), token: nil, logger: log.logger)
    var text = ""
    do { _ = try await client.call(rpc, request) } catch {
      dump(error, to: &text)
      let error = error as? APIError
      text += "\n\(error as Any) \(error?.server as Any) \(error?.decoding as Any)"
    }
    return text + "\n" + log.lines.joined(separator: "\n")
  }

  /// With `SECRET` and `BASE64` in place of what a server quotes: arguments are printed.
  private static let answers: [(status: Int, body: String)] = [
    (400, #"{"code":3,"message":"not SECRET"}"#), (200, #"{"card":{"digits":"SECRET"}}"#),
    (200, #"{"card":{"other":{"pins":{"SECRET":"SECRET"},"digits":"SECRET"}}}"#),
    (200, #"{"card":{"holder":["SECRET"]}}"#), (200, #"{"error":{"message":"SECRET"}}"#), (500, "no BASE64"),
  ]

  @Test(arguments: requests, answers)
  func noneShows(_ request: PayJobRequest, _ answer: (status: Int, body: String)) async throws {
    let body = answer.body.replacing("SECRET", with: Self.secret)
      .replacing("BASE64", with: Self.base64("user:\(Self.secret)"))
    let text = try await shown(DepotRPC.payJob, request, status: answer.status, answer: body)
    #expect(!text.contains(Self.secret), "\(text)")
    #expect(!text.contains(Self.base64(Self.secret)), "\(text)")
    #expect(text.contains("****"))
  }

  private static func base64(_ text: String) -> String {
    String(decoding: Base64.encode(Array(text.utf8)), as: UTF8.self)
  }

  @Test func whatIsNoSecretShows() async throws {
    let text = try await shown(DepotRPC.payJob, Self.requests[0], status: 200, answer: #"{"card":{"holder":"Cy"}}"#)
    #expect(text.contains(#"{"card":{"holder":"Ann","digits":"****","other":{"holder":"Ben","digits":"****"}}}"#))
    #expect(text.contains(#"{"card":{"holder":"Cy"}}"#))
  }

  @Test(arguments: [
    OpenDoorRequest(door: "d", digits: Canary.secret),
    OpenDoorRequest(door: "d", digits: "1", card: Card(digits: Canary.secret)),
    OpenDoorRequest(door: "d", digits: "1", card: Card(pins: [Canary.secret: "x"])),
    OpenDoorRequest(door: "d", digits: "1", card: Card(other: Card(pins: ["x": Canary.secret]))),
  ])
  func neitherPathNorQueryShow(_ request: OpenDoorRequest) async throws {
    for base in ["http://localhost:8080", "http://localhost:8080/base"] {
      let log = CapturedLog()
      let client = try APIClient.test(
        RecordingTransport(status: 404, #"{"message":"no \#(Canary.secret)"}"#), baseURL: base,
        overrides: ConfigurationOverrides(logLevel: .trace, logBodyBytes: 65_536), token: nil, logger: log.logger)
      let error = await apiError { try await client.call(DepotRPC.openDoor, request) }
      #expect(error?.server?.message == "no ****")
      #expect(!log.lines.joined().contains(Canary.secret), "\(log.lines)")
    }
  }

  @Test(arguments: requests) func printingHidesThem(_ request: PayJobRequest) {
    var dumped = ""
    dump(request, to: &dumped)
    dump(request.payment, to: &dumped)
    let texts = [
      "\(request)", String(reflecting: request), "\(request.payment as Any)", String(reflecting: request.payment),
      "\([request.payment])", "\(Mirror(reflecting: request.payment as Any).children.map { $0.value })", dumped,
    ]
    for text in texts { #expect(!text.contains(Self.secret), "\(text)") }
  }

  @Test func aOneofShowsWhichItIs() {
    #expect("\(PayJobRequest.Payment.voucher("12345"))" == "voucher(****)")
    #expect("\(PayJobRequest.Payment.points(5))" == "points(5)")
    #expect("\(PayJobRequest.Payment.stored(Card(holder: "Ann")))".hasPrefix("stored(Card(holder: \"Ann\""))
  }

  @Test func messagesThatContainThemselvesAreVisitedOnce() {
    #expect(SecretText.names(in: Card.self) == ["digits", "stamp", "pins"])
    #expect(SecretText.names(in: PayJobRequest.self) == ["digits", "stamp", "pins", "voucher"])
    #expect(SecretText.names(in: SearchJobsRequest.self).isEmpty)
  }
}
