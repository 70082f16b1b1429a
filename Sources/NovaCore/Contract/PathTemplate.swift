/// A path of `gateway.yaml`, for example `/api/v1/somethings/{id}/meaning`.
package struct PathTemplate: Sendable, Hashable {
  private enum Segment: Sendable, Hashable {
    case literal(Substring)
    case variable(String)
  }

  private let segments: [Segment]

  /// Takes a path apart.
  package init(_ path: String) {
    segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? .variable(String(segment.dropFirst().dropLast())) : .literal(segment)
    }
  }

  /// The names of the fields in the path, in order.
  package var variables: [String] {
    segments.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The path with values in place of the fields.
  func path(_ value: (String) throws -> String) rethrows -> String {
    try segments.map { segment in
      switch segment {
      case .literal(let text): String(text)
      case .variable(let name): try value(name)
      }
    }.joined(separator: "/")
  }

  /// The fields' values in `path`, percent-decoded, if it fits the template.
  package func match(_ path: String) -> [String: String]? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == segments.count else { return nil }
    var values: [String: String] = [:]
    for (segment, part) in zip(segments, parts) {
      switch segment {
      case .literal(let text): guard text == part else { return nil }
      case .variable(let name):
        guard !part.isEmpty, let value = PercentEncoding.decode(String(part)) else { return nil }
        values[name] = value
      }
    }
    return values
  }
}
