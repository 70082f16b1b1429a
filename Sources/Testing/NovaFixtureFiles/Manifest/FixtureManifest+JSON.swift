import NovaCore
import NovaFixtures
import NovaMockWorlds

extension FixtureManifest {
  /// Identifies a manifest and its version.
  static let kind = "nova-fixtures/1"
  /// The same for a shard.
  static let shardKind = "nova-fixtures-shard/1"

  /// The encoded manifest: the options on one line, then one line per file, so that differences are readable.
  var json: [UInt8] {
    let head: JSONValue = [
      "kind": .string(shard == nil ? Self.kind : Self.shardKind), "scheme": "nova\(seed.scheme.rawValue)",
      "seed": "\(seed)", "size": Self.value(size),
      "formats": Self.names(formats), "dialect": .string(dialect.rawValue), "entities": Self.names(entities),
      "password_key": password == .standard ? nil : .string(password.stored),
      "shard": shard.map { .string("\($0.part)") }, "exchanges": shard.map { .strings($0.exchanges) },
      "fields_sha256": fieldsDigest.map { .string($0) },
    ]
    let lines = files.map { String(decoding: Self.value($0).jsonUTF8, as: UTF8.self) }
    let start = String(decoding: head.jsonUTF8.dropLast(), as: UTF8.self)
    return Array("\(start),\"files\":[\n\(lines.joined(separator: ",\n"))\n]}\n".utf8)
  }

  private static func names<T: RawRepresentable<String>>(_ values: [T]) -> JSONValue {
    .array(values.map { .string($0.rawValue) })
  }

  private static func value(_ size: World.Size) -> JSONValue {
    .object(sizeFields.map { .init(name: $0.name, value: .number("\(size[keyPath: $0.value])")) })
  }

  private static func value(_ file: File) -> JSONValue {
    [
      "name": .string(file.name), "format": .string(file.format),
      "entity": file.entity.map { .string($0.rawValue) } ?? .null, "records": .number(file.records),
      "bytes": .number(file.bytes), "sha256": .string(file.sha256),
    ]
  }

  static var sizeFields: [(name: String, value: WritableKeyPath<World.Size, Int>)] {
    [
      ("users", \.users), ("follows_per_user", \.followsPerUser), ("posts_per_user", \.postsPerUser),
      ("likes_per_post", \.likesPerPost), ("comments_per_post", \.commentsPerPost),
    ]
  }
}

extension FixtureManifest {
  /// Reads the manifest of a directory.
  ///
  /// - Throws: ``FixtureError/unreadable(_:)`` if there is no valid manifest.
  public init(reading directory: String) throws(FixtureError) {
    let path = "\(directory)/\(Self.fileName)"
    guard FileSystem.kind(directory, followingLinks: true) == .directory else {
      throw .unreadable("there is no directory \(directory); expected one written by nova fixtures")
    }
    guard FileSystem.kind(path, followingLinks: false) != nil else {
      throw .unreadable("\(directory) has no \(Self.fileName); expected a directory written by nova fixtures")
    }
    var file = try InputFile(path)
    var bytes: [UInt8] = []
    while case let piece = try file.piece(), !piece.isEmpty, bytes.count < InputFile.maximumLine { bytes += piece }
    let value: JSONValue
    do throws(ProtoJSONError) {
      value = try JSONValue(jsonUTF8: bytes)
    } catch {
      throw .unreadable("invalid manifest \(path): \(error)")
    }
    try self.init(ManifestReader(file: path, path: "", value: value))
  }

  private init(_ json: ManifestReader) throws(FixtureError) {
    let kind = try json["kind"].text("\"\(Self.kind)\"") { [Self.kind, Self.shardKind].contains($0) ? $0 : nil }
    seed = try json["seed"].seed()
    var size = World.Size(users: 0)
    for field in Self.sizeFields { size[keyPath: field.value] = try json["size"][field.name].number() }
    self.size = size
    formats = try json["formats"].list { json throws(FixtureError) in
      try json.text("a format") { FixtureFormat(rawValue: $0) }
    }
    dialect = try json["dialect"].text("a dialect") { FixtureDialect(rawValue: $0) }
    entities = try json["entities"].list { json throws(FixtureError) in try json.entity() }
    password =
      json["password_key"].value == nil
      ? .standard : try json["password_key"].text("a key of 32 bytes in Base64") { WorldPassword(stored: $0) }
    files = try json["files"].list { json throws(FixtureError) in try File(json) }
    guard kind == Self.shardKind else {
      (shard, fieldsDigest) = (nil, nil)
      return
    }
    shard = FixtureShard(
      try json["shard"].text("a shard such as 2/4") { try? WorkShard(parsing: $0) },
      exchanges: try json["exchanges"].list { json throws(FixtureError) in try json.text("a name") { $0 } })
    fieldsDigest = try json["fields_sha256"].text("64 hexadecimal digits") { $0.utf8.count == 64 ? $0 : nil }
  }
}

extension FixtureManifest.File {
  fileprivate init(_ json: ManifestReader) throws(FixtureError) {
    // Reject names that lead out of the directory.
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

/// A value of the manifest with its path.
struct ManifestReader {
  let file: String
  let path: String
  let value: JSONValue?

  subscript(name: String) -> ManifestReader {
    ManifestReader(file: file, path: path.isEmpty ? name : "\(path).\(name)", value: value?[name])
  }

  func text<T>(_ expected: String, _ parse: (String) -> T?) throws(FixtureError) -> T {
    guard let text = value?.stringValue, let result = parse(text) else { throw failure(expected) }
    return result
  }

  func seed() throws(FixtureError) -> Seed {
    let text = try text("a seed such as nova1:42") { $0 }
    do { return try Seed(parsing: text) } catch { throw .unreadable("\(file): \(path): \(error)") }
  }

  func number() throws(FixtureError) -> Int {
    guard let number = value?.integerValue, number >= 0 else { throw failure("a number from 0") }
    return number
  }

  func list<T>(_ read: (ManifestReader) throws(FixtureError) -> T) throws(FixtureError) -> [T] {
    guard case .array(let values) = value else { throw failure("a list") }
    return try values.enumerated().map { place, value throws(FixtureError) in
      try read(ManifestReader(file: file, path: "\(path)[\(place)]", value: value))
    }
  }

  func entity() throws(FixtureError) -> FixtureEntity { try text("an entity") { FixtureEntity(rawValue: $0) } }

  private func failure(_ expected: String) -> FixtureError {
    .unreadable(
      "invalid manifest \(file): \(path) is \(value?.kindDescription ?? "missing"); expected \(expected)"
    )
  }
}
