package import NovaCore

/// How much of a contract was tried.
package struct ContractCoverage: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package let point: CoveragePoint
    /// The number of requests that tried it.
    package let count: Int

    package init(point: CoveragePoint, count: Int) { (self.point, self.count) = (point, count) }
  }

  /// Every point of the plan, in the contract's order.
  package let entries: [Entry]
  /// Responses with statuses that the contract does not name for the RPC.
  package let unexpectedStatuses: [Entry]

  package init(entries: [Entry], unexpectedStatuses: [Entry] = []) {
    (self.entries, self.unexpectedStatuses) = (entries, unexpectedStatuses)
  }

  /// How many points of some kind there are, and how many of them were tried.
  package struct Share: Sendable, Hashable {
    package private(set) var tried = 0
    package private(set) var total = 0

    fileprivate mutating func add(_ entry: Entry) {
      total += 1
      if entry.count > 0 { tried += 1 }
    }

    /// Rounded down, so that 100 means all; 100 for nothing to try.
    package var percent: Int { total == 0 ? 100 : tried * 100 / total }
  }

  /// An RPC with what was tried of it.
  package struct RPC: Sendable, Hashable {
    package let rpc: String
    /// Whether it was called with any success or failure.
    package private(set) var isCalled = false
    package private(set) var shares: [String: Share] = [:]
    /// What was never tried.
    package private(set) var missing: [CoveragePoint] = []

    fileprivate init(_ rpc: String) { self.rpc = rpc }

    fileprivate mutating func add(_ entry: Entry) {
      shares[entry.point.kind, default: Share()].add(entry)
      if entry.count > 0 { isCalled = true } else { missing.append(entry.point) }
    }
  }

  /// The kinds of points, in the order of tables.
  package static let kinds = ["status", "field", "constraint"]

  /// The RPCs, in the contract's order.
  package var rpcs: [RPC] {
    var rpcs: [RPC] = []
    for entry in entries {
      if rpcs.last?.rpc != entry.point.rpc { rpcs.append(RPC(entry.point.rpc)) }
      rpcs[rpcs.count - 1].add(entry)
    }
    return rpcs
  }

  package var total: Share { share { _ in true } }

  package func share(of isCounted: (CoveragePoint) -> Bool) -> Share {
    var share = Share()
    for entry in entries where isCounted(entry.point) { share.add(entry) }
    return share
  }

  /// `62% tried: 60 of 78 RPCs, 140 of 233 statuses, 150 of 190 fields, 80 of 110 constraints`
  package var summary: String {
    let rpcs = rpcs
    let parts = [
      "\(rpcs.count(where: \.isCalled)) of \(rpcs.count) RPCs", part("status", "statuses"), part("field", "fields"),
      part("constraint", "constraints"),
    ]
    return "\(total.percent)% of the contract tried: \(parts.joined(separator: ", "))"
  }

  private func part(_ kind: String, _ name: String) -> String {
    let share = share { $0.kind == kind }
    return "\(share.tried) of \(share.total) \(name)"
  }
}

extension ContractCoverage {
  /// The coverage as JSON, in a fixed order: `tried`, `total`, `percent`, `kinds`, `ways`, `rpcs` with their points, and
  /// `unexpected_statuses`.
  package var json: JSONValue {
    var members = total.members
    members.append(
      .init(
        name: "kinds",
        value: .object(
          Self.kinds.map { kind in
            .init(name: kind, value: .object(share { $0.kind == kind }.members))
          })))
    let ways = WayIn.allCases.filter { way in entries.contains { $0.point.way == way } }
    members.append(
      .init(
        name: "ways",
        value: .object(
          ways.map { way in
            .init(name: way.rawValue, value: .object(share { $0.way == way }.members))
          })))
    members.append(.init(name: "rpcs", value: .array(rpcsWithPoints)))
    members.append(
      .init(
        name: "unexpected_statuses",
        value: .array(
          unexpectedStatuses.map { entry in
            .object([.init(name: "rpc", value: .string(entry.point.rpc))] + (entry.json.memberList ?? []))
          })))
    return .object(members)
  }

  private var rpcsWithPoints: [JSONValue] {
    let points = Dictionary(grouping: entries, by: \.point.rpc)
    return rpcs.map { rpc in
      ["rpc": .string(rpc.rpc), "called": .bool(rpc.isCalled), "points": .array((points[rpc.rpc] ?? []).map(\.json))]
    }
  }
}

extension ContractCoverage.Share {
  fileprivate var members: [JSONValue.Member] {
    [
      .init(name: "tried", value: .number(tried)), .init(name: "total", value: .number(total)),
      .init(name: "percent", value: .number(percent)),
    ]
  }
}

extension ContractCoverage.Entry {
  fileprivate var json: JSONValue {
    var (status, field, rule): (JSONValue?, JSONValue?, JSONValue?)
    switch point.aspect {
    case .status(let value): status = .number(value)
    case .field(let name): field = .string(name)
    case .constraint(let name, let text): (field, rule) = (name.isEmpty ? nil : .string(name), .string(text))
    }
    return [
      "kind": .string(point.kind), "status": status, "field": field, "constraint": rule,
      "way": .string(point.way.rawValue),
      "count": .number(count),
    ]
  }
}

extension ContractCoverage.RPC {
  /// What was never tried, by kind: `status 404; fields offset (body), limit (body); limit: 0 or more (body)`.
  package var missingText: String {
    let parts = ContractCoverage.kinds.compactMap { kind -> String? in
      let points = missing.filter { $0.kind == kind }
      guard !points.isEmpty else { return nil }
      let names = points.map { $0.way == .http ? $0.name : "\($0.name) (\($0.way.rawValue))" }
      return "\(kind) \(names.joined(separator: ", "))"
    }
    return parts.joined(separator: "; ")
  }
}
