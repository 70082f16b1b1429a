import NovaCore
import NovaTestSupport
import Testing

/// Bindings beyond those of the contract: none, one field as the body, and messages in the query.
@Suite struct HTTPBindingTests {
  private static func rpc(_ http: HTTPBinding) -> RPC<ErrorStatus, ErrorStatus> {
    RPC(service: "demo", package: "demo.v1.Demo", method: "Get", effect: .notIdempotent, http: http, summary: "")
  }

  @Test func aCallWithoutABindingFailsBeforeAnythingIsSent() async {
    let transport = RecordingTransport("{}")
    let client = APIClient(configuration: .builtIn, transport: transport)
    await #expect {
      try await client.call(Self.rpc(.unbound), ErrorStatus())
    } throws: { error in
      let error = error as? APIError
      return error?.code == .unimplemented && error?.rpc == "demo.Get"
        && error?.message.hasPrefix("demo.v1.Demo.Get has no HTTP binding; add an option google.api.http") == true
    }
    #expect(transport.requests.isEmpty)
    await client.shutdown()
  }

  @Test func oneFieldCanBeTheBody() throws {
    let binding = HTTPBinding(.patch, "/items/{code}", bodyField: "metadata")
    let message = ErrorStatus(code: "a", message: "m n", metadata: ["k": "v"])
    let sent = try HTTPTranscoder.request(message, binding)
    #expect(sent.target == "/items/a?message=m%20n")
    #expect(String(decoding: sent.body, as: UTF8.self) == #"{"k":"v"}"#)
    let received = try HTTPTranscoder.message(
      ErrorStatus.self, binding, variables: ["code": "a"], query: "message=m%20n", body: sent.body)
    #expect(received as? ErrorStatus == message)
    let empty = try HTTPTranscoder.request(ErrorStatus(code: "a"), binding)
    #expect(empty.target == "/items/a" && empty.body == Array("{}".utf8))
  }
}
