/// Writes what descriptors have no room for: the comments of the contract, and what only servers check.
///
/// The comments are one text, which costs the compiler and programs next to nothing: a line with a full name, and below
/// it the comment's lines, indented.
struct TextEmitter {
  let contract: Contract
  let gateway: GatewayConfig

  func source() throws -> String {
    var source = SourceText(imports: [])
    source.add("", "extension ContractTexts {", "  /// The comments of `Proto/`, by full name.")
    source.add("static let comments = #\"\"\"", depth: 1)
    for package in contract.packages where package.module.isInRegistry {
      for (name, lines) in comments(of: package) where !lines.isEmpty {
        guard !lines.contains(where: { $0.contains("\"\"\"#") }) else {
          throw GenerationError(
            file: package.file, place: name, reason: "has a comment with \"\"\"#, which ends a text")
        }
        source.add(name, depth: 2)
        for line in lines { source.add(line.isEmpty ? "" : "  \(line)", depth: line.isEmpty ? 0 : 2) }
      }
    }
    source.add("\"\"\"#", depth: 2)
    addChecks(to: &source)
    source.add("}")
    return source.text
  }

  private func comments(of package: Package) -> [(name: String, lines: [String])] {
    var all: [(String, [String])] = []
    if let service = package.service {
      all.append((service.fullName, service.documentation))
      all += service.methods.map { ("\(service.fullName).\($0.name)", $0.documentation) }
    }
    for message in package.messages {
      all.append((message.fullName, message.documentation))
      all += message.fields.map { ("\(message.fullName).\($0.name)", $0.documentation) }
    }
    return all
  }

  private func addChecks(to source: inout SourceText) {
    source.add("", "  /// The values that servers accept in a field, and send in it.")
    source.add("static let knownValues: [String: [String]] = [", depth: 1)
    for (field, values) in gateway.knownValues.sorted(by: { $0.key < $1.key }) {
      source.add("\"\(field)\": [\(values.map(SwiftNames.literal).joined(separator: ", "))],", depth: 2)
    }
    source.add(gateway.knownValues.isEmpty ? "  :]" : "]", depth: 1)
    source.add("", "  /// Texts that must not be empty in requests.")
    source.add("static let requiredTexts: Set<String> = [", depth: 1)
    for field in gateway.requiredTexts.sorted() { source.add("\"\(field)\",", depth: 2) }
    source.add("]", depth: 1)
    source.add("", "  /// The maximum lengths of texts that servers accept, where ``FieldRule`` has none.")
    source.add("static let maximumLengths: [String: Int] = [", depth: 1)
    for (field, maximum) in gateway.maximumLengths.sorted(by: { $0.key < $1.key }) {
      source.add("\"\(field)\": \(maximum),", depth: 2)
    }
    source.add(gateway.maximumLengths.isEmpty ? "  :]" : "]", depth: 1)
    source.add("", "  /// The regular expressions of ECMA-262 that texts must match.")
    source.add("static let patterns: [String: String] = [", depth: 1)
    for (field, pattern) in gateway.textPatterns.sorted(by: { $0.key < $1.key }) {
      source.add("\"\(field)\": \(SwiftNames.literal(pattern)),", depth: 2)
    }
    source.add(gateway.textPatterns.isEmpty ? "  :]" : "]", depth: 1)
    source.add("", "  /// The least and the greatest value that servers accept.")
    source.add("static let bounds: [String: (minimum: Int?, maximum: Int?)] = [", depth: 1)
    for (field, bounds) in gateway.numberBounds.sorted(by: { $0.key < $1.key }) {
      let (minimum, maximum) = (bounds.minimum.map(String.init) ?? "nil", bounds.maximum.map(String.init) ?? "nil")
      source.add("\"\(field)\": (\(minimum), \(maximum)),", depth: 2)
    }
    source.add(gateway.numberBounds.isEmpty ? "  :]" : "]", depth: 1)
  }
}
