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

  /// Refuses a file that began from another state.
  func check(_ line: [UInt8], _ path: String) throws(StateFileError) {
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

  /// Refuses to write over a file that is not ours. A server that was stopped while it wrote this line left a part of it.
  static func checkUnfinished(_ descriptor: StateDescriptor, _ line: [UInt8]) throws(StateFileError) {
    let bytes = try descriptor.read(at: 0, count: line.count + 1)
    guard bytes.count <= line.count, line.starts(with: bytes) else { throw foreign(descriptor.path) }
  }

  private static func foreign(_ path: String) -> StateFileError {
    StateFileError(path, "is not a state of nova serve. Choose another file; this one was left as it is.")
  }
}
