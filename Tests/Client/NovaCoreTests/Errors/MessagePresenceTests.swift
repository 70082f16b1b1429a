import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaRegistry
import NovaTestSupport
import NovaUsers
import Testing

/// JSON of something else under a status of success: it is no message, and least of all an empty one.
@Suite struct MessagePresenceTests {
  static let foreign: [(body: String, text: String)] = [
    (#"{"detail":"db down"}"#, "db down"), (#"{"detail":[{"loc":["body"],"msg":"no","type":"t"}]}"#, "body: no"),
    (#"{"errors":[{"message":"x"}]}"#, "x"), (#"{"errors":["y"],"data":null}"#, "y"),
    (#"{"message":"Forbidden"}"#, "Forbidden"), (#"{"errorMessage":"died","errorType":"E"}"#, "died"),
    (#"{"fault":{"faultstring":"no proxy"}}"#, "no proxy"), (#"{"status":"error"}"#, ""), (#"{"status":"ok"}"#, ""),
    (#"{"title":"Service Unavailable","status":503}"#, "Service Unavailable"), (#"{"login":"https://portal"}"#, ""),
    (#"{"data":{"user_ids":["a"]}}"#, ""), (#"{"code":0,"message":"OK","data":{"user_ids":["a"]}}"#, "OK"),
    (#"{"code":0,"data":[]  ,"n":1}"#, ""), (#"{"code":"ABC-1","message":"x"}"#, "x"), (#"{"code":-1}"#, ""),
    (#"{"ok":false}"#, ""), (#"{"userids":["a"]}"#, ""), (#"{"USER_IDS":["a"]}"#, ""), (#"{"result":[]  ,"n":0}"#, ""),
  ]

  /// The JSON of an empty message, or with a field in any spelling.
  static let own: [String] = [
    "{}", " { } ", #"{"user_ids":[]}"#, #"{"userIds":[],"detail":"x"}"#,
    #"{"total_count":0,"errors":[{"message":"x"}]}"#,
    #"{"has_more":false,"message":"Forbidden"}"#, #"{"hasMore":null,"title":"x","status":503}"#, #"{"detail":null}"#,
    #"{"errors":[]}"#, #"{"message":""}"#, #"{"code":0,"message":"OK","details":"none"}"#, #"{"success":true}"#,
    #"{"error":null,"success":"true","message":"done"}"#, "\u{FEFF}{}",
  ]

  private func failure(_ name: String, _ body: String, type: String = "application/json") async throws -> APIError? {
    let rpc = try #require(RPCRegistry.nova.rpc(named: name))
    let client = try APIClient.test(RecordingTransport(headers: ["Content-Type": type], body))
    let request = JSONValue.object(
      PathTemplate(rpc.http.path).variables.map { .init(name: $0, value: .string("1")) })
    return await apiError {
      try await client.respond(
        rpc, try rpc.requestType.init(jsonUTF8: request.jsonUTF8), options: CallOptions(checksArguments: false))
    }
  }

  @Test(arguments: foreign) func foreignJSONIsNoMessage(_ row: (body: String, text: String)) async throws {
    for name in ["graph.GetFollowers", "graph.IsFollowing", "content.DeletePost", "social.CreateLike"] {
      let error = try await failure(name, row.body)
      // A message of its own has some of these fields, and says itself that nothing was done.
      let fields = RPCRegistry.nova.rpc(named: name)?.responseType.descriptor
      let isOwn = (try JSONValue(jsonUTF8: Array(row.body.utf8)).memberList ?? []).contains {
        fields?.field(named: $0.name) != nil
      }
      if isOwn { continue }
      #expect(
        error?.code == .invalidResponse && error?.httpStatus == 200, "\(name) \(row): \(String(describing: error))")
      #expect(error?.message.hasPrefix("not what the contract describes: ") == true)
      #expect(
        error?.isFromAnotherServer == true && (error?.server?.message ?? "") == row.text,
        "\(row): \(String(describing: error?.server))")
    }
  }

  @Test(arguments: own) func aFieldOrNoneIsTheMessage(_ body: String) async throws {
    #expect(try await failure("graph.GetFollowers", body) == nil, "\(body)")
  }

  /// Problem details are a failure whatever they contain; a code in them says which.
  @Test func problemDetailsAreAFailure() async throws {
    for type in ["application/problem+json", "Application/Problem+JSON; charset=utf-8", "application/problem+xml"] {
      for body in [#"{"title":"t","status":503}"#, #"{"user_ids":["a"],"total_count":1}"#, "{}", ""] {
        let error = try await failure("graph.GetFollowers", body, type: type)
        #expect(error?.code == .invalidResponse, "\(type) \(body): \(String(describing: error))")
      }
    }
    let coded = try await failure("graph.GetFollowers", #"{"title":"t","code":14}"#, type: "application/problem+json")
    #expect(coded?.code == .unavailable)
    #expect(try await failure("graph.GetFollowers", "{}", type: "application/vnd.api+json") == nil)
  }

  /// A message without fields can be any object that does not look like a failure.
  @Test(arguments: [
    ("{}", true), ("", true), (#"{"message":"ok"}"#, true), (#"{"status":"ok"}"#, true), (#"{"success":true}"#, true),
    (#"{"deleted":1}"#, true), (#"{"error":null}"#, true), (#"{"errors":[]}"#, true), (#"{"code":200}"#, true),
    (#"{"status":204}"#, true), (#"{"error":false}"#, true), (#"{"detail":"db down"}"#, false),
    (#"{"errors":[{"message":"x"}]}"#, false), (#"{"errorMessage":"x"}"#, false), (#"{"fault":{"a":1}}"#, false),
    (#"{"error":"x"}"#, false), (#"{"status":503,"title":"x"}"#, false), (#"{"statusCode":403,"message":"x"}"#, false),
    (#"{"ok":false}"#, false), (#"{"status":"error"}"#, false), (#"{"success":false}"#, false),
    (#"{"title":"Blocked by policy"}"#, false), (#"{"details":"denied"}"#, false), (#"{"traceback":"x"}"#, false),
    (#"{"code":13,"message":"x"}"#, false), (#"{"status":"ok","detail":"deleted"}"#, true),
    (#"{"success":true,"details":"deleted"}"#, true), (#"{"ok":true,"title":"Deleted"}"#, true),
    (#"{"status":"success","errors":["x"]}"#, false), (#"{"detail":""}"#, true), (#"{"status":"failed"}"#, false),
    (#"{"status":301}"#, true), (#"{"code":"ABC"}"#, true),
  ])
  func aMessageWithoutFieldsIsAnyObjectWithoutAFailure(_ body: String, _ isSuccess: Bool) async throws {
    let error = try await failure("capture.DeleteSomething", body)
    #expect((error == nil) == isSuccess, "\(body): \(String(describing: error))")
  }

  /// For every RPC: an object of something else is never its response, and a field by any of its names always can be.
  @Test func theRuleHoldsForEveryRPC() async throws {
    for rpc in RPCRegistry.nova.rpcs where !rpc.isServerStreaming {
      let error = try await failure(rpc.id, #"{"detail":"db down","nova_unknown":1}"#)
      #expect([.invalidResponse, .decodingError].contains(error?.code), "\(rpc.id): \(String(describing: error))")
      guard rpc.http.responseField == nil else { continue }
      for field in rpc.responseType.descriptor.fields where field.name != "id" {
        for name in [field.name, field.jsonName] + field.aliases {
          let error = try await failure(rpc.id, "{\"\(name)\":null,\"nova_unknown\":1}")
          let isForeign = error?.message.hasPrefix("not what the contract describes") == true
          #expect(!isForeign, "\(rpc.id) \(name): \(String(describing: error))")
        }
      }
    }
  }

  @Test func secretsThatForeignJSONRepeatsAreMasked() async throws {
    let token = "secret-token-0123456789"
    let client = try APIClient.test(RecordingTransport(#"{"detail":"token \#(token) is bad"}"#))
    let error = await apiError {
      try await client.call(
        GraphRPC.getFollowers, GetFollowersRequest(userId: "u"), options: CallOptions(token: try AccessToken(token)))
    }
    #expect(error?.code == .invalidResponse)
    #expect(error.map { !"\($0) \($0.server?.message ?? "")".contains(token) } == true, "\(String(describing: error))")
  }
}
