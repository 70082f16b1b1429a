package import NovaCore

/// The contract's texts about services, RPCs, messages, and fields, and the rules for requests that only servers check.
///
/// Both are generated from `Proto/`. They are not part of the descriptors, which every program links.
package struct ContractTexts: Sendable {
  package static let nova = ContractTexts()

  /// Comments by full name: paragraphs without line breaks.
  private let paragraphs: [String: [String]]

  private init() {
    var paragraphs: [String: [String]] = [:]
    var name = ""
    var lines: [String] = []
    func endParagraph() {
      if !lines.isEmpty { paragraphs[name, default: []].append(lines.joined(separator: " ")) }
      lines = []
    }
    for line in Self.comments.parts(between: "\n", keepsEmpty: true) {
      if line.hasPrefix("  ") {
        lines.append(String(line.dropFirst(2)))
      } else {
        endParagraph()
        if !line.isEmpty { name = line }
      }
    }
    endParagraph()
    self.paragraphs = paragraphs
  }

  /// The comment of a service, an RPC, a message or a field, by its full name: paragraphs, the first of which is a
  /// sentence. Without the paragraph that lists an RPC's errors; see ``errors(of:)``.
  package func comment(of name: String) -> [String] {
    (paragraphs[name] ?? []).filter { !$0.hasPrefix(Self.errorPrefix) }
  }

  /// The errors that the contract lists for an RPC, with their reason: `when there is no such post`.
  package func errors(of rpc: RPCDescriptor) -> [(status: GRPCStatus, reason: String)] {
    guard let text = paragraphs[rpc.fullName]?.first(where: { $0.hasPrefix(Self.errorPrefix) }) else { return [] }
    var errors: [(status: GRPCStatus, reason: String)] = []
    for word in text.dropFirst(Self.errorPrefix.count).split(separator: " ") {
      if let status = Self.status(named: String(word)) {
        errors.append((status, ""))
      } else if !errors.isEmpty {
        errors[errors.count - 1].reason += errors[errors.count - 1].reason.isEmpty ? String(word) : " \(word)"
      }
    }
    return errors.map { ($0.status, $0.reason.withoutLastPunctuation) }
  }

  /// The values that a text field is known to have; empty if any text is allowed. Requests with another value are
  /// refused; responses may have others in the future.
  package func knownValues(of field: FieldDescriptor, in message: MessageDescriptor) -> [String] {
    Self.knownValues["\(message.name).\(field.name)"] ?? []
  }

  /// The maximum number of characters of a text in a request, beyond ``FieldRule``; nil if servers check none.
  package func maximumLength(of field: FieldDescriptor, in message: MessageDescriptor) -> Int? {
    Self.maximumLengths["\(message.name).\(field.name)"]
  }

  /// The regular expression of ECMA-262 that a text must match in a request; nil for any text.
  package func pattern(of field: FieldDescriptor, in message: MessageDescriptor) -> String? {
    Self.patterns["\(message.name).\(field.name)"]
  }

  /// Whether servers refuse requests without the field: one whose default breaks a rule.
  package func isRequired(_ field: FieldDescriptor, in message: MessageDescriptor) -> Bool {
    if case .count(let minimum, _)? = field.rule { return minimum > 0 }
    guard field.cardinality == .singular else { return false }
    switch field.rule {
    case .notEmpty: return true
    case .length(let minimum, _): return minimum > 0
    default: break
    }
    if Self.requiredTexts.contains("\(message.name).\(field.name)") { return true }
    if let pattern = pattern(of: field, in: message), !Self.acceptsEmptyText(pattern) { return true }
    return bounds(of: field, in: message).minimum.map { $0 > 0 } ?? false
  }

  /// The least and the greatest number that a request may have, beyond ``FieldRule``; nil where only the type limits it.
  package func bounds(of field: FieldDescriptor, in message: MessageDescriptor) -> (minimum: Int?, maximum: Int?) {
    Self.bounds["\(message.name).\(field.name)"] ?? (nil, nil)
  }

  /// Whether an empty text matches a pattern.
  static func acceptsEmptyText(_ pattern: String) -> Bool {
    (try? Regex(pattern).firstMatch(in: "")) != nil
  }

  /// The status with gRPC's name: `NOT_FOUND`.
  static func status(named name: String) -> GRPCStatus? { statuses[name] }

  private static let errorPrefix = "Errors: "

  private static let statuses: [String: GRPCStatus] = Dictionary(
    uniqueKeysWithValues: (1...16).map { code in
      let status = GRPCStatus(rawValue: code)
      return (status.description, status)
    })
}

extension String {
  /// Without the punctuation that ends a part of a sentence.
  fileprivate var withoutLastPunctuation: String { last.map(",;.".contains) == true ? String(dropLast()) : self }
}
