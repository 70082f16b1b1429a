import NovaCore

/// The first line of a state file: what the state was before any change.
struct StateHead {
  private static let version = 1

  let seed: UInt64
  let dataSet: String

  var json: [UInt8] {
    JSONValue.object([
      .init(name: "nova_state", value: .number(String(Self.version))),
      .init(name: "seed", value: .number(String(seed))),
      .init(name: "data_set", value: .string(dataSet)),
    ]).jsonUTF8
  }

  /// The maximum length of a valid first line.
  private static let maximumLength = 64 << 10

  /// Refuses a file that is not a state file, or has another initial state, before anything is changed.
  ///
  /// - Returns: where the second line begins; nil for an empty file, and for one whose first line is incomplete because
  ///   the server was killed.
  func end(in descriptor: StateDescriptor) throws(StateFileError) -> Int64? {
    let bytes = try descriptor.read(at: 0, count: Self.maximumLength)
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      guard StateLine.make(json).starts(with: bytes) else { throw Self.foreign(descriptor.path) }
      return nil
    }
    guard let content = StateLine.content(bytes[..<end]) else { throw Self.foreign(descriptor.path) }
    try check(content, descriptor.path)
    return Int64(end) + 1
  }

  private func check(_ line: [UInt8], _ path: String) throws(StateFileError) {
    guard let json = try? JSONValue(jsonUTF8: line), let version = json["nova_state"]?.integerValue else {
      throw Self.foreign(path)
    }
    guard version == Self.version else {
      throw StateFileError(
        path, "has format \(version); this nova serve reads \(Self.version). Use the nova serve that wrote it.")
    }
    if case .number(let seed) = json["seed"], seed != String(self.seed) {
      throw StateFileError(
        path, "began with seed \(seed), not \(self.seed). Start with --seed \(seed), or choose another file.")
    }
    let name = json["data_set"]?.stringValue
    guard name == dataSet else {
      throw StateFileError(
        path,
        "began with the data set \(name?.printable(to: 80) ?? "?"), not \(dataSet). Choose another file.")
    }
  }

  private static func foreign(_ path: String) -> StateFileError {
    StateFileError(
      path,
      "is not a state of nova serve, or its first line is damaged. Choose another file; this one was not changed.")
  }
}
