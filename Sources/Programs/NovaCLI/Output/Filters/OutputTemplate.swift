import ArgumentParser
import NovaSDK

/// A template for records: text with fields as `{{name}}`.
struct OutputTemplate: Sendable {
  private enum Part {
    case text(String)
    case field([String])
  }

  private var parts: [Part] = []

  /// Reads a template.
  ///
  /// - Throws: ValidationError for a placeholder that does not end or names nothing, or an unknown escape.
  init(parsing source: String) throws {
    var rest = source[...]
    var text = ""
    while let character = rest.first {
      if rest.hasPrefix("{{") {
        parts.append(.text(text))
        text = ""
        parts.append(.field(try Self.path(&rest)))
      } else {
        rest.removeFirst()
        text.append(character == "\\" ? try Self.escaped(&rest) : character)
      }
    }
    parts.append(.text(text))
  }

  /// The names of the fields, without those within them.
  var names: [String] {
    parts.compactMap { if case .field(let path) = $0 { path.first } else { nil } }
  }

  private static func path(_ rest: inout Substring) throws -> [String] {
    guard let end = rest.firstRange(of: "}}") else {
      throw ValidationError("invalid --template: {{ without }}; write \\{\\{ for braces")
    }
    let written = rest[rest.index(rest.startIndex, offsetBy: 2)..<end.lowerBound].filter { $0 != " " }
    rest = rest[end.upperBound...]
    let path = written.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard path.allSatisfy({ !$0.isEmpty }) else {
      throw ValidationError("invalid --template: {{\(written)}} names no field; write a name such as {{id}}")
    }
    return path
  }

  private static func escaped(_ rest: inout Substring) throws -> Character {
    let escapes: [Character: Character] = ["n": "\n", "t": "\t", "\\": "\\", "{": "{", "}": "}"]
    guard let name = rest.popFirst(), let character = escapes[name] else {
      throw ValidationError(#"invalid --template: \ must be followed by n, t, {, } or another \"#)
    }
    return character
  }

  /// Checks that a message has the fields.
  ///
  /// - Throws: ``Failure`` for a field that does not exist.
  func check(_ descriptor: MessageDescriptor) throws {
    for case .field(let path) in parts {
      try Self.check(path[...], of: descriptor, written: path.joined(separator: "."))
    }
  }

  /// Checks that records with these fields have the fields, without those within them.
  ///
  /// - Throws: ``Failure`` for a field that does not exist.
  func check(names: [String]) throws {
    for name in self.names where !names.contains(name) { throw Self.unknown(name, name, among: names) }
  }

  /// Checks that a record has the fields, without those within them.
  ///
  /// - Throws: ``Failure`` for a field that it does not have.
  func check(_ record: JSONValue) throws {
    if case .object(let members) = record { try check(names: members.map(\.name)) }
  }

  private static func check(_ path: ArraySlice<String>, of descriptor: MessageDescriptor, written: String) throws {
    guard let name = path.first else { return }
    guard let field = descriptor.field(named: name) else {
      throw unknown(written, name, among: descriptor.fields.map(\.name))
    }
    var rest = path.dropFirst()
    // A number is a place in a list.
    if field.cardinality == .repeated, let place = rest.first, Int(place) != nil { rest = rest.dropFirst() }
    guard !rest.isEmpty else { return }
    if case .map = field.cardinality { return }
    guard case .message(let name) = field.kind, let type = RPCRegistry.nova.message(named: name) else {
      throw unknown(written, rest.first ?? "", among: [])
    }
    try check(rest, of: type.descriptor, written: written)
  }

  private static func unknown(_ written: String, _ name: String, among names: [String]) -> Failure {
    let all = names.isEmpty ? "The field before it has no fields." : "Fields: \(names.joined(separator: ", "))."
    return Failure(
      "not found: field \"\(written.printable(to: 60))\" of --template",
      hint: Suggestions.sentence(for: name, among: names, otherwise: all), .usage)
  }

  /// The text of a record, with its values as fields of a line.
  func text(_ record: JSONValue) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let path):
        Self.shown(path.reduce(record) { value, name in value.flatMap { Self.member(name, of: $0) } })
      }
    }.joined()
  }

  private static func member(_ name: String, of value: JSONValue) -> JSONValue? {
    if case .array(let elements) = value {
      return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
    return value[name]
  }

  /// Absent values are empty.
  private static func shown(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null: ""
    case .string(let text): text.asField
    case .number(let text): text
    case .bool(let flag): String(flag)
    case .array(let elements): elements.map { shown($0) }.joined(separator: ",")
    case .object(let members): String(decoding: JSONValue.object(members).jsonUTF8, as: UTF8.self).asField
    }
  }
}

/// Prints each line of NDJSON with a template.
final class TemplateFilter: OutputFilter {
  private let template: OutputTemplate
  /// The beginning of a line whose end was not written yet.
  private var rest: [UInt8] = []

  init(_ template: OutputTemplate) { self.template = template }

  func filtered(_ bytes: [UInt8]) throws -> [UInt8] {
    var lines = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    rest = lines.popLast().map(Array.init) ?? []
    return try lines.flatMap { Array("\(template.text(try JSONValue(jsonUTF8: Array($0))))\n".utf8) }
  }

  func end() throws -> (rest: [UInt8], failure: Failure?) {
    (try rest.isEmpty ? [] : filtered([UInt8(ascii: "\n")]), nil)
  }
}
