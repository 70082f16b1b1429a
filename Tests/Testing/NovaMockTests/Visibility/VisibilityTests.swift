import NovaAuth
import NovaContent
import NovaCore
import NovaEvents
import NovaMedia
import NovaMock
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// Who sees what: every RPC, for every relation, kind of account, and kind of post, from the client to the mock.
@Suite struct VisibilityTests {
  @Test func everyRPCIsClassified() {
    let difference = ListDifference(of: VisibilityTable.classes.keys, from: RPCRegistry.nova.rpcs.map(\.id))
    #expect(difference.isEmpty, "\(difference): say who sees what in the VisibilityTable+….swift of its service")
  }

  @Test func everyFieldOfAProfileIsClassified() {
    typealias Fields = VisibilityTable.ProfileFields
    let lists = [Fields.ofEveryone, Fields.ofFollowers, Fields.ofOneself, Fields.withoutValue]
    let difference = ListDifference(of: lists.joined(), from: UserProfile.descriptor.fields.map(\.name))
    #expect(
      difference.isEmpty,
      """
      \(difference): add it to ProfileFields in VisibilityTable+Accounts.swift, give the owner a value in \
      VisibilityWorld.swift, and if strangers see it, add it to `card` in ProfileVisibility.swift
      """)
  }

  @Test(arguments: [false, true])
  func everyRPCAgreesWithTheRule(isPrivateAccount: Bool) async throws {
    let world = try VisibilityWorld(isPrivateAccount: isPrivateAccount)
    for (rpc, kind) in VisibilityTable.classes.sorted(by: { $0.key < $1.key }) {
      guard case .shows(let rows) = kind else { continue }
      for row in rows { try await check(row, of: rpc, in: world, isPrivateAccount) }
    }
    for row in VisibilityTable.files { try await check(row, of: "files", in: world, isPrivateAccount) }
  }

  private func check(
    _ row: VisibilityRow, of rpc: String, in world: VisibilityWorld, _ isPrivateAccount: Bool
  ) async throws {
    for relation in ViewerRelation.allCases {
      for privacy in VisibilityCase.privacies {
        for status in VisibilityCase.statuses {
          world.restore()
          let probe = VisibilityCase(
            relation: relation, isPrivateAccount: isPrivateAccount, privacy: privacy, status: status)
          let call = VisibilityCall(
            world: world, probe: probe, item: try world.item(probe), client: try world.client(relation))
          let isShown = try await row.isShown(call)
          #expect(isShown == row.isVisible(probe), "\(rpc), \(row.name): \(probe)")
        }
      }
    }
  }

  /// What a caller learns about a hidden post is what the caller learns about a post that never was.
  @Test func aHiddenPostIsLikeAMissingOne() async throws {
    let world = try VisibilityWorld(isPrivateAccount: false)
    let client = try world.client(.stranger)
    let probe = VisibilityCase(relation: .stranger, isPrivateAccount: false, privacy: "private")
    let hidden = try world.item(probe).post
    for rpc in RPCRegistry.nova.rpcs {
      let fields = ["post_id", "post_ids"].filter { name in
        rpc.requestType.descriptor.fields.contains { $0.name == name }
      }
      guard let field = fields.first else { continue }
      func outcome(_ id: String) async throws -> String {
        world.restore()
        let post = field == "post_ids" ? "[\"\(id)\"]" : "\"\(id)\""
        let user = "\"\(world.id(.stranger))\""
        let json =
          "{\"\(field)\":\(post),\"user_id\":\(user),\"deleted_by_id\":\(user),\"content\":\"c\"}"
        let request = try rpc.requestType.init(jsonUTF8: Array(json.utf8))
        do {
          let response = try await client.respond(rpc, request).value
          return String(decoding: try response.jsonUTF8(.response), as: UTF8.self).replacing(id, with: "ID")
        } catch let error as APIError {
          return "\(error.code) \(error.message)".replacing(id, with: "ID")
        }
      }
      let (ofHidden, ofMissing) = (try await outcome(hidden), try await outcome("post-9999"))
      #expect(ofHidden == ofMissing, "\(rpc.id)")
    }
  }
}
