import NovaHTTP
import NovaSupport
import NovaTestSupport
import Testing

/// An HTTP/2 server that goes away, and names the last stream that it processed. Uses `openssl s_server`.
@Suite(.hangLimit) struct GoneStreamTests {
  private struct Run {
    var outcomes: [Result<HTTPResponse, TransportError>] = []
    var requests: [HTTP2Server.Request] = []
  }

  /// Sends requests one after another.
  private func run(
    _ method: HTTPMethod, count: Int = 1, _ script: @escaping HTTP2Server.Script
  ) async throws -> Run {
    let server = try HTTP2Server(script)
    defer { server.stop() }
    let transport = CurlTransport(options: .init(caFile: server.caFile))
    var run = Run()
    for number in 0..<count {
      let url = "https://localhost:\(server.port)/\(number)"
      do {
        let body = Array("{}".utf8)
        run.outcomes.append(.success(try await transport.send(method == .get ? .get(url) : .post(url, body: body))))
      } catch let error as TransportError { run.outcomes.append(.failure(error)) }
    }
    await transport.shutdown()
    run.requests = server.requests
    return run
  }

  /// Nothing was processed: the only stream of its connection is above the last one, whatever the reason for the
  /// GOAWAY.
  @Test(arguments: [HTTPMethod.get, .post], [0, 2, 11])
  func theOnlyStreamIsSentAgain(method: HTTPMethod, error: Int) async throws {
    let run = try await run(method) { request in
      request.connection == 1
        ? HTTP2Server.goAway(lastStream: 0, error: error) : HTTP2Server.answer(request.stream)
    }
    #expect(try run.outcomes[0].get().status == 200)
    #expect(run.requests.map(\.connection) == [1, 2])
  }

  /// The server first announces that it will go away.
  @Test func aSecondGoAwayCounts() async throws {
    let run = try await run(.post) { request in
      request.connection == 1
        ? HTTP2Server.goAway(lastStream: Int(Int32.max)) + HTTP2Server.goAway(lastStream: 0)
        : HTTP2Server.answer(request.stream)
    }
    #expect(try run.outcomes[0].get().status == 200)
  }

  /// The earlier streams were processed.
  @Test(arguments: [HTTPMethod.get, .post]) func aLaterStreamIsSentAgain(method: HTTPMethod) async throws {
    let run = try await run(method, count: 3) { request in
      (request.connection, request.stream) == (1, 3)
        ? HTTP2Server.goAway(lastStream: 1) : HTTP2Server.answer(request.stream)
    }
    for outcome in run.outcomes { #expect(try outcome.get().status == 200) }
    #expect(run.requests.map(\.stream) == [1, 3, 1, 3])
  }

  /// Many streams of a connection are above the last one. libcurl reports it to only one of them.
  @Test(arguments: [HTTPMethod.get, .post], [1, 3, 5, 13])
  func everyLaterStreamIsSentAgain(method: HTTPMethod, last: Int) async throws {
    let server = try HTTP2Server { request in
      guard request.connection == 1, request.stream > 1 else { return HTTP2Server.answer(request.stream) }
      // After all of them have arrived.
      guard request.stream == 17 else { return [] }
      let answers = Swift.stride(from: 3, through: last, by: 2).flatMap { HTTP2Server.answer($0) }
      return answers + HTTP2Server.goAway(lastStream: last)
    }
    defer { server.stop() }
    // The server serves one connection after another.
    let transport = CurlTransport(
      options: .init(connections: ConnectionLimits(maximumConnectionsPerHost: 1), caFile: server.caFile))
    let url = "https://localhost:\(server.port)/"
    #expect(try await transport.send(.get(url)).status == 200)
    let failures: [String] = await withTaskGroup(of: String?.self) { group in
      for index in 0..<8 {
        group.addTask {
          do {
            let body = Array("{}".utf8)
            let response = try await transport.send(method == .get ? .get("\(url)\(index)") : .post(url, body: body))
            return response.status == 200 ? nil : "status \(response.status)"
          } catch { return "\(error)" }
        }
      }
      return await group.reduce(into: [String]()) { all, failure in all += failure.map { [$0] } ?? [] }
    }
    await transport.shutdown()
    #expect(failures == [])
    #expect(server.requests.count { $0.connection > 1 } == 8 - (last - 1) / 2, "\(server.requests)")
  }

  /// The last stream itself may have been processed.
  @Test func theLastStreamIsNotSentAgain() async throws {
    let run = try await run(.post) { request in
      HTTP2Server.goAway(lastStream: request.stream) + HTTP2Server.reset(request.stream, error: 2)
    }
    guard case .failure(let error) = run.outcomes[0] else {
      Issue.record("\(run)")
      return
    }
    #expect(error.requestMayHaveLeft && run.requests.count == 1, "\(error)")
  }

  /// First refused, and then lost on the way: the second try may have been processed.
  @Test func aRequestThatIsLostAfterwardsMayHaveArrived() async throws {
    let run = try await run(.post) { request in
      request.connection == 1
        ? HTTP2Server.goAway(lastStream: 0)
        : HTTP2Server.goAway(lastStream: request.stream) + HTTP2Server.reset(request.stream, error: 2)
    }
    guard case .failure(let error) = run.outcomes[0] else {
      Issue.record("\(run)")
      return
    }
    #expect(error.requestMayHaveLeft && run.requests.count == 2, "\(error)")
  }

  /// A server that processes nothing is left alone after several tries, and every call can be repeated.
  @Test func aServerThatOnlyGoesAwayHasProcessedNothing() async throws {
    let run = try await run(.post) { _ in HTTP2Server.goAway(lastStream: 0) }
    guard case .failure(let error) = run.outcomes[0] else {
      Issue.record("\(run)")
      return
    }
    #expect(error.kind == .connectionLost && !error.requestMayHaveLeft, "\(error)")
    #expect(error.message.contains("repeatedly closed") && run.requests.count == 4, "\(error) \(run.requests)")
  }
}
