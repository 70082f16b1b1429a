import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// Where the fields of requests go, and that mock routes read them back.
@Suite struct OwnRequestTests {
  private func sent(_ message: any ProtoMessage, _ rpc: RPCDescriptor) throws -> (target: String, body: String) {
    let parts = try HTTPTranscoder.request(message, rpc.http)
    return (parts.target, String(decoding: parts.body, as: UTF8.self))
  }

  private func received(_ message: any ProtoMessage, _ rpc: RPCDescriptor) throws -> any ProtoMessage {
    let (target, body) = try sent(message, rpc)
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    let variables = try #require(PathTemplate(rpc.http.path).match(parts[0]))
    return try HTTPTranscoder.message(
      rpc.requestType, rpc.http, variables: variables, query: parts.count > 1 ? parts[1] : "", body: Array(body.utf8))
  }

  // MARK: Bodies

  @Test(arguments: [
    (DepotRPC.updateTags.descriptor, "[]"), (DepotRPC.updateLabels.descriptor, "{}"),
    (DepotRPC.updateState.descriptor, #""JOB_STATE_UNSPECIFIED""#), (DepotRPC.updateNote.descriptor, "null"),
    (DepotRPC.updateShelf.descriptor, "{}"), (DepotRPC.updateName.descriptor, #""""#),
  ])
  func anEmptyFieldIsTheBody(_ rpc: RPCDescriptor, _ body: String) throws {
    let request = ChangeJobRequest(id: "j")
    #expect(try sent(request, rpc).body == body)
    let read = try #require(try received(request, rpc) as? ChangeJobRequest)
    var expected = request
    if body == "{}", rpc.method == "UpdateShelf" { expected.shelf = Shelf() }
    #expect(read == expected)
    let empty = try HTTPTranscoder.message(rpc.requestType, rpc.http, variables: ["id": "j"], query: "", body: [])
    #expect(empty as? ChangeJobRequest == request, "a body that is missing")
  }

  @Test func aFieldWithAValueIsTheBody() throws {
    let request = ChangeJobRequest(
      id: "j", tags: ["a", "b"], labels: ["k": "v"], state: .open, note: "n", shelf: Shelf(name: "S"), name: "N")
    let bodies = DepotRPC.all.filter { $0.http.bodyField != nil }.map { rpc in
      (rpc.method, try? sent(request, rpc).body, try? received(request, rpc) as? ChangeJobRequest)
    }
    #expect(
      bodies.map(\.1) == [#"["a","b"]"#, #"{"k":"v"}"#, #""JOB_STATE_OPEN""#, #""n""#, #"{"name":"S"}"#, #""N""#])
    for (method, _, read) in bodies { #expect(read == request, "\(method)") }
    #expect(
      try sent(ChangeJobRequest(id: "j", shelf: Shelf()), DepotRPC.updateShelf.descriptor).body == "{}",
      "defaults are left out")
  }

  // MARK: Paths

  @Test func theFirstValueOfAnEnumHasItsName() throws {
    let rpc = DepotRPC.listJobs.descriptor
    let request = ListJobsRequest()
    #expect(try sent(request, rpc).target == "/v1/jobs/by/JOB_STATE_UNSPECIFIED/false/0")
    #expect(try received(request, rpc) as? ListJobsRequest == request)
    let other = ListJobsRequest(state: .open, urgent: true, since: 5)
    #expect(try sent(other, rpc).target == "/v1/jobs/by/JOB_STATE_OPEN/true/5")
    #expect(try received(other, rpc) as? ListJobsRequest == other)
  }

  // MARK: Queries

  private static let queries: [(request: SearchJobsRequest, query: String)] = [
    (SearchJobsRequest(states: [.open, JobState()]), "states=JOB_STATE_OPEN&states=JOB_STATE_UNSPECIFIED"),
    (SearchJobsRequest(labels: ["a.b": "x y", "c": ""]), "labels%5Ba.b%5D=x%20y&labels%5Bc%5D="),
    (SearchJobsRequest(labels: ["": "x", "a]b": "=&"]), "labels%5B%5D=x&labels%5Ba%5Db%5D=%3D%26"),
    (SearchJobsRequest(flags: [-1: true, 2: false]), "flags%5B-1%5D=true&flags%5B2%5D=false"),
    (SearchJobsRequest(readMask: ["note", "address.postal_code"]), "readMask=note%2Caddress.postal_code"),
    (SearchJobsRequest(isOpen: false), "isOpen=false"), (SearchJobsRequest(isOpen: true), "isOpen=true"),
    (
      SearchJobsRequest(begin: Timestamp(seconds: 0), length: .milliseconds(1500), times: [Timestamp(seconds: 1)]),
      "begin=1970-01-01T00%3A00%3A00Z&length=1.500s&times=1970-01-01T00%3A00%3A01Z"
    ),
    (SearchJobsRequest(key: [0xFB, 0xFF]), "key=%2B%2F8%3D"),
    (
      SearchJobsRequest(
        filter: .init(language: "en", labels: ["k": "v"], other: .init(labels: ["l": "w"], mask: ["a_b"]))),
      "filter.language=en&filter.labels%5Bk%5D=v&filter.other.labels%5Bl%5D=w&filter.other.mask=a_b"
    ),
  ]

  @Test(arguments: queries)
  func everyValueIsInTheQuery(_ request: SearchJobsRequest, _ query: String) throws {
    let rpc = DepotRPC.searchJobs.descriptor
    #expect(try sent(request, rpc).target == "/v1/search?\(query)")
    #expect(try received(request, rpc) as? SearchJobsRequest == request)
  }

  @Test func aKeyThatWouldBeReadAsAnotherIsRefused() async {
    let error = await apiError {
      try HTTPTranscoder.request(SearchJobsRequest(labels: ["a[b": "x"]), DepotRPC.searchJobs.descriptor.http)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == #"labels has a key with "[", which a query cannot hold; use another key"#)
  }

  /// What other clients send.
  @Test(arguments: [
    ("read_mask=note,address.postalCode", SearchJobsRequest(readMask: ["note", "address.postal_code"])),
    ("labels[a]=x&labels[b]=y", SearchJobsRequest(labels: ["a": "x", "b": "y"])),
    ("is_open=true&filter.labels[a]=x", SearchJobsRequest(filter: .init(labels: ["a": "x"]), isOpen: true)),
  ])
  func otherFormsAreRead(_ query: String, _ request: SearchJobsRequest) throws {
    let rpc = DepotRPC.searchJobs.descriptor
    let read = try HTTPTranscoder.message(rpc.requestType, rpc.http, variables: [:], query: query, body: [])
    #expect(read as? SearchJobsRequest == request)
  }

  @Test func aMockRouteGetsTheRequest() async throws {
    let request = SearchJobsRequest(filter: .init(language: "en"), labels: ["k": "v"], readMask: ["a_b"], isOpen: true)
    let seen = Locked<SearchJobsRequest?>(nil)
    let transport = ServiceTransport([
      ServiceRoute(DepotRPC.searchJobs) { request in
        seen.withLock { $0 = request }
        return JobList()
      }
    ])
    _ = try await APIClient.test(transport).call(DepotRPC.searchJobs, request)
    #expect(seen.withLock { $0 } == request)
  }
}
