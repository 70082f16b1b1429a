import NovaCapture
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

/// The limit of ListSomethings is 1…100, however the call is made.
@Suite struct ListSomethingsRangeTests {
  private static let backend = MockBackend()

  private func capture() throws -> CaptureService {
    CaptureService(client: try APIClient.test(MockTransport(Self.backend), token: nil))
  }

  @Test(arguments: [101, -1])
  func callsAreRefused(limit: Int) async throws {
    let capture = try capture()
    let request = ListSomethingsRequest(limit: limit)
    let rpc = CaptureRPC.listSomethings
    let errors = [
      await apiError { try await capture.list(limit: limit) },
      await apiError { try await capture.listSomethings(request) },
      await apiError { try await capture.client.call(rpc, request) },
      await apiError { try await capture.client.respond(rpc.descriptor, request as any ProtoMessage) },
    ]
    for error in errors {
      #expect(error?.code == .invalidArgument && error?.httpStatus == nil)
      #expect(error?.message == "limit must be 1…100, got \(limit)")
    }
  }

  /// In a message, 0 is an absent limit: it is not sent, and the server chooses. In a call with plain arguments, it is a
  /// mistake.
  @Test func anAbsentLimitIsTheServers() async throws {
    let capture = try capture()
    let refused = await apiError { try await capture.list(limit: 0) }
    #expect(refused?.code == .invalidArgument && refused?.rpc == "capture.ListSomethings")
    #expect(refused?.message == "limit must be 1…100, got 0" && refused?.httpStatus == nil)
    let something = try await capture.create(text: "x")
    let rpc = CaptureRPC.listSomethings
    for request in [ListSomethingsRequest(), ListSomethingsRequest(skip: 0, limit: 0)] {
      #expect(try await capture.listSomethings(request).somethings.contains(something))
      let response = try await capture.client.respond(rpc.descriptor, request as any ProtoMessage)
      #expect(response.report.warnings.isEmpty && response.value as? ListSomethingsResponse != nil)
    }
  }

  @Test func sequencesWithLargerPagesAreRefused() async throws {
    let all = try capture().all(pageSize: 101)
    #expect(await apiError { for try await _ in all {} }?.code == .invalidArgument)
  }

  @Test(arguments: [
    ("limit=0", 400), ("limit=101", 400), ("limit=1", 200), ("limit=100", 200), ("skip=0", 200), ("", 200),
  ])
  func theBackendAnswersAccordingly(query: String, status: Int) {
    let response = Self.backend.respond(
      to: HTTPRequest(method: .get, url: "/api/v1/somethings" + (query.isEmpty ? "" : "?\(query)")))
    #expect(response.status == status, "\(query)")
  }
}
