import NovaCore

/// Finds answers that the SDK can read but would misunderstand: one without the requested record, a list whose parts
/// contradict each other.
struct MeaningCheck {
  private let rpc: RPCDescriptor
  private let request: (any ProtoMessage)?
  private let expectation: Expectation
  private let answer: JSONValue
  private(set) var findings: [Finding] = []

  /// - Parameters:
  ///   - answer: the body of the response.
  ///   - request: the request; nil if it is unknown.
  init(_ answer: JSONValue, of rpc: RPCDescriptor, to request: (any ProtoMessage)?, expecting expectation: Expectation)
  {
    (self.answer, self.rpc, self.request, self.expectation) = (answer, rpc, request, expectation)
  }

  private var descriptor: MessageDescriptor { rpc.responseType.descriptor }

  /// - Parameter decoded: the response as the SDK reads it.
  mutating func check(_ decoded: any ProtoMessage) {
    guard let seen = JSONValue(decoded) else { return }
    checkPresence(seen)
    checkRecord(decoded)
    checkEcho(decoded)
    if descriptor.field(named: "has_more") != nil { checkList(seen) }
    checkLimit(seen)
  }

  private mutating func checkPresence(_ seen: JSONValue) {
    if descriptor.field(named: "success") != nil, seen["success"] != .bool(true) {
      findings.add(.missing, at: "success", expected: "true: the request is valid", found: "false, or nothing")
    }
    let hasFlag = descriptor.field(named: "found") != nil
    let isFound = seen["found"] == .bool(true)
    if hasFlag, case .absent = expectation {
      if isFound { findings.add(.missing, at: "found", expected: "false: it does not exist", found: "true") }
      return
    }
    if hasFlag, !isFound {
      findings.add(.missing, at: "found", expected: "true: it exists", found: "false, or nothing")
    }
    for field in descriptor.fields where field.isContent && (seen[field.name].map(\.isDefault) ?? true) {
      findings.add(.missing, at: field.name, expected: "what was asked for", found: "nothing")
    }
  }

  /// Checks that the answer is about the record that the request names: a cache or a gateway may mix up requests.
  private mutating func checkRecord(_ decoded: any ProtoMessage) {
    guard let request, let named = rpc.namedRecord,
      let other = OtherRecord(in: decoded, to: request, naming: named)
    else { return }
    findings.add(
      .inconsistent, at: "id", expected: "the \(other.noun) that the request names", found: "another \(other.noun)")
  }

  /// Checks that the created record contains the values that were sent.
  private mutating func checkEcho(_ decoded: any ProtoMessage) {
    guard let request, rpc.returnsRecord else { return }
    let echo = EchoCheck(of: rpc, request: request, response: decoded)
    let (sent, kept) = (JSONValue(request), echo.record.flatMap { JSONValue($0) })
    for field in echo.lost {
      findings.add(
        .lost, at: field.writtenName(rpc.http.names),
        expected: "\(Self.shown(sent?[field.name], field)), as it was sent",
        found: Self.shown(kept?[field.name], field))
    }
    for field in echo.changed {
      // Moderated, or about something else.
      let grade: ContractDifference.Grade = echo.otherRecord?.field == field.name ? .breaking : .tolerated
      findings.add(
        .lost, grade, at: field.writtenName(rpc.http.names),
        expected: "\(Self.shown(sent?[field.name], field)), as it was sent",
        found: Self.shown(kept?[field.name], field))
    }
  }

  private mutating func checkList(_ seen: JSONValue) {
    let count = itemCount(seen)
    if descriptor.field(named: "next_cursor") != nil {
      let (hasMore, hasCursor) = (seen["has_more"] == .bool(true), seen["next_cursor"]?.stringValue != "")
      if hasMore != hasCursor {
        let found = hasMore ? "has_more without a next_cursor" : "a next_cursor without has_more"
        findings.add(
          .inconsistent, at: "next_cursor", expected: "both or neither of has_more and next_cursor",
          found: "\(found): the SDK stops at this page")
      }
    }
    for name in ["total_count", "total"] {
      guard let total = seen[name]?.integerValue else { continue }
      checkTotal(total, named: name, of: count, isLast: seen["has_more"] == .bool(false))
      checkEnd(total, of: count, seen)
      break
    }
  }

