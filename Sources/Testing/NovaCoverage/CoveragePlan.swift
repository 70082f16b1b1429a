package import NovaCore
import NovaRegistry

/// All that can be tried of a contract.
package struct CoveragePlan: Sendable {
  /// The points, in the contract's order.
  package let points: [CoveragePoint]

  /// - Parameters:
  ///   - ways: how requests can come. Default: over HTTP.
  ///   - rpcs: the IDs of the RPCs; nil for all.
  ///   - failures: returns the HTTP statuses of an RPC's failures. Default: those that follow from its request and its
  ///     token.
  package init(
    _ registry: RPCRegistry = .nova, ways: Set<WayIn> = [.http], rpcs: Set<String>? = nil,
    failures: (RPCDescriptor) -> [Int] = CoveragePlan.generalFailures
  ) {
    var points: [CoveragePoint] = []
    for rpc in registry.rpcs where rpcs?.contains(rpc.id) ?? true {
      var statuses = [rpc.http.successStatus]
      for status in failures(rpc) where !statuses.contains(status) { statuses.append(status) }
      if ways.contains(.http) { points += Self.points(of: rpc, statuses, .http) }
      if ways.contains(.grpc) {
        points += Self.points(of: rpc, [200] + statuses.dropFirst(), .grpc)
      }
      if ways.contains(.socket), rpc.isServerStreaming { points += Self.points(of: rpc, [101], .socket) }
    }
    self.points = points
  }

  /// 400 for a request with fields, and 401 for one that needs a token.
  package static func generalFailures(of rpc: RPCDescriptor) -> [Int] {
    (rpc.requestType.descriptor.fields.isEmpty ? [] : [400]) + (rpc.requiresAuthentication ? [401] : [])
  }

  private static func points(of rpc: RPCDescriptor, _ statuses: [Int], _ way: WayIn) -> [CoveragePoint] {
    let ofStatus = statuses.map { CoveragePoint(.status($0), of: rpc.id, over: way) }
    // A WebSocket connection asks for events in messages of its own.
    if way == .socket { return ofStatus }
    let fields = rpc.requestType.descriptor.fields
    var points = ofStatus
    for field in fields {
      let place = way == .http ? rpc.wayOverHTTP(of: field) : way
      points.append(CoveragePoint(.field(field.name), of: rpc.id, over: place))
      // A path that lacks a variable is another path.
      if place == .path { continue }
      points += CoverageRule.all(of: field).map {
        CoveragePoint(.constraint(field: field.name, rule: $0), of: rpc.id, over: place)
      }
    }
    if !fields.isEmpty {
      let carrier: WayIn = way == .http ? (rpc.http.hasBody ? .body : .query) : way
      let canBeWrong = rpc.http.hasBody || fields.contains { rpc.wayOverHTTP(of: $0) == .query && $0.kind != .string }
      if way != .http || canBeWrong {
        points.append(CoveragePoint(.constraint(field: "", rule: CoverageRule.readable), of: rpc.id, over: carrier))
      }
    }
    return points
  }
}
