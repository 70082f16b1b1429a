/// Compares two directories of fixtures.
public enum FixtureDiff {
  /// A file that differs.
  public struct Difference: Sendable, Hashable {
    /// The path of the file in the directories; the manifest for different options.
    public let file: String
    /// The first five differences, for example `line 3: bio: "A" | "B"`.
    public let details: [String]
  }

  /// Compares the contents of two directories, not only their manifests.
  ///
  /// - Returns: the differences, in the order of the first directory's files; empty if all files have the same bytes.
  /// - Throws: ``FixtureError`` if a directory is not a set of fixtures, a file cannot be read, or the task is
  ///   cancelled.
  public static func run(_ first: String, _ second: String) throws(FixtureError) -> [Difference] {
    let manifests = try (FixtureManifest(reading: first), FixtureManifest(reading: second))
    var differences: [Difference] = []
    let options = optionDifferences(manifests.0, manifests.1)
    if !options.isEmpty { differences.append(Difference(file: FixtureManifest.fileName, details: options)) }
    let (names, otherNames) = (manifests.0.files.map(\.name), manifests.1.files.map(\.name))
    for name in names + otherNames.filter({ !names.contains($0) }) {
      let paths = ("\(first)/\(name)", "\(second)/\(name)")
      let details = try self.details(paths.0, paths.1)
      if !details.isEmpty { differences.append(Difference(file: name, details: details)) }
    }
    return differences
  }

  private static func details(_ one: String, _ other: String) throws(FixtureError) -> [String] {
    switch (FileSystem.kind(one, followingLinks: true), FileSystem.kind(other, followingLinks: true)) {
    case (nil, nil): return ["is missing in both"]
    case (nil, _): return ["is only in the second"]
    case (_, nil): return ["is only in the first"]
    default: break
    }
    let isText = [".json", ".ndjson", ".csv", ".proto", ".sql"].contains { one.hasSuffix($0) }
    return isText ? try LineComparison.run(one, other) : try differentBytes(one, other)
  }

  private static func differentBytes(_ one: String, _ other: String) throws(FixtureError) -> [String] {
    var first = try InputFile(one)
    var second = try InputFile(other)
    var offset = 0
    while true {
      let (left, right) = try (first.piece(), second.piece())
      if Task.isCancelled { throw .cancelled }
      if left == right {
        if left.isEmpty { return [] }
        offset += left.count
        continue
      }
      let place = zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset ?? min(left.count, right.count)
      return ["differs from byte \(offset + place + 1) on"]
    }
  }

  static func optionDifferences(_ one: FixtureManifest, _ other: FixtureManifest) -> [String] {
    func line<T: Equatable>(_ name: String, at value: KeyPath<FixtureManifest, T>, text: (T) -> String) -> String? {
      let (left, right) = (one[keyPath: value], other[keyPath: value])
      return left == right ? nil : "\(name): \(text(left)) | \(text(right))"
    }
    func names<T: RawRepresentable<String>>(_ list: [T]) -> String { list.map(\.rawValue).joined(separator: ", ") }
    let sizes = FixtureManifest.sizeFields.map { field in
      line(field.name, at: (\FixtureManifest.size).appending(path: field.value)) { "\($0)" }
    }
    return [line("seed", at: \.seed) { "\($0)" }].compactMap { $0 } + sizes.compactMap { $0 }
      + [
        line("formats", at: \.formats, text: names), line("dialect", at: \.dialect) { $0.rawValue },
        line("entities", at: \.entities, text: names),
        line("shard", at: \.shard?.part) { $0.map { "\($0)" } ?? "none" },
      ].compactMap { $0 }
  }
}
