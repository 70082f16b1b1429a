import NovaAuth
import NovaContent
import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaContract

/// Gateways that show private things: each is noticed, whatever else the mock does.
@Suite struct LeakingGatewayTests {
  /// The calls that act as the token's user see only that user's things, so they leak as the owner's.
  private static let seenByOwner: Set = [
    "capture.GetSomething", "capture.ListSomethings", "capture.UpdateMeaning", "event.ListEvents", "event.StreamEvents",
  ]
  /// The mock refuses these to everybody but the owner of the upload; see `LeakCheckTests`.
  private static let neverLeaking: Set = ["media.CreateVideo", "media.CreateReel"]

  static let rpcs = Set(LeakSurface.all.map(\.rpc.id)).subtracting(neverLeaking).sorted()

  @Test(arguments: rpcs) func everyRPCThatLeaksIsFound(_ rpc: String) async {
    let defect: HostileGateway.Defect = Self.seenByOwner.contains(rpc) ? .answersAsOwner : .dropsToken
    let report = await ContractCheck.ofMockWithPrivacy({ $0.rpcs = [rpc] }) { HostileGateway($0, defect, rpcs: [rpc]) }
      .run()
    let leaks = report.leaks
    #expect(leaks.allSatisfy { $0.rpc == rpc && $0.grade == .breaking })
    let things = Set(LeakSurface.all.filter { $0.rpc.id == rpc }.flatMap(\.things))
    for thing in things where !(rpc == "event.StreamEvents" && thing.isPost) {
      // The mock's feeds have published posts only, also for internal calls.
      if rpc == "feed.GetFeed", [.draft, .archivedPost].contains(thing) { continue }
      #expect(
        leaks.contains { $0.found.contains(thing.traits.phrase) },
        """
        \(thing): \(leaks.map(\.found)): nothing leaked; if only the owner may call this RPC, move it from LeakSurface to \
        `withoutRow` in LeakTableTests.swift
        """)
    }
    if rpc == "event.StreamEvents" { #expect(leaks.contains { $0.found.contains("alice's private post") }) }
    #expect(report.notCleanedUp == [])
  }

  @Test func filesAreNoticed() async {
    let report = await ContractCheck.ofMockWithPrivacy({ $0.rpcs = ["media.CompleteUpload"] }) {
      HostileGateway($0, .answersAsOwner) { $0.isForFile && $0.headers["Authorization"] != nil }
    }.run()
    let found = report.leaks.map(\.found)
    for thing in ["alice's unpublished upload", "alice's private post"] {
      #expect(found.contains { $0.hasPrefix("leak: GET of the URL shows the file of \(thing) to bob") }, "\(found)")
    }
  }

  @Test(arguments: ["user.GetUserSettings", "content.GetPost", "media.GetUpload", "capture.GetSomething"])
  func callersWithoutATokenAreNoticed(_ rpc: String) async {
    let backend = MockBackend(requiresTokens: true) { 1_764_583_200 }
    let report = await ContractCheck.ofMockWithPrivacy({ $0.rpcs = [rpc] }, backend: backend) {
      HostileGateway($0, .answersNobodyAsOwner, rpcs: [rpc])
    }.run()
    #expect(report.leaks.contains { $0.found.contains("to a caller without a token") }, "\(report.leaks.map(\.found))")
    #expect(report.skippedProbes == [])
  }

  @Test func everyLeakIsInEveryReport() async {
    let rpc = "user.GetUserSettings"
    let report = await ContractCheck.ofMockWithPrivacy({ $0.rpcs = [rpc] }) {
      HostileGateway($0, .dropsToken, rpcs: [rpc])
    }
    .run()
    let text = "leak: GetUserSettings shows alice's settings to bob, a stranger"
    #expect(!report.isPassed)
    for format in [report.markdown, report.junit, report.gitHubAnnotations] {
      #expect(format.contains(text.replacing("_", with: "\\_")) || format.contains(text), "\(format)")
    }
    let sarif = String(decoding: report.sarif.jsonUTF8, as: UTF8.self)
    #expect(sarif.contains("user.GetUserSettings, settings, as a stranger: \(text)"))
    var known = report
    known.apply(ContractBaseline().updated(with: report))
    #expect(known.isPassed)
  }

