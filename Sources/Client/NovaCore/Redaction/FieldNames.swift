/// The names of fields. They are public, and never masked, even if a password is one of these words.
package enum FieldNames {
  /// The names in the known forms of error responses.
  private static let errors: Set<String> = [
    "code", "message", "details", "error", "errors", "metadata", "@type", "detail", "loc", "msg", "type", "title",
    "status",
    "instance", "reason", "domain", "description", "field", "fieldViolations", "field_violations", "violations",
    "error_description", "input", "ctx",
  ]

  /// Whether a name is one of error responses, or an obvious name of a secret: `password`.
  @Sendable
  package static func ofErrors(_ name: String) -> Bool {
    errors.contains(name) || SecretText.isObviousName(name)
  }

  /// Whether a name is one of an RPC's messages, or of error responses.
  package static func of(_ rpc: RPCDescriptor?) -> @Sendable (String) -> Bool {
    guard let rpc else { return ofErrors }
    return { name in
      ofErrors(name) || SecretFields.inside(rpc.requestType).allNames.contains(name)
        || SecretFields.inside(rpc.responseType).allNames.contains(name)
    }
  }
}

/// The words of a contract: the names of its fields, and the fixed segments of its paths.
package struct ContractWords: Sendable {
  /// The names of all fields, as JSON has them.
  package let fields: Set<String>
  /// The segments of paths that are not variables.
  package let segments: Set<String>

  /// Collects the words.
  package init(_ registry: RPCRegistry) {
    var (fields, segments): (Set<String>, Set<String>) = ([], [])
    for message in registry.messages {
      for field in message.descriptor.fields { fields.formUnion([field.name, field.jsonName] + field.aliases) }
    }
    for rpc in registry.rpcs {
      for segment in rpc.http.path.parts(between: "/", keepsEmpty: false) where !segment.hasPrefix("{") {
        segments.insert(segment)
      }
    }
    (self.fields, self.segments) = (fields, segments)
  }

  /// Whether the whole name of a member is the name of a field.
  @Sendable
  package func hasField(_ name: String) -> Bool { fields.contains(name) || FieldNames.ofErrors(name) }
}
