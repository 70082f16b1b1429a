import NovaCore

/// Reads the rest of a response with values of the wrong type, so that each of them is only one difference, and the survey
/// still finds the users and posts that it needs.
enum ReadableParts {
  /// The maximum number of values to leave out.
  private static let most = 500

  /// The response without its values that cannot be read; nil if that is the response itself.
  static func response(
    _ type: any ProtoMessage.Type, from body: [UInt8], _ binding: HTTPBinding
  ) -> (any ProtoMessage)? {
    var body = body
    for _ in 0...most {
      do throws(ProtoJSONError) {
        return try HTTPTranscoder.response(type, from: body, binding)
      } catch {
        var steps = steps(error.path)
        // The path of a body that is one field of the response begins with it.
        if let field = binding.responseField, steps.first == .member(field) { steps.removeFirst() }
        guard let json = try? JSONValue(jsonUTF8: body), let rest = json.removing(steps[...]) else { return nil }
        body = rest.jsonUTF8
      }
    }
    return nil
  }

  /// The steps of a path such as `profiles[0].created_at`.
  private static func steps(_ path: String) -> [JSONPath.Component] {
    path.split(separator: ".").flatMap { part -> [JSONPath.Component] in
      let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
      let member = pieces.first.flatMap { $0.isEmpty ? nil : JSONPath.Component.member(String($0)) }
      return [member].compactMap(\.self)
        + pieces.dropFirst().map { piece in
          let name = piece.hasSuffix("]") ? piece.dropLast() : piece
          return Int(name).map(JSONPath.Component.element) ?? .member(String(name))
        }
    }
  }
}

extension JSONValue {
  /// The value without the part at a path; nil if there is no such part.
  fileprivate func removing(_ steps: ArraySlice<JSONPath.Component>) -> JSONValue? {
    guard let first = steps.first else { return nil }
    let rest = steps.dropFirst()
    switch (first, self) {
    case (.member(let name), .object(var members)):
      guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
      if rest.isEmpty {
        members.remove(at: index)
      } else {
        guard let value = members[index].value.removing(rest) else { return nil }
        members[index].value = value
      }
      return .object(members)
    case (.element(let index), .array(var elements)):
      guard elements.indices.contains(index) else { return nil }
      if rest.isEmpty {
        elements.remove(at: index)
      } else {
        guard let value = elements[index].removing(rest) else { return nil }
        elements[index] = value
      }
      return .array(elements)
    default: return nil
    }
  }
}