  // MARK: Gateways that do not leak

  private static let everyRPC = Set(LeakSurface.all.map(\.rpc.id))

  /// Whatever a gateway answers in place of something private is no leak.
  @Test(arguments: [
    HTTPResponse.json(403, #"{"code":7,"message":"no"}"#), .json(404, #"{"code":5,"message":"not found"}"#),
    .json(401, #"{"code":16,"message":"no"}"#), .json(200, "{}"),
    .json(200, #"{"found":false,"exists":false,"posts":[],"total_count":0,"has_more":false}"#),
    .json(200, #"{"error":{"code":"NOT_FOUND","message":"not found"}}"#),
  ]) func answersWithoutAnythingAreNoLeaks(_ answer: HTTPResponse) async {
    let report = await ContractCheck.ofMockWithPrivacy(transport: { mock in
      HostileGateway(mock, .refusesOthers(answer)) { request in
        request.isForFile || request.rpc.map { Self.everyRPC.contains($0.id) } == true
      }
    }).run()
    #expect(report.differences.filter { $0.grade == .breaking }.map(\.line) == [])
    #expect(report.stop == nil && report.notCleanedUp == [])
    #expect(report.probeCount > 250)
  }

  @Test func withoutASecondAccountNothingIsProbed() async {
    for (count, reason, probes) in [
      (1, "no two accounts could be registered", "everything"),
      (2, "no third account could be registered", "followers"),
    ] {
      let registrations = Locked(0)
      let report = await ContractCheck.ofMockWithPrivacy(transport: { mock in
        WrongGateway(base: mock, path: "/api/v1/auth/register") { _, response in
          guard response.isSuccess else { return response }
          let number = registrations.withLock { number in
            number += 1
            return number
          }
          return number > count ? .json(429, "") : response
        }
      }).run()
      #expect(report.skippedProbes.contains { $0.reason == reason && $0.probes == [probes] }, "\(report.skippedProbes)")
      #expect((report.probeCount == 0) == (count == 1))
    }
  }

  @Test func privacyCanBeLeftOut() async {
    let report = await ContractCheck.ofMockWithPrivacy { $0.checksPrivacy = false }.run()
    #expect(report.probeCount == 0 && report.skippedProbes == [] && report.isPassed)
    #expect(report.leftBehind.count == 6)
  }

  /// Depends on a mock that keeps the contract's rules.
  @Test(arguments: [false, true]) func theMockLeaksNothing(requiresTokens: Bool) async {
    let backend = MockBackend(requiresTokens: requiresTokens) { 1_764_583_200 }
    let report = await ContractCheck.ofMockWithPrivacy(backend: backend).run()
    #expect(report.differences.map(\.line) == [])
    #expect(report.probeCount > 280)
    #expect(report.skippedProbes.map(\.probes) == (requiresTokens ? [] : [["callers without a token"]]))
  }

  @Test func whatProbesCreateIsRemoved() async throws {
    let backend = MockBackend { 1_764_583_200 }
    let report = await ContractCheck.ofMockWithPrivacy(backend: backend).run()
    #expect(report.notCleanedUp == [])
    let client = try APIClient.test(MockTransport(backend), token: nil)
    let found = try await client.call(UserRPC.searchUsers, .init(query: "nova_contract", limit: 10)).profiles
    #expect(found.count == 3 && found.allSatisfy { !$0.isPrivate && $0.followerCount == 0 && $0.followingCount == 0 })
    for user in found {
      let posts = try await client.call(ContentRPC.getPostsByAuthor, .init(authorId: user.id))
      let settings = try await client.call(UserRPC.getUserSettings, .init(userId: user.id)).settings
      #expect(posts.posts.isEmpty && settings?.privacyLevel != "private")
      for other in found {
        let isBlocked = try await client.call(GraphRPC.isBlocked, .init(blockerId: user.id, blockedId: other.id))
        #expect(!isBlocked.isBlocked)
      }
    }
  }
}
