import NovaSupport

/// A part of a client: created at its first use, and ended when the client shuts down.
///
/// Services are values that are created for each use; they keep here what they share. A part must not keep a strong
/// reference to its client.
package protocol ClientPart: AnyObject, Sendable {
  /// Ends it, before the client waits for the calls in progress.
  func end() async
}

extension APIClient {
  /// The client's part of a type; `make` creates it at the first use.
  package func part<Part: ClientPart>(_ type: Part.Type, make: () -> Part) -> Part {
    parts.withLock { parts in
      if let part = parts[ObjectIdentifier(type)] as? Part { return part }
      let part = make()
      parts[ObjectIdentifier(type)] = part
      return part
    }
  }

  func endParts() async {
    for part in parts.withLock({ Array($0.values) }) { await part.end() }
  }
}
