import NovaCore
public import NovaFixtures
import NovaRecording

extension FixtureExchange {
  /// Returns the responses of an edge case as exchanges.
  ///
  /// - Throws: ``FixtureExchangeError`` for a value that the contract's types cannot represent.
  public static func all(of edgeCase: EdgeCase) throws(FixtureExchangeError) -> [FixtureExchange] {
    var names: [String: NumberedNames] = [:]
    var exchanges: [FixtureExchange] = []
    for answer in edgeCase.answers {
      let name = names[answer.rpc.id, default: NumberedNames()].next(edgeCase.name)
      do {
        exchanges.append(try FixtureExchange(answer, name: name))
      } catch {
        throw FixtureExchangeError("\(answer.rpc.id), \(name): \(error)")
      }
    }
    return exchanges
  }

  private init(_ answer: EdgeCaseAnswer, name: String) throws {
    let rpc = answer.rpc
    let (target, body) = try HTTPTranscoder.request(answer.request, rpc.http)
    var headers: HTTPHeaders = ["Accept": "application/json"]
    if rpc.http.hasBody { headers["Content-Type"] = "application/json" }
    let json: [UInt8] =
      switch answer.form {
      case .complete: try HTTPTranscoder.body(of: answer.response, rpc.http)
      case .sparse: try answer.response.jsonUTF8(rpc.http.json(includesDefaults: false))
      }
    self.init(
      rpc: rpc.id, name: name,
      request: HTTPRequest(method: rpc.http.method, url: Self.baseURL.appending(target), headers: headers, body: body),
      response: HTTPResponse(
        status: rpc.http.successStatus, headers: ["Content-Type": "application/json"], body: json),
      origin: .edgeCase)
  }
}
