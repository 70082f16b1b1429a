#if GRPC
  import NovaContract
  import NovaCore
  import NovaGraph
  import NovaMock
  import NovaRegistry
  import NovaTestSupport
  import NovaTesting
  import Testing

  /// The contract check over gRPC, against the mock and against servers that are wrong.
  @Suite struct GRPCContractTests {
    private static func check(
      gateway: HTTPURL? = "http://localhost:8080", _ change: @escaping (inout ContractCheck.Options) -> Void = { _ in },
      answer: @escaping @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse = { $1 }
    ) -> ContractCheck {
      ContractCheck.ofMock(
        { options in
          options.gatewayURL = gateway
          change(&options)
        },
        baseURL: "grpc://localhost:50051"
      ) { mock in Changing(base: GRPCInMemory(mock), answer: answer) }
    }

    /// Changes the answers over gRPC.
    private struct Changing: HTTPTransport {
      let base: any HTTPTransport
      let answer: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse

      func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await base.send(request)
        return request.url.origin.usesGRPC ? answer(request, response) : response
      }
    }

    /// The mock without a server has neither health nor reflection, and no deadlines.
    private static let withoutServer: Set = ["health of the server", "reflection", "a deadline that has passed"]

    @Test(arguments: [false, true]) func mockMeetsTheContract(isReadOnly: Bool) async {
      let report = await Self.check {
        $0.isReadOnly = isReadOnly
        $0.checksPrivacy = true
      }.run()
      let differences = report.differences.filter { !Self.withoutServer.contains($0.request) }
      #expect(differences.isEmpty, "\(differences.map(\.line))")
      #expect(report.isPassed && report.leaks.isEmpty)
      #expect(report.count(.breaking) == 0)
      #expect(report.skippedChecks.first?.probes.contains("ETags and ranges") == true)
      #expect(report.probeCount >= (isReadOnly ? 0 : 250))
    }

    /// Both ways send the same requests of every RPC, but for those that exist in one only.
    @Test func bothWaysSendTheSame() async {
      let http = await ContractCheck.ofMock().run(), grpc = await Self.check().run()
      for (one, other) in zip(http.results, grpc.results) {
        let (left, right) = (Set(one.requests), Set(other.requests))
        #expect(one.unchecked == other.unchecked, "\(one.rpc)")
        #expect(left.subtracting(right).allSatisfy(Self.isOnlyHTTP), "\(one.rpc): \(left.subtracting(right))")
        #expect(right.subtracting(left).allSatisfy(Self.isOnlyGRPC), "\(one.rpc): \(right.subtracting(left))")
      }
    }

    private static func isOnlyHTTP(_ name: String) -> Bool {
      ["broken JSON", "a list as the body", "an unknown path"].contains(name) || name.hasSuffix("of the wrong type")
        || name.hasSuffix("on its path") || name.hasSuffix("that is no number")
    }

    private static func isOnlyGRPC(_ name: String) -> Bool {
      [
        "a message that is cut off", "an unknown method", "a field that is not known", "no message", "two messages",
        "a frame that is cut off", "a frame of 4 GiB that does not come", "a compressed message without an encoding",
        "a message of 5 MiB", "an unknown encoding of messages", "another content type", "a deadline that has passed",
      ].contains(name) || name.hasSuffix("that is not UTF-8")
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
      let testDescription: String
      let path: String
      let change: @Sendable (HTTPResponse) -> HTTPResponse
      let kind: ContractDifference.Kind
      let grade: ContractDifference.Grade
      let place: String
    }

    private static let followers = "/nova.graph_service.v1.GraphService/GetFollowers"

    private static let wrong = [
      Wrong(
        testDescription: "an unknown field", path: followers,
        change: { with($0, $0.body.inMemory + [0xF8, 0x07, 0x01]) }, kind: .unknownField, grade: .additive,
        place: "#127"),
      Wrong(
        testDescription: "bytes that are no message", path: followers, change: { with($0, [0x0A, 0x64, 0x41]) },
        kind: .wrongType, grade: .breaking, place: "user_ids[0]"),
      Wrong(
        testDescription: "a total below the items", path: followers,
        change: { response in
          guard var message = try? GetFollowersResponse(protobuf: response.body.inMemory), !message.userIds.isEmpty
          else { return response }
          message.totalCount = 0
          return with(response, (try? message.protobuf()) ?? [])
        }, kind: .inconsistent, grade: .breaking, place: "total_count"),
      Wrong(
        testDescription: "no id", path: "/nova.content_service.v1.ContentService/GetPost",
        change: { with($0, $0.body.inMemory.isEmpty ? [] : [0x0A, 0x03, 0x12, 0x01, 0x61, 0x10, 0x01]) },
        kind: .missing, grade: .breaking, place: "post.id"),
      Wrong(
        testDescription: "another status", path: followers,
        change: { $0.isSuccess ? $0 : GRPCGateway.failure(.unknown, "no") }, kind: .status, grade: .breaking, place: ""),
      Wrong(
        testDescription: "details with another code", path: followers,
        change: { response in
          guard !response.isSuccess else { return response }
          var response = response
          response.headers["grpc-status-details-bin"] = "CAU="
          return response
        }, kind: .inconsistent, grade: .tolerated, place: "grpc-status-details-bin"),
    ]

    private static func with(_ response: HTTPResponse, _ body: [UInt8]) -> HTTPResponse {
      guard response.isSuccess else { return response }
      var response = response
      response.body = .bytes(body)
      return response
    }

    @Test(arguments: wrong) func everyDifferenceIsFound(_ wrong: Wrong) async {
      let rpc = RPCRegistry.nova.rpcs.first { $0.grpcPath == wrong.path }
      let report = await Self.check {
        $0.checkOnlyService(of: rpc?.http.path ?? "")
      } answer: { request, response in
        request.url.path == wrong.path ? wrong.change(response) : response
      }.run()
      let isFound = report.differences.contains {
        $0.kind == wrong.kind && $0.grade == wrong.grade && $0.path == wrong.place
      }
      #expect(isFound, "\(report.differences.map(\.line))")
    }

    @Test func differencesShowACallThatRepeatsThem() async throws {
      let report = await Self.check {
        $0.rpcs = ["graph.GetFollowers"]
      } answer: { request, response in
        request.url.path == Self.followers ? Self.with(response, [0x0A, 0x64]) : response
      }.run()
      let difference = try #require(report.differences.first { $0.rpc == "graph.GetFollowers" })
      let command = try #require(difference.evidence?.curl)
      #expect(command.hasPrefix("grpcurl -plaintext -H "))
      #expect(command.contains(#"-d '{"user_id":"#))
      #expect(command.hasSuffix(" 'localhost:50051' 'nova.graph_service.v1.GraphService/GetFollowers'"))
      #expect(!report.inEveryFormat.contains("Bearer ey"))
    }

    @Test func filesAreLeftOutWithoutAGateway() async throws {
      let report = await Self.check(gateway: nil).run()
      #expect(report.count(.breaking) == 0, "\(report.differences.map(\.line))")
      let skipped = report.results.filter { $0.unchecked != nil }
      #expect(skipped.map(\.rpc).contains("media.CompleteUpload"))
      let reasons = Set(skipped.compactMap(\.unchecked))
      let expected: Set = [
        "gRPC has no transfers of files, and grpc.gateway_url is not set", "the check has no upload of its own",
      ]
      #expect(reasons == expected, "\(reasons)")
    }

    @Test(arguments: [GRPCStatus.unimplemented, .unknown]) func anotherServerIsOneFinding(_ status: GRPCStatus) async {
      let report = await Self.check(answer: { _, _ in GRPCGateway.failure(status, "no such method") }).run()
      #expect(report.stop == .notAGateway("all 10 requested paths return \(status): no such method"))
      #expect(report.differences.isEmpty)
    }
  }
#endif
