import NovaCapture
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// What goes over the wire: REST in lowerCamelCase.
@Suite struct CaptureWireTests {
  private static let something = """
    {"id": 123, "userId": "u", "content": "My thought", "contentType": "text", "mediaUrl": null, "meaning": null,
     "isMeaningUserEdited": false, "noveltyScore": 0.75, "createdAt": "2025-12-07T12:34:56.789Z",
     "updatedAt": "2025-12-07T13:34:56.789123+01:00"}
    """

  private static let calm = something.replacing(#""meaning": null"#, with: #""meaning": "Calm""#)

  @Test func datesHaveAFractionAndAMeaningMayBeNull() async throws {
    let capture = CaptureService(client: try APIClient.test(RecordingTransport(Self.something)))
    let something = try await capture.get(id: 123)
    #expect(something.createdAt == Timestamp(seconds: 1_765_110_896, nanoseconds: 789_000_000))
    #expect(something.updatedAt == Timestamp(seconds: 1_765_110_896, nanoseconds: 789_123_000))
    #expect(something.meaning == nil && something.mediaUrl == nil && something.noveltyScore == 0.75)
  }

  @Test func everyCallIsTheContracts() async throws {
    let transport = RecordingTransport { number, _ in
      let bodies = [Self.something, "[\(Self.something)]", Self.something, Self.calm, ""]
      let status = [201, 200, 200, 200, 204]
      return HTTPResponse(
        status: status[number], headers: ["Content-Type": "application/json"], body: Array(bodies[number].utf8))
    }
    let capture = CaptureService(client: try APIClient.test(transport))
    try await capture.create(text: "My thought")
    #expect(try await capture.list(skip: 5, limit: 10).map(\.id) == [123])
    _ = try await capture.get(id: 123)
    try await capture.updateMeaning(id: 123, meaning: "Calm")
    try await capture.delete(id: 123)
    let sent = transport.requests.map { request in
      let target = request.url.text.dropFirst("http://localhost:8080/api/v1".count)
      return "\(request.method) \(target) \(String(decoding: request.body.inMemory, as: UTF8.self))"
    }
    #expect(
      sent == [
        #"POST /somethings {"content":"My thought","contentType":"text"}"#, "GET /somethings?skip=5&limit=10 ",
        "GET /somethings/123 ", #"PATCH /somethings/123/meaning {"meaning":"Calm"}"#, "DELETE /somethings/123 ",
      ])
    #expect(transport.requests.allSatisfy { $0.headers["Authorization"]?.hasPrefix("Bearer ") == true })
  }

  @Test func aCallMayTake15Seconds() async throws {
    let transport = RecordingTransport(status: 201, Self.something)
    let capture = CaptureService(client: try APIClient.test(transport))
    try await capture.create(text: "My thought")
    try await capture.with { $0.timeout = .seconds(1) }.create(text: "My thought")
    #expect(transport.requests.map(\.limits.totalTimeout) == [.seconds(15), .seconds(1)])
    for rpc in CaptureRPC.all { #expect(rpc.timeout == .seconds(15), "\(rpc.id)") }
  }

  @Test func unauthorizedIsAnErrorOfItsOwn() async throws {
    let capture = CaptureService(client: try APIClient.test(RecordingTransport(status: 401, "")))
    let error = await apiError { try await capture.list() }
    #expect(error?.code == .unauthorized && error?.httpStatus == 401)
  }
}
