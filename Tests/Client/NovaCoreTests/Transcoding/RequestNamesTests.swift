import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaRegistry
import NovaTestSupport
import Testing

/// The names that requests are written in: the contract's, or those that a service reads.
@Suite struct RequestNamesTests {
  private func sent<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, names: JSONNameStyle?
  ) async throws -> (target: String, body: String) {
    let transport = RecordingTransport("{}")
    let service = ServiceConfiguration(requestNames: names)
    let client = try APIClient.test(
      transport, overrides: ConfigurationOverrides(services: [rpc.descriptor.service: service]))
    _ = try? await client.call(rpc, request)
    let sent = try #require(transport.requests.first)
    return (
      sent.url.target, String(decoding: sent.body.inMemory, as: UTF8.self)
    )
  }

  @Test func bodiesHaveTheNamesThatAreSet() async throws {
    let image = CreateSomethingRequest(contentType: "image", mediaUrl: "https://x/y")
    let create = CaptureRPC.createSomething
    #expect(try await sent(create, image, names: nil).body == #"{"contentType":"image","mediaUrl":"https://x/y"}"#)
    #expect(
      try await sent(create, image, names: .lowerCamelCase).body == #"{"contentType":"image","mediaUrl":"https://x/y"}"#
    )
    #expect(try await sent(create, image, names: .proto).body == #"{"content_type":"image","media_url":"https://x/y"}"#)
    let meaning = try await sent(CaptureRPC.updateMeaning, UpdateMeaningRequest(id: 7, meaning: "Calm"), names: .proto)
    #expect(meaning == ("/api/v1/somethings/7/meaning", #"{"meaning":"Calm"}"#))
    let post = GetPostsByAuthorRequest(authorId: "u", limit: 3)
    #expect(try await sent(ContentRPC.getPostsByAuthor, post, names: nil).body == #"{"author_id":"u","limit":3}"#)
    #expect(
      try await sent(ContentRPC.getPostsByAuthor, post, names: .lowerCamelCase).body == #"{"authorId":"u","limit":3}"#)
    let nested = RankPostsRequest(userId: "u", posts: [RankablePost(id: "p", authorId: "a")])
    #expect(
      try await sent(FeedRPC.rankPosts, nested, names: .lowerCamelCase).body
        == #"{"userId":"u","posts":[{"id":"p","authorId":"a"}]}"#)
  }

  /// Every RPC, in both styles: what is read again is what was sent, whether it is in the path, the query or the body.
  @Test(arguments: RPCRegistry.nova.rpcs, [JSONNameStyle.proto, .lowerCamelCase])
  func everyRequestIsReadAgain(_ rpc: RPCDescriptor, _ names: JSONNameStyle) throws {
    let values = rpc.requestType.descriptor.fields.compactMap { field -> JSONValue.Member? in
      let value: JSONValue
      switch field.kind {
      case .string: value = .string("x y")
      case .bool: value = .bool(true)
      case .int32, .int64, .uint32, .double, .unixSeconds: value = .number("7")
      default: return nil
      }
      return .init(name: field.name, value: field.cardinality == .repeated ? .array([value]) : value)
    }
    let request = try rpc.requestType.init(jsonUTF8: JSONValue.object(values).jsonUTF8)
    let binding = rpc.http.writing(names)
    let sent = try HTTPTranscoder.request(request, binding)
    let parts = sent.target.split(separator: "?", maxSplits: 1).map(String.init)
    let variables = rpc.http.path.isEmpty ? [:] : try #require(PathTemplate(rpc.http.path).match(parts[0]))
    let read = try HTTPTranscoder.message(
      rpc.requestType, rpc.http, variables: variables, query: parts.count > 1 ? parts[1] : "", body: sent.body)
    #expect(try read.jsonUTF8() == request.jsonUTF8())
    let text = (parts.count > 1 ? parts[1] : "") + String(decoding: sent.body, as: UTF8.self)
    for field in rpc.requestType.descriptor.fields where field.name != field.jsonName {
      #expect(!text.contains("\"\(names == .proto ? field.jsonName : field.name)\""), "\(text)")
    }
  }

  @Test(arguments: [("snake_case", JSONNameStyle.proto), ("lowerCamelCase", .lowerCamelCase)])
  func theyAreSetInFilesVariablesAndCode(_ text: String, _ style: JSONNameStyle) throws {
    let file = try load(file: #"{"services":{"capture":{"request_names":"\#(text)"}}}"#)
    #expect(file.requestNames(for: "capture") == style && file.requestNames(for: "graph") == nil)
    #expect(file.entry("services.capture.request_names")?.value == text)
    let variable = try load(["NOVA_CAPTURE_REQUEST_NAMES": text])
    #expect(variable.requestNames(for: "capture") == style)
    #expect(variable.entry("services.capture.request_names")?.source.description == "NOVA_CAPTURE_REQUEST_NAMES")
    let overrides = ConfigurationOverrides(services: ["capture": ServiceConfiguration(requestNames: style)])
    #expect(try load(["NOVA_CAPTURE_REQUEST_NAMES": "snake_case"], overrides).requestNames(for: "capture") == style)
  }

  @Test func otherNamesAreRefused() {
    #expect(
      message { try load(["NOVA_CAPTURE_REQUEST_NAMES": "kebab-case"]) }
        == "NOVA_CAPTURE_REQUEST_NAMES is \"kebab-case\" (environment variable): expected snake_case or lowerCamelCase")
    #expect(
      message { try load(file: #"{"services":{"capture":{"request_names":true}}}"#) }
        == "services.capture.request_names is true (APIConfig.json): expected snake_case or lowerCamelCase")
    #expect(
      message { try load(file: #"{"environments":{"staging":{"request_names":"snake_case"}}}"#) }
        .hasPrefix("environments.staging.request_names is not a key of the configuration"))
  }
}
