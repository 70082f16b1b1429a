import NovaCore
import NovaMock
import NovaRegistry
import NovaTestSupport
import Testing

/// Who may do what: every RPC, for every kind of caller.
@Suite struct PermissionTests {
  private static let world = Result { try PermissionWorld() }

  @Test func everyRPCHasARule() {
    let difference = ListDifference(of: PermissionTable.rows.map(\.rpc), from: RPCRegistry.nova.rpcs.map(\.id))
    #expect(difference.isEmpty, "\(difference): say who may call it in PermissionTable.swift")
  }

  /// Reads are open, and so are RPCs that need no token, unless the table gives a reason.
  @Test func everyWriteOfAUserNamesWhoMayMakeIt() {
    let openWrites = Set(
      PermissionTable.rows.filter { $0.rule.refusals[.stranger] == nil }.map(\.rpc)
    ).filter { RPCRegistry.nova.rpc(named: $0)?.effect != .noSideEffects }
    #expect(
      openWrites == [
        "auth.Register", "auth.Login", "auth.Refresh", "auth.Logout", "capture.CreateSomething",
        "analytics.RecordEvents",
      ])
  }

  /// One world for all calls, so they come one after the other.
  @Test func everyCallerGetsWhatTheTableSays() async throws {
    let world = try Self.world.get()
    for row in PermissionTable.rows {
      for caller in Caller.allCases {
        let status = try await world.status(of: row, by: caller)
        #expect(status == row.rule.refusals[caller], "\(row.rpc) by \(caller): \(row.request)")
      }
    }
    let bytes = PermissionRule.only(.actor)
    for caller in Caller.allCases {
      #expect(try await world.statusOfBytes(by: caller) == bytes.refusals[caller], "bytes by \(caller)")
    }
  }

  @Test func rejectedRequestsHaveNoEffect() async throws {
    let world = try PermissionWorld()
    let before = world.backend.counts
    for row in PermissionTable.rows {
      for caller in row.rule.refusals.keys {
        _ = try await world.status(of: row, by: caller)
        #expect(world.backend.counts == before, "\(row.rpc) by \(caller): \(row.request)")
      }
    }
  }
}
