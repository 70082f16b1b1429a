/// The name of a media type, in the form that rules about bodies compare: lower case, without parameters and
/// whitespace.
///
/// If a proxy joined several values with commas, or a server sent several, the first one counts.
package enum ContentTypeName {
  /// The name in a `Content-Type`; empty if it has no name, such as `;charset=utf-8`.
  package static func of(_ value: String) -> String {
    // Most values are already in this form.
    if value == "application/json" { return value }
    var (name, isAfterSpace) = ("", false)
    for scalar in value.unicodeScalars {
      switch scalar {
      case ";", ",": return name
      case " ", "\t": isAfterSpace = true
      // Some servers write parameters without a semicolon.
      case _ where isAfterSpace && !name.isEmpty && scalar != "/" && name.last != "/": return name
      default:
        name += scalar.properties.lowercaseMapping
        isAfterSpace = false
      }
    }
    return name
  }

  /// Whether the name is the type of one JSON document, not of a sequence of documents.
  package static func isJSON(_ name: String) -> Bool { name == "application/json" || name.hasSuffix("+json") }

  /// Whether the name is the type of a web page.
  package static func isPage(_ name: String) -> Bool { name == "text/html" || name == "application/xhtml+xml" }
}

extension HTTPHeaders {
  /// Whether the body consists of gRPC's messages.
  package var isGRPC: Bool {
    let name = contentTypeName
    return name == "application/grpc" || name.hasPrefix("application/grpc+")
  }

  /// The name of the body's media type; empty if absent. See ``ContentTypeName``.
  package var contentTypeName: String { self["Content-Type"].map(ContentTypeName.of) ?? "" }
}
