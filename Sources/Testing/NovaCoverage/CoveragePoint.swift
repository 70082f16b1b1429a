import NovaCore

/// How a request, or a value in it, comes into a backend.
package enum WayIn: String, Sendable, Hashable, CaseIterable, Comparable {
  /// HTTP/JSON, of a call as a whole.
  case http = "HTTP"
  /// A variable of the path.
  case path
  /// A parameter of the query.
  case query
  /// The JSON of the body.
  case body
  /// A message over gRPC.
  case grpc = "gRPC"
  /// A WebSocket connection.
  case socket = "WebSocket"

  package static func < (left: WayIn, right: WayIn) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// One thing of the contract that can be tried.
package struct CoveragePoint: Sendable, Hashable {
  package enum Aspect: Sendable, Hashable {
    /// A call that ends with this HTTP status, or over gRPC with the status that corresponds to it.
    case status(Int)
    /// A request that has the field.
    case field(String)
    /// A request that breaks the rule: `at most 100 items`. A field without a name is the request as a whole.
    case constraint(field: String, rule: String)
  }

  /// The RPC: `graph.GetFollowers`.
  package let rpc: String
  package let aspect: Aspect
  package let way: WayIn

  package init(_ aspect: Aspect, of rpc: String, over way: WayIn) {
    (self.rpc, self.aspect, self.way) = (rpc, aspect, way)
  }

  /// `status`, `field`, or `constraint`.
  package var kind: String {
    switch aspect {
    case .status: "status"
    case .field: "field"
    case .constraint: "constraint"
    }
  }

  /// `404`, `user_id`, `limit: 0 or more`
  package var name: String {
    switch aspect {
    case .status(let status): String(status)
    case .field(let name): name
    case .constraint("", let rule): rule
    case .constraint(let field, let rule): "\(field): \(rule)"
    }
  }
}

extension RPCDescriptor {
  /// How a field of the request comes over HTTP.
  func wayOverHTTP(of field: FieldDescriptor) -> WayIn {
    if PathTemplate(http.path).variables.contains(field.name) { return .path }
    return http.hasBody ? .body : .query
  }
}

/// The rules for fields whose violations can be tried.
enum CoverageRule {
  /// A request that cannot be read as the RPC's message.
  static let readable = "a readable request"

  /// The rules of a field.
  static func all(of field: FieldDescriptor) -> [String] {
    switch field.rule {
    case .notEmpty: ["not empty"]
    // A negative value has the wrong type.
    case .notNegative where field.kind.isUnsigned: []
    case .notNegative: ["0 or more"]
    case .length(let minimum, let maximum):
      (minimum > 0 ? ["at least \(minimum) characters"] : []) + (maximum.map { ["at most \($0) characters"] } ?? [])
    case .count(let minimum, let maximum):
      (minimum > 0 ? ["at least \(minimum) items"] : []) + ["at most \(maximum) items"]
    case .range(let minimum, let maximum): ["\(minimum) or more", "\(maximum) or less"]
    case .httpURL: ["a URL"]
    case nil: []
    }
  }

  /// The rules that a value breaks.
  ///
  /// - Parameter value: nil for an absent one.
  static func broken(by value: JSONValue?, of field: FieldDescriptor) -> [String] {
    switch field.rule {
    case .notEmpty: return (value?.stringValue ?? "").isEmpty ? ["not empty"] : []
    case .notNegative where field.kind.isUnsigned: return []
    case .notNegative: return number(value).map { $0 < 0 ? ["0 or more"] : [] } ?? []
    case .length(let minimum, let maximum):
      if value == nil, field.cardinality == .optional { return [] }
      let count = (value?.stringValue ?? "").count
      if count < minimum { return ["at least \(minimum) characters"] }
      return maximum.map { count > $0 ? ["at most \($0) characters"] : [] } ?? []
    case .count(let minimum, let maximum):
      let count = value?.elements?.count ?? 0
      return count < minimum ? ["at least \(minimum) items"] : count > maximum ? ["at most \(maximum) items"] : []
    case .range(let minimum, let maximum):
      guard let number = number(value) else { return [] }
      return number < minimum ? ["\(minimum) or more"] : number > maximum ? ["\(maximum) or less"] : []
    case .httpURL:
      guard let text = value?.stringValue, !text.isEmpty else { return [] }
      return text.hasPrefix("http://") || text.hasPrefix("https://") ? [] : ["a URL"]
    case nil: return []
    }
  }

  /// A number in JSON, or as a text of a query.
  private static func number(_ value: JSONValue?) -> Int? {
    value?.integerValue ?? value?.stringValue.flatMap { Int($0) }
  }
}

extension FieldKind {
  fileprivate var isUnsigned: Bool {
    switch self {
    case .uint32, .uint64, .fixed32, .fixed64: true
    default: false
    }
  }
}
