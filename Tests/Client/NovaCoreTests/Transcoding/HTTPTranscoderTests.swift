import NovaAnnouncements
import NovaCapture
import NovaCore
import NovaGraph
import NovaRegistry
import NovaTestSupport
import Testing

@Suite struct HTTPTranscoderTests {
  private func encode(_ message: any ProtoMessage, _ rpc: RPCDescriptor) throws -> (target: String, body: String) {
    let parts = try HTTPTranscoder.request(message, rpc.http)
    return (parts.target, String(decoding: parts.body, as: UTF8.self))
  }

  @Test func fieldsGoWhereTheBindingSays() throws {
    let get = try encode(GetSomethingRequest(id: 7), CaptureRPC.getSomething.descriptor)
    #expect(get == ("/api/v1/somethings/7", ""))
    let list = try encode(ListSomethingsRequest(skip: 20, limit: 10), CaptureRPC.listSomethings.descriptor)
    #expect(list == ("/api/v1/somethings?skip=20&limit=10", ""))
    let empty = try encode(ListSomethingsRequest(), CaptureRPC.listSomethings.descriptor)
    #expect(empty == ("/api/v1/somethings", ""))
    let meaning = try encode(UpdateMeaningRequest(id: 7, meaning: "A \"walk\""), CaptureRPC.updateMeaning.descriptor)
    #expect(meaning == ("/api/v1/somethings/7/meaning", #"{"meaning":"A \"walk\""}"#))
    let create = try encode(
      CreateSomethingRequest(content: "x", contentType: "text"), CaptureRPC.createSomething.descriptor)
    #expect(create == ("/api/v1/somethings", #"{"content":"x","contentType":"text"}"#))
    let pets = try encode(
      ListAnnouncementsRequest(lat: 52.25, lng: -0.5), AnnouncementsRPC.listAnnouncements.descriptor)
    #expect(pets == ("/api/v1/announcements?lat=52.25&lng=-0.5", ""))
    let pet = try encode(GetAnnouncementRequest(id: "a b/ü"), AnnouncementsRPC.getAnnouncement.descriptor)
    #expect(pet == ("/api/v1/announcements/a%20b%2F%C3%BC", ""))
  }

  @Test func anEmptyPathFieldIsRefused() async {
    let error = await apiError {
      try HTTPTranscoder.request(GetAnnouncementRequest(), AnnouncementsRPC.getAnnouncement.descriptor.http)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message == "id must not be empty")
  }

  @Test(arguments: ["[]", "5", "null"]) func aBodyThatIsNoObjectIsRefused(_ body: String) {
    let rpc = CaptureRPC.updateMeaning.descriptor
    #expect(throws: ProtoJSONError.self) {
      try HTTPTranscoder.message(rpc.requestType, rpc.http, variables: ["id": "1"], query: "", body: Array(body.utf8))
    }
  }

  @Test func everyRESTRequestComesBackAsItWas() throws {
    let requests: [(any ProtoMessage, RPCDescriptor)] = [
      (GetSomethingRequest(id: .max), CaptureRPC.getSomething.descriptor),
      (ListSomethingsRequest(skip: 1, limit: 100), CaptureRPC.listSomethings.descriptor),
      (UpdateMeaningRequest(id: -1, meaning: "é"), CaptureRPC.updateMeaning.descriptor),
      (CreateSomethingRequest(content: "", contentType: "text"), CaptureRPC.createSomething.descriptor),
      (DeleteSomethingRequest(id: 3), CaptureRPC.deleteSomething.descriptor),
      (ListAnnouncementsRequest(lat: 0, lng: 180), AnnouncementsRPC.listAnnouncements.descriptor),
      (GetAnnouncementRequest(id: "a b/ü?#%"), AnnouncementsRPC.getAnnouncement.descriptor),
      (GetFollowersRequest(userId: "u", limit: 3), GraphRPC.getFollowers.descriptor),
    ]
    for (request, rpc) in requests {
      let sent = try HTTPTranscoder.request(request, rpc.http)
      let parts = sent.target.split(separator: "?", maxSplits: 1)
      let variables = try #require(PathTemplate(rpc.http.path).match(String(parts[0])), "\(sent.target)")
      let received = try HTTPTranscoder.message(
        rpc.requestType, rpc.http, variables: variables, query: parts.count > 1 ? String(parts[1]) : "",
        body: sent.body)
      #expect(try received.jsonUTF8() == request.jsonUTF8(), "\(rpc.id): \(sent.target)")
    }
  }

  @Test func aResponseFieldCanBeTheWholeBody() throws {
    let binding = CaptureRPC.listSomethings.descriptor.http
    let list = ListSomethingsResponse(somethings: [Something(id: 1, userId: "u"), Something(id: 2)])
    let body = try HTTPTranscoder.body(of: list, binding)
    #expect(String(decoding: body, as: UTF8.self).hasPrefix(#"[{"id":1,"userId":"u","#))
    #expect(try HTTPTranscoder.response(ListSomethingsResponse.self, from: body, binding) == list)
    #expect(try HTTPTranscoder.response(ListSomethingsResponse.self, from: Array("[]".utf8), binding).somethings == [])
    // Envoy's transcoder has no `response_body`, and leaves out empty lists.
    #expect(try HTTPTranscoder.response(ListSomethingsResponse.self, from: Array("{}".utf8), binding).somethings == [])
    #expect(throws: ProtoJSONError.self) {
      try HTTPTranscoder.response(ListSomethingsResponse.self, from: Array(#"{"items":[]}"#.utf8), binding)
    }
  }

  @Test func anEmptyMessageNeedsNoBody() throws {
    let binding = CaptureRPC.deleteSomething.descriptor.http
    #expect(try HTTPTranscoder.body(of: DeleteSomethingResponse(), binding) == [])
    #expect(try HTTPTranscoder.response(DeleteSomethingResponse.self, from: [], binding) == DeleteSomethingResponse())
    #expect(throws: ProtoJSONError.self) {
      try HTTPTranscoder.response(Something.self, from: [], CaptureRPC.getSomething.descriptor.http)
    }
  }

  @Test func percentEncodingIsItsOwnInverse() {
    for text in ["", "plain-._~", "a b", "ü€😀", "%25", "a=b&c", "\u{0}\u{7F}"] {
      #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
    }
    for broken in ["%", "%2", "%zz", "%ff"] { #expect(PercentEncoding.decode(broken) == nil, "\(broken)") }
    #expect(PercentEncoding.pairs("a=1&b=x+y&c&d=%zz").map(\.value) == ["1", "x y", "", "%zz"])
  }
}
