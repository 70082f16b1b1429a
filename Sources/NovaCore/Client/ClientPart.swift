import NovaSupport

/// Something that belongs to a client, made when it is first used, and ended when the client shuts down.
///
/// Services are values that are made for each use: what they share lives here. A part must not hold its client strongly.
package protocol ClientPart: AnyObject, Sendable {
  /// Ends it for good, before the calls in progress are awaited.
  func end() async
}

extension APIClient {
  /// The client's part of a type; `make` makes it at the first use.
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
