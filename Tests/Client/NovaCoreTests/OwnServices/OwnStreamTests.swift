import NovaCore
import NovaTestSupport
import Testing

/// The forms in which gateways send a stream.
@Suite struct OwnStreamTests {
  private func stream<Response>(
    _ rpc: RPC<GetJobRequest, Response>, _ body: String, chunk: Int = .max
  ) async throws -> ServerStream<Response> {
    let bytes = Array(body.utf8)
    let chunks = stride(from: 0, to: bytes.count, by: min(chunk, max(bytes.count, 1))).map { start in
      Array(bytes[start..<min(bytes.count, chunk == .max ? bytes.count : start + chunk)])
    }
    let transport = RecordingTransport { _, _ in
      let chunks = AsyncThrowingStream<[UInt8], any Error> { continuation in
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
      }
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"], body: .stream(HTTPBodyStream(chunks)))
    }
    return try await APIClient.test(transport).stream(rpc, GetJobRequest(id: "j"))
  }

  private func read<Response>(
    _ rpc: RPC<GetJobRequest, Response>, _ body: String, chunk: Int = .max
  ) async throws -> (messages: [Response], error: APIError?) {
    var messages: [Response] = []
    do {
      for try await message in try await stream(rpc, body, chunk: chunk) { messages.append(message) }
      return (messages, nil)
    } catch { return (messages, error as? APIError) }
  }

  private static let forms = [
    "{\"id\":\"a\"}\n{\"id\":\"b,]}\\\"\"}\n", "{\"id\":\"a\"}{\"id\":\"b,]}\\\"\"}",
    "\n\n{\"id\":\"a\"}\n\r\n{\n  \"id\": \"b,]}\\\"\"\n}",
    #"[{"id":"a"},{"id":"b,]}\""}]"#, " [ {\"id\":\"a\"}\n ,\n{\"id\":\"b,]}\\\"\"} ] \n",
    "{\"result\":{\"id\":\"a\"}}\n{\"result\":{\"id\":\"b,]}\\\"\"}}\n",
    #"[{"result":{"id":"a"}},{"result":{"id":"b,]}\""},"error":null}]"#,
  ]

  @Test(arguments: forms, [1, 2, 3, 7, Int.max])
  func everyFormIsRead(_ body: String, _ chunk: Int) async throws {
    let (jobs, error) = try await read(DepotRPC.watchJobs, body, chunk: chunk)
    #expect(error == nil, "\(String(describing: error))")
    #expect(jobs == [Job(id: "a"), Job(id: #"b,]}""#)])
  }

  @Test(arguments: ["", "[]", " [ ] ", "\n"]) func nothingIsAnEmptyStream(_ body: String) async throws {
    let (jobs, error) = try await read(DepotRPC.watchJobs, body)
    #expect(jobs.isEmpty && error == nil, "\(String(describing: error))")
  }

  @Test(arguments: [
    (#"[{"id":"a"}"#, 1), (#"[{"id":"a"},"#, 1), (#"[{"id":"a"},]"#, 1), (#"[{"id":"a"}{"id":"b"}]"#, 1),
    (#"[{"id":"a"}] {"id":"b"}"#, 1), (#"[{"id":"a"},{"id":"#, 1), (#"{"id":"a"}{"id":"#, 1), ("[", 0), ("nonsense", 0),
    (#"[5]"#, 0), (#"[,{"id":"a"}]"#, 0), (#"{"id":"a"} }"#, 1),
  ])
  func aStreamThatIsNotWholeFails(_ body: String, _ count: Int) async throws {
    for chunk in [1, .max] {
      let (jobs, error) = try await read(DepotRPC.watchJobs, body, chunk: chunk)
      #expect(jobs.count == count && error?.code == .decodingError, "\(jobs) \(String(describing: error))")
      #expect(error?.rpc == "depot.WatchJobs")
    }
  }

  @Test func aLongListIsReadInPieces() async throws {
    let name = String(repeating: "x", count: 1000)
    let list = "[" + (0..<5000).map { #"{"id":"\#($0)","name":"\#(name)"}"# }.joined(separator: ",") + "]"
    let (jobs, error) = try await read(DepotRPC.watchJobs, list, chunk: 4096)
    #expect(error == nil && jobs.count == 5000 && jobs.last?.id == "4999")
  }

  // MARK: Envelopes

  @Test(arguments: [
    (#"{"error":{"code":5,"message":"no"}}"#, APIError.Code.notFound),
    (#"[{"error":{"code":5,"message":"no"}}]"#, .notFound),
    (#"{"result":null,"error":{"code":5}}"#, .serverError),
  ])
  func anErrorEndsTheStream(_ body: String, _ code: APIError.Code) async throws {
    let (finds, error) = try await read(DepotRPC.watchFinds, body)
    #expect(finds.isEmpty && error != nil, "\(body)")
    if !body.contains("null") { #expect(error?.code == code) }
  }

  @Test func fieldsOfTheMessageAreNoEnvelope() async throws {
    let body = #"{"result":"r"}{"error":"e"}{"result":"r","error":"e"}{"result":{"result":"r2","error":"e2"}}"#
    let (finds, error) = try await read(DepotRPC.watchFinds, body)
    #expect(error == nil, "\(String(describing: error))")
    #expect(
      finds == [Find(result: "r"), Find(error: "e"), Find(result: "r", error: "e"), Find(result: "r2", error: "e2")])
    let (jobs, failure) = try await read(DepotRPC.watchJobs, #"{"id":"a","error":"lost"}{"error":"lost"}"#)
    #expect(failure == nil && jobs == [Job(id: "a", error: "lost"), Job(error: "lost")])
  }

  @Test(arguments: [
    #"{"code":5,"text":"no"}"#, #"{"result":{"code":5,"text":"no"}}"#, #"[{"code":5,"text":"no"}]"#,
  ])
  func aFieldOfTheResponseCanBeTheMessage(_ body: String) async throws {
    let (responses, error) = try await read(DepotRPC.watchVerdicts, body)
    #expect(responses.map(\.verdict) == [Verdict(code: 5, text: "no")], "\(String(describing: error))")
  }

  @Test func anErrorDoesNotQuoteTheToken() async throws {
    for body in [#"{"error":{"code":16,"message":"not \#(Canary.secret)"}}"#, #"{"limit":"\#(Canary.secret)"}"#] {
      let (_, error) = try await read(DepotRPC.watchJobs, body)
      #expect(error != nil && !"\(String(reflecting: error)) \(error?.server as Any)".contains(Canary.secret))
    }
  }
}
