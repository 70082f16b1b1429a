import NovaContract
import NovaCore
import NovaMock
import NovaTesting
import Testing

/// Gateways whose answers have the right form, and that no client can use all the same.
@Suite struct UnusableGatewayTests {
  /// The mock behind a gateway that changes requests and answers.
  private struct Gateway: HTTPTransport {
    let base: any HTTPTransport
    var request: @Sendable (HTTPRequest) -> HTTPRequest = { $0 }
    var answer: @Sendable (HTTPRequest) async throws -> HTTPResponse? = { _ in nil }
    var response: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }

    static func changing(
      _ base: any HTTPTransport, _ response: @escaping @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse
    ) -> Gateway { Gateway(base: base, response: response) }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      if let answer = try await answer(request) { return answer }
      return response(request, try await base.send(self.request(request)))
    }
  }

  private func check(
    of path: String? = nil, _ change: (inout ContractCheck.Options) -> Void = { _ in },
    _ gateway: @escaping @Sendable (MockTransport) -> Gateway
  ) async -> ContractReport {
    await ContractCheck.ofMock {
      if let path { $0.checkOnlyService(of: path) }
      change(&$0)
    } transport: {
      gateway($0)
    }.run()
  }

  private func breaking(_ report: ContractReport) -> Set<String> {
    Set(report.differences.filter { $0.grade == .breaking }.map { "\($0.kind) \($0.rpc) \($0.path)" })
  }

  private static func isAt(_ path: String, _ request: HTTPRequest) -> Bool {
    request.url.text.prefix { $0 != "?" }.hasSuffix(path)
  }

  private static func json(
    _ response: HTTPResponse, _ change: ([JSONValue.Member]) -> [JSONValue.Member]
  ) -> HTTPResponse {
    guard response.isSuccess, let body = response.body.bytes,
      case .object(let members) = try? JSONValue(jsonUTF8: body)
    else { return response }
    var response = response
    response.body = .bytes(JSONValue.object(change(members)).jsonUTF8)
    return response
  }

  // MARK: Another record

  @Test(arguments: [
    ("/users/profile", "profile", "id", "user.GetUserProfile"), ("/content/post", "post", "id", "content.GetPost"),
    ("/users/settings", "settings", "user_id", "user.GetUserSettings"),
    ("/content/post/update", "post", "id", "content.UpdatePost"),
    ("/media/upload", "upload", "id", "media.GetUpload"), ("/media/video", "video", "id", "media.GetVideo"),
    ("/social/comment/get", "comment", "id", "social.GetComment"),
  ])
  func anotherRecordIsBreaking(path: String, record: String, field: String, rpc: String) async {
    let found = await check(of: "/api/v1\(path)") { mock in
      Gateway.changing(mock) { request, response in
        guard Self.isAt(path, request), request.method != .get else { return response }
        return Self.json(response) { members in
          members.map { member in
            guard member.name == record, let inner = member.value.memberList else { return member }
            let changed = inner.map { $0.name == field ? .init(name: field, value: .string("zzz-other")) : $0 }
            return .init(name: record, value: .object(changed))
          }
        }
      }
    }
    #expect(breaking(found).contains("inconsistent \(rpc) id"), "\(found.differences.map(\.line))")
  }

  // MARK: Pages

  @Test(arguments: [
    ("/posts/author", "offset", "content.GetPostsByAuthor offset"),
    ("/comments", "offset", "social.GetComments offset"),
    ("/users/search", "offset", "user.SearchUsers offset"), ("/feed", "cursor", "feed.GetFeed cursor"),
    ("/events/list", "after", "event.ListEvents "),
  ])
  func ignoredPositionsAreBreaking(path: String, field: String, difference: String) async {
    let found = await check { mock in
      Gateway(
        base: mock,
        request: { request in
          guard Self.isAt(path, request),
            case .object(let members)? = request.body.bytes.flatMap({
              try? JSONValue(jsonUTF8: $0)
            })
          else { return request }
          var request = request
          request.body = .bytes(JSONValue.object(members.filter { $0.name != field }).jsonUTF8)
          return request
        })
    }
    #expect(breaking(found).contains("inconsistent \(difference)"), "\(found.differences.map(\.line))")
  }

  @Test func anEventThatIsListedAgainIsBreaking() async {
    let found = await check { mock in
      Gateway(
        base: mock,
        request: { request in
          guard Self.isAt("/events/list", request),
            case .object(let members)? = request.body.bytes.flatMap({
              try? JSONValue(jsonUTF8: $0)
            }), members.contains(where: { $0.name == "after" })
          else { return request }
          var request = request
          // The first position that there is.
          request.body = .bytes(
            JSONValue.object(
              members.map { member in
                guard member.name == "after", let text = member.value.stringValue, let end = text.lastIndex(of: ":")
                else { return member }
                return .init(name: "after", value: .string(text[...end] + "0"))
              }
            ).jsonUTF8)
          return request
        })
    }
    #expect(!breaking(found).filter { $0.contains("event.ListEvents") }.isEmpty, "\(found.differences.map(\.line))")
  }

  @Test func batchesInAnotherOrderOrWithoutARecordAreBreaking() async {
    for (path, name, rpc) in [
      ("/posts/batch", "posts", "content.GetPostsByIds"), ("/profiles/batch", "profiles", "user.GetUserProfilesByIds"),
    ] {
      for drops in [false, true] {
        let found = await check { mock in
          Gateway.changing(mock) { request, response in
            guard Self.isAt(path, request) else { return response }
            return Self.json(response) { members in
              members.map { member in
                guard member.name == name, let items = member.value.elements else { return member }
                return .init(name: name, value: .array(drops ? items.dropLast() : items.reversed()))
              }
            }
          }
        }
        #expect(
          breaking(found) == ["inconsistent \(rpc) \(drops ? "" : "order")"], "\(found.differences.map(\.line))")
        // Other requests are sent before the difference is found.
        let evidence = found.differences.first { $0.grade == .breaking }?.evidence
        #expect(evidence?.status == 200 && evidence?.curl.contains("\(path)'") == true, "\(evidence?.curl ?? "")")
      }
    }
  }

  // MARK: What was written

  @Test func whatIsWrittenMustBeThere() async {
    let found = await check { mock in
      Gateway.changing(mock) { _, response in
        Self.json(response) { members in
          members.map { member in
            if member.value.elements != nil { return .init(name: member.name, value: .array([])) }
            return ["total", "total_count"].contains(member.name)
              ? .init(name: member.name, value: .number("0")) : member
          }
        }
      }
    }
    let lists = [
      "graph.GetFollowers", "graph.GetFollowing", "content.GetPostsByAuthor", "content.GetUserBookmarks",
      "social.GetComments", "social.GetPostLikes", "social.GetUserLikedPosts", "event.ListEvents",
    ]
    for rpc in lists { #expect(breaking(found).contains("inconsistent \(rpc) "), "\(rpc)") }
  }

  /// Gateways may show it a moment later.
  @Test func whatComesAMomentLaterIsNoDifference() async {
    let counts = Locked<[String: Int]>([:])
    let found = await check(of: "/api/v1/graph/followers") { mock in
      Gateway.changing(mock) { request, response in
        guard ["/graph/followers", "/graph/is-following"].contains(where: { Self.isAt($0, request) }) else {
          return response
        }
        let number = counts.withLock { counts in
          counts[request.url.text + String(decoding: request.body.bytes ?? [], as: UTF8.self), default: 0] += 1
          return counts[request.url.text + String(decoding: request.body.bytes ?? [], as: UTF8.self)] ?? 0
        }
        guard number < 3, Self.isAt("/graph/is-following", request) else { return response }
        return Self.json(response) { _ in [.init(name: "is_following", value: .bool(false))] }
      }
    }
    #expect(found.isPassed, "\(found.differences.map(\.line))")
  }

  @Test func aTokenThatIsNoneMustNotBeValid() async {
    let found = await check { mock in
      Gateway.changing(mock) { request, response in
        guard Self.isAt("/auth/verify", request) || request.url.text.contains("verify") else { return response }
        return Self.json(response) { members in
          members.filter { $0.name != "is_valid" } + [.init(name: "is_valid", value: .bool(true))]
        }
      }
    }
    #expect(breaking(found).contains("accepted auth.VerifyToken is_valid"), "\(found.differences.map(\.line))")
  }

  // MARK: Something else

  @Test(arguments: [
    #"{"errors":[{"message":"db down"}]}"#, #"{"detail":"db down"}"#, #"{"data":{"count":3}}"#, #"{"items":[]}"#,
    #"{"title":"Service Unavailable","status":503}"#,
  ])
  func anAnswerWithoutAnyFieldIsBreaking(_ body: String) async {
    for path in ["/social/likes/count", "/graph/followers"] {
      let found = await check(of: "/api/v1\(path)") { mock in
        Gateway.changing(mock) { request, response in
          guard Self.isAt(path, request), response.isSuccess else { return response }
          return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
        }
      }
      #expect(!found.isPassed, "\(body) \(found.differences.map(\.line))")
    }
  }

  /// A field that was added, beside one of the contract. Alone, it is the JSON of something else for the SDK.
  @Test(arguments: [(#"{"cost":3,"count":0}"#, true), (#"{"cost":3}"#, false)])
  func anAddedFieldIsNotBreaking(_ body: String, _ isPassed: Bool) async {
    let found = await check(of: "/api/v1/social/shares/count") { mock in
      Gateway.changing(mock) { request, response in
        guard Self.isAt("/shares/count", request), response.isSuccess else { return response }
        return HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
      }
    }
    #expect(found.isPassed == isPassed, "\(found.differences.map(\.line))")
  }

  @Test func anRPCThatIsAlwaysOverloadedDoesNotPass() async {
    let found = await check { mock in
      Gateway(base: mock, answer: { Self.isAt("/graph/followers", $0) ? HTTPResponse(status: 503) : nil })
    }
    #expect(found.overloaded == ["graph.GetFollowers"] && !found.isPassed)
  }

  // MARK: Streams

  private static func stream(_ type: String, _ text: String, isOpen: Bool = false) -> HTTPResponse {
    let (chunks, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    if !text.isEmpty { continuation.yield(Array(text.utf8)) }
    if isOpen { kept.withLock { $0.append(continuation) } } else { continuation.finish() }
    return HTTPResponse(status: 200, headers: ["Content-Type": type], body: .stream(HTTPBodyStream(chunks)))
  }

  private static let kept = Locked<[AsyncThrowingStream<[UInt8], any Error>.Continuation]>([])

  /// Only streams that the contract accepts are answered so.
  private func checkStream(_ response: @escaping @Sendable () -> HTTPResponse) async -> ContractReport {
    await check {
      $0.rpcs = ["event.StreamEvents"]
      $0.quietStream = .milliseconds(100)
    } _: { mock in
      Gateway(
        base: mock,
        answer: { request in
          let isAccepted =
            request.method == .get && request.url.text.contains("/events/stream?topics=user")
            && request.headers["Authorization"]?.contains("contract") != true
          return isAccepted ? response() : nil
        })
    }
  }

  @Test(arguments: [
    ("application/json", #"{"detail":"x"}"#), ("application/json", "<html>"), ("application/json", "[{}]"),
    ("application/json", #"{"error":{"code":7,"message":"no"}}"#), ("application/json", "[7]"),
    ("application/json", #"{"code":7,"message":"no"}"#), ("application/json", ""),
    ("text/event-stream", "id: 1\ndata: {\"error\":{\"code\":7,\"message\":\"x\"}}\n\n"),
    ("text/event-stream", "id: 1\ndata: {\"detail\":\"x\"}\n\n"), ("text/event-stream", "event: error\ndata: no\n\n"),
    ("text/event-stream", "id: 1\ndata: oops\n\n"), ("text/event-stream", "<html></html>\n\n"),
    ("text/event-stream", ""),
  ])
  func aStreamOfSomethingElseIsBreaking(type: String, text: String) async {
    let report = await checkStream { Self.stream(type, text) }
    #expect(!breaking(report).isEmpty, "\(report.differences.map(\.line))")
  }

  /// What a subscription reads, although it is not in the contract's form.
  @Test(arguments: [
    ("application/json", #"[{"id":"1","type":"x"}]"#), ("application/json", #"{"result":{"id":"1","type":"x"}}"#),
    ("application/json", #"[{"id":"1","ty"#), ("application/x-ndjson", "{\"id\":\"1\",\"type\":\"x\"}\n"),
    ("text/event-stream", "id: 1\ndata: {\"result\":{\"id\":\"1\",\"type\":\"x\"}}\n\n"),
    ("text/event-stream", "event: ping\ndata: {}\n\n"), ("text/event-stream", "retry: 1\n\n"),
  ])
  func aStreamInAnotherFormIsTolerated(type: String, text: String) async {
    let report = await checkStream { Self.stream(type, text) }
    #expect(report.isPassed && breaking(report).isEmpty, "\(report.differences.map(\.line))")
  }

  /// On a quiet stream, nothing comes until something happens.
  @Test(arguments: [
    ("application/json", ""), ("application/json", "["), ("text/event-stream", ""), ("text/event-stream", ":\n"),
  ])
  func aQuietStreamIsNoDifference(type: String, text: String) async {
    let report = await checkStream { Self.stream(type, text, isOpen: true) }
    #expect(report.isPassed && report.stop == nil, "\(report.differences.map(\.line))")
  }

  /// Streams that are held back are the streams' difference, and nothing else's.
  @Test func streamsWithoutAnAnswerEndNothing() async {
    let report = await check { mock in
      Gateway(
        base: mock,
        answer: { request in
          guard request.url.text.contains("/events/stream") else { return nil }
          throw TransportError(.totalTimeout, "no answer within 30 s", requestMayHaveLeft: true)
        })
    }
    #expect(report.stop == nil && report.notCleanedUp == [], "\(report.notCleanedUp)")
    #expect(Set(report.differences.map(\.rpc)) == ["event.StreamEvents"] && !report.isPassed)
  }

  @Test func whatWasCreatedIsDeletedAfterRequestsWithoutAnAnswer() async {
    let report = await check { mock in
      Gateway(
        base: mock,
        answer: { request in
          guard request.url.text.contains("/feed") else { return nil }
          throw TransportError(.totalTimeout, "no answer within 30 s", requestMayHaveLeft: true)
        })
    }
    guard case .noConnection? = report.stop else { return #expect(report.stop != nil) }
    #expect(report.notCleanedUp == [])
  }

  // MARK: Forms of gateways

  @Test(arguments: [
    HTTPResponse(status: 401, headers: ["Content-Type": "text/plain"], body: Array("Jwt is missing".utf8)),
    HTTPResponse(status: 401, headers: ["grpc-status": "16", "grpc-message": "Jwt is missing"], body: []),
    HTTPResponse(status: 403, headers: ["Content-Type": "text/plain"], body: Array("RBAC: access denied".utf8)),
  ])
  func aGatewayThatWantsATokenForEverythingIsNotChecked(_ refusal: HTTPResponse) async {
    let report = await check { mock in Gateway(base: mock, answer: { _ in refusal }) }
    #expect(report.differences.filter { $0.grade == .breaking } == [], "\(report.differences.map(\.line))")
    #expect(!report.refused.isEmpty && !report.isPassed)
  }

  private static func withoutDefaults(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let members):
      .object(
        members.filter { member in
          switch member.value {
          case .null, .bool(false), .string(""), .array([]), .object([]), .number("0"): false
          default: true
          }
        }.map { .init(name: $0.name, value: withoutDefaults($0.value)) })
    case .array(let elements): .array(elements.map(withoutDefaults))
    default: value
    }
  }

  @Test func leftOutDefaultsAreOneDifference() async {
    let report = await check { mock in
      Gateway.changing(mock) { request, response in
        // Their lists need empty texts, too.
        guard response.isSuccess, !request.url.text.contains("/announcements"),
          let json = try? JSONValue(jsonUTF8: response.body.bytes ?? [])
        else {
          return response
        }
        var response = response
        response.body = .bytes(Self.withoutDefaults(json).jsonUTF8)
        return response
      }
    }
    let missing = report.differences.filter { $0.kind == .missing && $0.grade == .tolerated }
    #expect(missing.map(\.rpc) == ["gateway"] && missing.first?.count ?? 0 > 50, "\(missing.map(\.line))")
    #expect(report.isPassed, "\(report.differences.map(\.line))")
  }
}
