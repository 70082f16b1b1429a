import NovaWebSocket
import Testing

@testable import NovaServer

/// What clients send on a connection for events, as docs/websocket.md has it.
@Suite struct EventRequestTests {
  private func read(_ text: String) -> EventRequest? { try? EventRequest(.text(text)) }

  @Test func messagesAreRead() {
    let cases: [(String, EventRequest)] = [
      (#"{"subscribe":["post:1"]}"#, .subscribe(["post:1"], after: "")),
      (#"{"subscribe":["post:1","me"],"after":"e:7"}"#, .subscribe(["post:1", "me"], after: "e:7")),
      (#"{"after":null,"subscribe":[]}"#, .subscribe([], after: "")),
      (#"{"unsubscribe":["post:1"]}"#, .unsubscribe(["post:1"])),
      (#"{"ping":1}"#, .ping), (#" {"ping" : null } "#, .ping),
      // A newer client.
      (#"{"subscribe":["me"],"format":"short"}"#, .subscribe(["me"], after: "")),
    ]
    for (text, request) in cases { #expect(read(text) == request, "\(text)") }
  }

  private static let unreadable = [
    ("", "JSON object"), ("{", "JSON object"), ("[]", "JSON object"), ("7", "JSON object"), ("null", "JSON object"),
    (#"{"ping":1}{"ping":1}"#, "JSON object"), (#"{"ping":1,"ping":1}"#, "JSON object"),
    ("{}", "exactly one"), (#"{"hello":1}"#, "exactly one"), (#"{"Ping":1}"#, "exactly one"),
    (#"{"type":"subscribe","topics":["me"]}"#, "exactly one"), (#"{"after":"e:7"}"#, "exactly one"),
    (#"{"subscribe":["me"],"unsubscribe":["me"]}"#, "exactly one"), (#"{"subscribe":["me"],"ping":1}"#, "exactly one"),
    (#"{"subscribe":7}"#, "subscribe must be"), (#"{"subscribe":"me"}"#, "subscribe must be"),
    (#"{"subscribe":null}"#, "subscribe must be"), (#"{"subscribe":[1]}"#, "subscribe must be"),
    (#"{"subscribe":["me",null]}"#, "subscribe must be"), (#"{"unsubscribe":{}}"#, "unsubscribe must be"),
    (#"{"subscribe":["me"],"after":7}"#, "after must be"), (#"{"subscribe":["me"],"after":["e:7"]}"#, "after must be"),
    (String(repeating: "[", count: 10_000), "JSON object"),
  ]

  @Test(arguments: unreadable) func everythingElseIsNamed(_ text: String, _ reason: String) {
    let problem = #expect(throws: EventRequest.Problem.self) { try EventRequest(.text(text)) }
    #expect(problem?.reason.contains(reason) == true, "\(String(describing: problem))")
    // With its code, it must fit into a frame for control.
    #expect((problem?.reason.utf8.count ?? 0) <= 123)
  }

  @Test func binaryFramesAreNoMessages() {
    let problem = #expect(throws: EventRequest.Problem.self) { try EventRequest(.binary(Array(#"{"ping":1}"#.utf8))) }
    #expect(problem?.reason.contains("text frame") == true)
  }
}