  /// A server that allows longer pages does no harm. One that ignores the limit sends more than was asked for.
  private mutating func checkLimit(_ seen: JSONValue) {
    let (count, asked) = (itemCount(seen), number("limit"))
    if asked > 0, count > asked {
      findings.add(
        .inconsistent, at: listName(seen), expected: "at most \(asked) items, the limit of the request",
        found: "\(count) items: limit is ignored")
    } else if descriptor.field(named: "has_more") != nil, let most = maximum, count > most {
      findings.add(.inconsistent, .tolerated, expected: "at most \(most) items on a page", found: "\(count) items")
    }
  }

  /// The name of the longest list.
  private func listName(_ seen: JSONValue) -> String {
    let lists = descriptor.fields.filter { $0.cardinality == .repeated }
    let longest = lists.max { (seen[$0.name]?.elements?.count ?? 0) < (seen[$1.name]?.elements?.count ?? 0) }
    return longest?.writtenName(rpc.http.names) ?? ""
  }

  private func itemCount(_ seen: JSONValue) -> Int {
    descriptor.fields.filter { $0.cardinality == .repeated }.map { seen[$0.name]?.elements?.count ?? 0 }.max() ?? 0
  }

  /// - Parameters:
  ///   - count: the number of items on the page.
  ///   - isLast: whether the page has no `has_more`.
  private mutating func checkTotal(_ total: Int, named name: String, of count: Int, isLast: Bool) {
    let offset = number("offset")
    if count > 0, total < offset + count {
      findings.add(
        .inconsistent, at: name, expected: "at least \(offset + count), the number of items", found: "\(total)")
    } else if count == 0, total > offset {
      let hasList = descriptor.fields.contains {
        $0.cardinality == .repeated && (answer[$0.name] ?? answer[$0.jsonName])?.elements != nil
      }
      findings.add(
        .inconsistent, hasList ? .tolerated : .breaking, at: name, expected: "items, \(total) in total",
        found: hasList ? "an empty list" : "no list")
    }
    let hasMore = count > 0 && total - offset > count
    if isLast, hasMore, answer["has_more"] ?? answer["hasMore"] != nil {
      findings.add(.inconsistent, .tolerated, at: "has_more", expected: "true: \(total) in total", found: "false")
    }
  }

  /// Checks that a list ends where its items do. A page after the last one costs a request; a list that never ends
  /// cannot be read to its end.
  private mutating func checkEnd(_ total: Int, of count: Int, _ seen: JSONValue) {
    guard seen["has_more"] == .bool(true), rpc.requestType.descriptor.field(named: "offset") != nil else { return }
    if count == 0 {
      findings.add(
        .inconsistent, at: "has_more", expected: "false: no item follows", found: "true on a page without items")
    } else if total == number("offset") + count {
      findings.add(.inconsistent, .tolerated, at: "has_more", expected: "false: \(total) in total", found: "true")
    }
  }

  /// The maximum number of items on a page.
  private var maximum: Int? {
    guard let limit = rpc.pageLimit else { return nil }
    let asked = number("limit")
    return asked > 0 ? min(asked, limit.maximum) : limit.defaultValue ?? limit.maximum
  }

  private func number(_ name: String) -> Int {
    request.flatMap { JSONValue($0) }?[name]?.integerValue ?? 0
  }

  private static func shown(_ value: JSONValue?, _ field: FieldDescriptor) -> String {
    guard let value, value != .null else { return "nothing" }
    if field.isSecret { return SecretText.mask }
    return String(decoding: value.jsonUTF8, as: UTF8.self).shortened(to: 80).printable(to: 200)
  }
}

extension FieldDescriptor {
  /// Whether it is the subject of a response: a message that is not the error.
  fileprivate var isContent: Bool {
    guard case .message = kind, name != "error" else { return false }
    return cardinality == .singular || cardinality == .optional
  }
}
