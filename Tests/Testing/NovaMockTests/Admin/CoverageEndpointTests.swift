import NovaCore
import NovaCoverage
import NovaMock
import Testing

@Suite struct CoverageEndpointTests {
  private static func ask(_ backend: MockBackend, _ method: HTTPMethod = .get) async -> (status: Int, json: JSONValue?)
  {
    let request = HTTPRequest(method: method, url: "http://localhost/_nova/coverage")
    let response = await AdminAPI(backend).respond(to: request)
    return (response.status, try? JSONValue(jsonUTF8: response.body.inMemory))
  }

  private static func tried(_ json: JSONValue?) -> [String] {
    (json?["rpcs"]?.elements ?? []).flatMap { rpc in
      (rpc["points"]?.elements ?? []).compactMap { point -> String? in
        guard point["count"]?.integerValue ?? 0 > 0 else { return nil }
        let name = point["field"]?.stringValue ?? point["status"]?.integerValue.map(String.init) ?? ""
        return
          "\(rpc["rpc"]?.stringValue ?? "") \(name) \(point["constraint"]?.stringValue ?? "") \(point["way"]?.stringValue ?? "")"
      }
    }
  }

  @Test func requestsAreCountedOnceItIsTurnedOn() async throws {
    let backend = MockBackend()
    #expect(await Self.ask(backend).status == 400)
    backend.recordCoverage(CoveragePlan())
    let request = HTTPRequest(
      method: .post, url: "http://localhost/api/v1/graph/followers", headers: ["Content-Type": "application/json"],
      body: Array(#"{"user_id":"mock-user-id","limit":-1}"#.utf8))
    _ = try await backend.answer(request)
    let answer = await Self.ask(backend)
    #expect(answer.status == 200)
    #expect(
      Self.tried(answer.json) == [
        "graph.GetFollowers 400  HTTP", "graph.GetFollowers user_id  body", "graph.GetFollowers limit  body",
        "graph.GetFollowers limit 0 or more body",
      ])
    #expect(answer.json?["tried"]?.integerValue == 4)
    // Removing the requests from the log does not forget what was tried.
    let clear = HTTPRequest(method: .delete, url: "http://localhost/_nova/requests")
    _ = await AdminAPI(backend).respond(to: clear)
    #expect(await Self.ask(backend).json?["tried"]?.integerValue == 4)
    #expect(await Self.ask(backend, .delete).json?["tried"]?.integerValue == 0)
  }
}
