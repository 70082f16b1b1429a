import NovaCore

/// A request of the survey, before headers are added.
struct SurveyRequest {
  let name: String
  var method: HTTPMethod
  var target: String
  var body: [UInt8]
  /// The message; nil if the request cannot be read as one.
  var message: (any ProtoMessage)?
  let expectation: Expectation
  /// The bearer token to send instead of the account's.
  var token: String?
  /// Headers to send beside, or instead of, the form's.
  var headers: HTTPHeaders = [:]

  /// The target without its query.
  var path: String { String(target.prefix { $0 != "?" }) }
}

/// The requests that follow from an RPC's first valid request: other pages, and requests that the contract refuses.
struct DerivedRequests {
  let rpc: RPCDescriptor
  let message: any ProtoMessage
  /// The HTTP binding for this gateway.
  let binding: HTTPBinding

  /// How requests are written.
  let form: any SurveyForm
  /// How the message itself should be answered.
  var expectation = Expectation.success

  /// A request with the same message.
  func original(_ name: String, _ expectation: Expectation) throws -> SurveyRequest {
    let parts = try form.parts(of: message, rpc, binding)
    return SurveyRequest(
      name: name, method: parts.method, target: parts.target, body: parts.body, message: message,
      expectation: expectation)
  }

  /// The field that skips items; nil if the request has none.
  var offset: String? {
    ["offset", "skip"].first { rpc.requestType.descriptor.field(named: $0) != nil }
  }

  /// Other pages of a list: the shortest, the one after it, and one longer than the maximum.
  var pages: [SurveyRequest] {
    let fields = rpc.requestType.descriptor
    guard fields.field(named: "limit") != nil else { return [] }
    var pages = [("limit 1", ["limit": 1])]
    if let offset {
      pages.append(("limit 1, \(offset) 1", ["limit": 1, offset: 1]))
    }
    // Without a default page size, limits are not lowered, but must be in a range.
    if let limit = rpc.pageLimit, limit.defaultValue != nil {
      pages.append(("limit \(limit.maximum + 1)", ["limit": limit.maximum + 1]))
    }
    return pages.compactMap { name, values in
      let members = values.sorted { $0.key < $1.key }.map { Member(name: $0.key, value: .number(String($0.value))) }
      return changed(name, members, expecting: .success)
    }
  }

  /// The page that follows the last item; nil if the list has no such page, or one that servers may refuse because it is
  /// too far away.
  func end(ofTotal total: Int) -> SurveyRequest? {
    guard let offset, (1...1000).contains(total) else { return nil }
    let members = [("limit", 1), (offset, total)].map { Member(name: $0, value: .number(String($1))) }
    return changed("the end of the list", members, expecting: .success)
  }

  /// Requests that the contract refuses: each rule broken once, and those that are not the RPC's message.
  func invalid(in registry: RPCRegistry) -> [SurveyRequest] {
    let violations = ConstraintViolations.all(of: rpc).compactMap {
      changed($0.name, $0.members, expecting: .invalidArgument)
    }
    return violations + form.malformed(self, in: registry)
  }

  /// Requests to an unknown path and with a malformed token: one of each is enough for a service.
  var misdirected: [SurveyRequest] {
    var unsigned = try? original("a token that is none", .failure(.unauthorized))
    unsigned?.token = DiscoveredState.malformedToken
    return form.misdirected(self) + [rpc.requiresAuthentication ? unsigned : nil].compactMap(\.self)
  }

  private typealias Member = JSONValue.Member

  private func changed(_ name: String, _ members: [Member], expecting expectation: Expectation) -> SurveyRequest? {
    guard let json = JSONValue(message, includesDefaults: false),
      let changed = try? type(of: message).init(jsonUTF8: json.with(members).jsonUTF8)
    else { return nil }
    return try? DerivedRequests(rpc: rpc, message: changed, binding: binding, form: form).original(name, expectation)
  }

  /// A request that cannot be read as a message; nil if the message itself cannot be sent.
  func broken(
    _ name: String, expecting expectation: Expectation = .invalidArgument, _ change: (inout SurveyRequest) -> Void
  ) -> SurveyRequest? {
    guard var request = try? original(name, expectation) else { return nil }
    request.message = nil
    change(&request)
    return request
  }
}

/// Values that violate the constraints of a request's fields, one at a time.
enum ConstraintViolations {
  static func all(of rpc: RPCDescriptor) -> [(name: String, members: [JSONValue.Member])] {
    let inPath = PathTemplate(rpc.http.path).variables
    return rpc.requestType.descriptor.fields.filter { !inPath.contains($0.name) }.flatMap { field in
      violations(of: field).map { (name: $0, members: [.init(name: field.name, value: $1)]) }
    }
  }

  /// Requests that violate one constraint each, and are otherwise as a user sends them.
  static func requests(of rpc: RPCDescriptor, user: String) -> [(name: String, message: any ProtoMessage)] {
    let required = rpc.requestType.descriptor.fields.filter {
      $0.kind == .string && $0.cardinality == .singular && $0.rule != nil
    }
    let valid = JSONValue.object(required.map { .init(name: $0.name, value: .string(user)) })
    return all(of: rpc).compactMap { violation in
      let json = valid.with(violation.members).jsonUTF8
      return (try? rpc.requestType.init(jsonUTF8: json)).map { (violation.name, $0) }
    }
  }

  private static func violations(of field: FieldDescriptor) -> [(String, JSONValue)] {
    switch field.rule {
    case .notEmpty: return [("\(field.name) empty", .string(""))]
    // A negative value of an unsigned type is refused as the wrong type, with the same status.
    case .notNegative where field.kind.isUnsigned: return []
    case .notNegative: return [("\(field.name) -1", .number("-1"))]
    case .length(let minimum, let maximum):
      let short = minimum > 0 ? [("\(field.name) too short", JSONValue.string(text(minimum - 1)))] : []
      return short + (maximum.map { [("\(field.name) too long", .string(text($0 + 1)))] } ?? [])
    case .count(let minimum, let maximum):
      let isMessage = if case .message = field.kind { true } else { false }
      return [minimum - 1, maximum + 1].filter { $0 >= 0 }.map { count in
        let values = (0..<count).map { isMessage ? .object([]) : JSONValue.string("nova-contract-\($0)") }
        return ("\(count) \(field.name)", .array(values))
      }
    case .range(let minimum, let maximum):
      // In a message, 0 is the same as an absent number.
      return [minimum - 1, maximum + 1].filter { $0 != 0 }.map { ("\(field.name) \($0)", .number("\($0)")) }
    // Clients refuse these, and the mock backend does; other servers may store any text.
    case .httpURL, nil: return []
    }
  }

  private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }
}

extension JSONValue {
  /// The object with these members in place of those of the same name.
  func with(_ changes: [Member]) -> JSONValue {
    guard case .object(let members) = self else { return .object(changes) }
    return .object(members.filter { member in !changes.contains { $0.name == member.name } } + changes)
  }
}
