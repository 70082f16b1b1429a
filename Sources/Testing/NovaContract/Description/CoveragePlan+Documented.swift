import NovaCore
package import NovaCoverage
import NovaRegistry

extension CoveragePlan {
  /// A plan with the failures that the contract documents for each RPC.
  ///
  /// - Parameters:
  ///   - ways: how requests can come.
  ///   - rpcs: the IDs of the RPCs; nil for all.
  package static func withDocumentedFailures(ways: Set<WayIn>, rpcs: Set<String>? = nil) -> CoveragePlan {
    let texts = ContractTexts.nova
    return CoveragePlan(ways: ways, rpcs: rpcs) { rpc in
      (generalFailures(of: rpc) + texts.errors(of: rpc).map(\.status.httpStatus)).sorted()
    }
  }
}
