import NovaCapture
import NovaCore
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// A response with a record that lacks its id is invalid, and never a record with the id 0.
@Suite struct RecordCheckTests {
  private static let whole = #"{"id":7,"userId":"u","content":"x","contentType":"text"}"#
  /// The record without its id, in every form that a server may write.
  private static let forms = [
    whole.replacing(#""id":7,"#, with: ""), whole.replacing("7", with: "0"), whole.replacing("7", with: "null"),
    whole.replacing("7", with: #""0""#), "{}",
  ]

  private func capture(_ body: String, status: Int = 200) throws -> (CaptureService, RecordingTransport) {
    let transport = RecordingTransport(status: status, body)
    return (CaptureService(client: try APIClient.test(transport)), transport)
  }

  @Test(arguments: forms) func recordsWithoutAnIDAreInvalid(_ record: String) async throws {
    let calls: [(CaptureService) async throws -> Void] = [
      { _ = try await $0.create(text: "x") }, { _ = try await $0.get(id: 7) },
      { _ = try await $0.updateMeaning(id: 7, meaning: "x") },
    ]
    for (index, call) in calls.enumerated() {
      let (capture, transport) = try capture(record, status: index == 0 ? 201 : 200)
      let error = await apiError { try await call(capture) }
      #expect(error?.code == .invalidResponse, "\(index): \(String(describing: error))")
      #expect(error?.message == "the response has a Something without an id")
      #expect(error?.rpc?.hasPrefix("capture.") == true && error?.httpStatus == (index == 0 ? 201 : 200))
      #expect(transport.requests.count == 1, "the server has done it: it is not asked again")
    }
  }

  @Test(arguments: forms, [0, 1, 2]) func inAListToo(_ record: String, place: Int) async throws {
    var records = [Self.whole, Self.whole]
    records.insert(record, at: place)
    let (capture, _) = try capture("[\(records.joined(separator: ","))]")
    let error = await apiError { try await capture.list() }
    #expect(error?.code == .invalidResponse && error?.rpc == "capture.ListSomethings")
    let sequence = await apiError { for try await _ in capture.all() {} }
    #expect(sequence?.code == .invalidResponse)
  }

  @Test func recordsWithAnIDAndEmptyListsAreFine() async throws {
    #expect(try await capture(Self.whole).0.get(id: 7).id == 7)
    #expect(try await capture("[]").0.list().isEmpty)
    #expect(try await capture("[\(Self.whole)]").0.list().map(\.id) == [7])
    #expect(try await capture(#"{"id":-1,"contentType":"text"}"#).0.get(id: -1).id == -1)
  }

  /// The same without the response's type.
  @Test func callsOfDescriptorsAreChecked() async throws {
    let (capture, _) = try capture("{}")
    let error = await apiError {
      try await capture.client.respond(
        CaptureRPC.getSomething.descriptor, GetSomethingRequest(id: 7) as any ProtoMessage)
    }
    #expect(error?.code == .invalidResponse)
  }
}
