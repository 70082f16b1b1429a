/// A path of `gateway.yaml`, for example `/api/v1/somethings/{id}/meaning`.
package struct PathTemplate: Sendable {
  private enum Segment {
    case literal(String)
    case variable(String)
  }

  private let segments: [Segment]
  /// What every path begins with that fits.
  private let beginning: String

  /// Takes a path apart.
  package init(_ path: String) {
    beginning = String(path.prefix { $0 != "{" })
    segments = path.parts(between: "/", keepsEmpty: true).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? .variable(String(segment.dropFirst().dropLast())) : .literal(segment)
    }
  }

  /// The names of the fields in the path, in order.
  package var variables: [String] {
    segments.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The path with values in place of the fields.
  func path<Failure: Error>(_ value: (String) throws(Failure) -> String) throws(Failure) -> String {
    var parts: [String] = []
    for segment in segments {
      switch segment {
      case .literal(let text): parts.append(text)
      case .variable(let name): parts.append(try value(name))
      }
    }
    return parts.joined(separator: "/")
  }

  /// The same for a path whose end fits the template.
  func match(endOf path: String) -> [String: String]? {
    let parts = path.parts(between: "/", keepsEmpty: true)
    // The first segment is what stands before the slash.
    return match("/" + parts.suffix(segments.count - 1).joined(separator: "/"))
  }

  /// The fields' values in `path`, percent-decoded, if it fits the template.
  package func match(_ path: String) -> [String: String]? {
    // Most paths end here, without being taken apart.
    guard path.begins(withBytesOf: beginning) else { return nil }
    let parts = path.parts(between: "/", keepsEmpty: true)
    guard parts.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for index in parts.indices {
      switch segments[index] {
      case .literal(let text): guard text == parts[index] else { return nil }
      case .variable(let name):
        guard !parts[index].isEmpty, let value = PercentEncoding.decode(parts[index]) else { return nil }
        values.updateValue(value, forKey: name)
      }
    }
    return values
  }
}
