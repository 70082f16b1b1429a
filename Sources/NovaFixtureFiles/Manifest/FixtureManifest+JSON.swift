import NovaCore
import NovaFixtures

extension FixtureManifest {
  /// Says that a manifest is one of ours, and which form it has.
  static let kind = "nova-fixtures/1"

  /// The manifest's own bytes: what was asked for on one line, then each file on one, so that differences can be read.
  var json: [UInt8] {
    let head = JSONValue.members(
      ("kind", .string(Self.kind)), ("scheme", .string("nova\(seed.scheme.rawValue)")), ("seed", .string("\(seed)")),
      ("size", Self.value(size)), ("formats", Self.names(formats)), ("dialect", .string(dialect.rawValue)),
      ("entities", Self.names(entities)))
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
    .members(
      ("name", .string(file.name)), ("format", .string(file.format)),
      ("entity", file.entity.map { .string($0.rawValue) } ?? .null), ("records", .number("\(file.records)")),
      ("bytes", .number("\(file.bytes)")), ("sha256", .string(file.sha256)))
  }

  static var sizeFields: [(name: String, value: WritableKeyPath<World.Size, Int>)] {
    [
      ("users", \.users), ("follows_per_user", \.followsPerUser), ("posts_per_user", \.postsPerUser),
      ("likes_per_post", \.likesPerPost), ("comments_per_post", \.commentsPerPost),
    ]
  }
}
