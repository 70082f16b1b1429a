import NovaCore

/// Finds what the SDK can read but would misunderstand: an answer without what was asked for, a list whose parts
/// contradict each other.
struct MeaningCheck {
  private let rpc: RPCDescriptor
  private let request: (any ProtoMessage)?
  private let expectation: Expectation
  private let descriptor: MessageDescriptor

  init(_ rpc: RPCDescriptor, _ request: (any ProtoMessage)?, _ expectation: Expectation) {
    self.rpc = rpc
    self.request = request
    self.expectation = expectation
    descriptor = rpc.responseType.descriptor
  }

  /// - Parameters:
  ///   - decoded: what the SDK made of the answer.
  ///   - json: the answer itself.
  func check(_ decoded: any ProtoMessage, _ json: JSONValue, _ findings: inout [Finding]) {
    // As the SDK sees it, with every default.
    guard let seen = Self.json(decoded) else { return }
    checkPresence(seen, &findings)
    checkEcho(decoded, &findings)
    if descriptor.field(named: "has_more") != nil { checkList(seen, json, &findings) }
  }

  private func checkPresence(_ seen: JSONValue, _ findings: inout [Finding]) {
    if descriptor.field(named: "success") != nil, seen["success"] != .bool(true) {
      findings.add(note("success", "true: the request is one that succeeds", "false, or nothing"))
    }
    let asksWhether = descriptor.field(named: "found") != nil
    let isFound = seen["found"] == .bool(true)
    if asksWhether, case .absent = expectation {
      if isFound { findings.add(note("found", "false: there is no such thing", "true")) }
      return
    }
    if asksWhether, !isFound { findings.add(note("found", "true: the thing is there", "false, or nothing")) }
    for field in descriptor.fields where field.isContent && (seen[field.name].map(\.isDefault) ?? true) {
      findings.add(note(field.name, "what was asked for", "nothing"))
    }
  }

  /// Checks that the created record contains the values that were sent.
  private func checkEcho(_ decoded: any ProtoMessage, _ findings: inout [Finding]) {
    guard let request, rpc.returnsRecord else { return }
    let echo = EchoCheck(rpc, request, decoded)
    let (sent, kept) = (Self.json(request), echo.record.flatMap(Self.json))
    for field in echo.lost {
      findings.add(
        Finding(
          .lost, .breaking, at: rpc.http.names == .proto ? field.name : field.jsonName,
          expected: "\(Self.shown(sent?[field.name], field)), as it was sent",
          found: Self.shown(kept?[field.name], field)))
    }
  }

  private static func json(_ message: any ProtoMessage) -> JSONValue? {
    (try? message.jsonUTF8(ProtoJSONOptions(includesDefaults: true))).flatMap { try? JSONValue(jsonUTF8: $0) }
  }

  private static func shown(_ value: JSONValue?, _ field: FieldDescriptor) -> String {
    guard let value, value != .null else { return "nothing" }
    if field.isSecret { return "****" }
    return String(decoding: value.jsonUTF8, as: UTF8.self).shortened(to: 80).printable(to: 200)
  }

  private func checkList(_ seen: JSONValue, _ json: JSONValue, _ findings: inout [Finding]) {
    let items = descriptor.fields.filter { $0.cardinality == .repeated }.map { count(seen[$0.name]) }.max() ?? 0
    if descriptor.field(named: "next_cursor") != nil {
      let (hasMore, hasCursor) = (seen["has_more"] == .bool(true), seen["next_cursor"]?.stringValue != "")
      if hasMore != hasCursor {
        let found = hasMore ? "has_more without a next_cursor" : "a next_cursor without has_more"
        findings.add(
          Finding(
            .inconsistent, .breaking, at: "next_cursor", expected: "both or neither of has_more and next_cursor",
            found: "\(found): the SDK takes the page for the last"))
      }
    }
    if let total = seen["total_count"]?.integerValue ?? seen["total"]?.integerValue {
      checkTotal(total, items, seen, json, &findings)
    }
    if let most = maximum, items > most {
      findings.add(
        Finding(
          .inconsistent, .tolerated, expected: "at most \(most) items on a page", found: "\(items) items"))
    }
  }

  private func checkTotal(
    _ total: Int, _ items: Int, _ seen: JSONValue, _ json: JSONValue, _ findings: inout [Finding]
  ) {
    let offset = number("offset")
    let name = descriptor.field(named: "total_count") != nil ? "total_count" : "total"
    if items > 0, total < offset + items {
      findings.add(
        Finding(
          .inconsistent, .breaking, at: name, expected: "at least \(offset + items), as many as there are",
          found: "\(total)"))
    } else if items == 0, total > offset {
      let isThere = descriptor.fields.contains {
        guard $0.cardinality == .repeated, case .array = json[$0.name] ?? json[$0.jsonName] else { return false }
        return true
      }
      findings.add(
        Finding(
          .inconsistent, isThere ? .tolerated : .breaking, at: name, expected: "items, of \(total) in all",
          found: isThere ? "an empty list" : "no list"))
    }
    let goesOn = items > 0 && total - offset > items
    if seen["has_more"] == .bool(false), goesOn, json["has_more"] ?? json["hasMore"] != nil {
      findings.add(
        Finding(
          .inconsistent, .tolerated, at: "has_more", expected: "true: \(total) in all", found: "false"))
    }
  }

  /// How many items the contract lets a page have.
  private var maximum: Int? {
    guard let limit = rpc.pageLimit else { return nil }
    let asked = number("limit")
    return asked > 0 ? min(asked, limit.maximum) : limit.defaultValue ?? limit.maximum
  }

  private func number(_ name: String) -> Int {
    guard let request, let json = try? JSONValue(jsonUTF8: try request.jsonUTF8(ProtoJSONOptions())) else { return 0 }
    return json[name]?.integerValue ?? 0
  }

  private func count(_ value: JSONValue?) -> Int {
    if case .array(let elements) = value { elements.count } else { 0 }
  }

  private func note(_ path: String, _ expected: String, _ found: String) -> Finding {
    Finding(.missing, .breaking, at: path, expected: expected, found: found)
  }
}

extension FieldDescriptor {
  /// Whether it is what a response is about: a message of its own that is not the error.
  fileprivate var isContent: Bool {
    guard case .message = kind, name != "error" else { return false }
    return cardinality == .singular || cardinality == .optional
  }
}
