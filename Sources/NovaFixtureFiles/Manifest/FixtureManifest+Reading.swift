import NovaCore
import NovaFixtures

extension FixtureManifest {
  /// Reads the manifest of a directory.
  ///
  /// - Throws: ``FixtureError/unreadable(_:)`` when there is none, or it is none of ours.
  public init(reading directory: String) throws(FixtureError) {
    let path = "\(directory)/\(Self.fileName)"
    guard FileSystem.kind(path, followingLinks: false) != nil else {
      throw .unreadable("\(directory) holds no \(Self.fileName); expected a directory that nova fixtures has written")
    }
    var file = try InputFile(path)
    var bytes: [UInt8] = []
    while case let piece = try file.piece(), !piece.isEmpty, bytes.count < InputFile.maximumLine { bytes += piece }
    let value: JSONValue
    do throws(ProtoJSONError) {
      value = try JSONValue(jsonUTF8: bytes)
    } catch {
      throw .unreadable("\(path) is no manifest of nova fixtures: \(error)")
    }
    try self.init(ManifestReader(file: path, path: "", value: value))
  }

  private init(_ json: ManifestReader) throws(FixtureError) {
    _ = try json["kind"].text("\"\(Self.kind)\"") { $0 == Self.kind ? $0 : nil }
    seed = try json["seed"].seed()
    var size = World.Size(users: 0)
    for field in Self.sizeFields { size[keyPath: field.value] = try json["size"][field.name].number() }
    self.size = size
    formats = try json["formats"].list { json throws(FixtureError) in
      try json.text("a format") { FixtureFormat(rawValue: $0) }
    }
    dialect = try json["dialect"].text("a dialect") { FixtureDialect(rawValue: $0) }
    entities = try json["entities"].list { json throws(FixtureError) in try json.entity() }
    files = try json["files"].list { json throws(FixtureError) in try File(json) }
  }
}

extension FixtureManifest.File {
  fileprivate init(_ json: ManifestReader) throws(FixtureError) {
    // A name that leads out of the directory is never opened.
    name = try json["name"].text("a path inside the directory") { name in
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      return parts.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.contains(0) } ? nil : name
    }
    format = try json["format"].text("a format") { $0 }
    entity = json["entity"].value == .null ? nil : try json["entity"].entity()
    records = try json["records"].number()
    bytes = try json["bytes"].number()
    sha256 = try json["sha256"].text("64 hexadecimal digits") { $0.utf8.count == 64 ? $0 : nil }
  }
}
