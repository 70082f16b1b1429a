public import NovaFixtures

/// What to write.
///
/// ```swift
/// let options = try FixtureOptions(seed: Seed(42), size: World.Size(users: 1_000), formats: [.ndjson, .sqlite])
/// try FixtureSet(options).write(to: "fixtures")
/// ```
public struct FixtureOptions: Sendable, Hashable {
  /// What decides every value.
  public let seed: Seed
  /// How much there is of everything.
  public let size: World.Size
  /// The formats, in the order of ``FixtureFormat``, none twice.
  public let formats: [FixtureFormat]
  /// How JSON stands in files.
  public let dialect: FixtureDialect
  /// What is written, in the order of ``FixtureEntity``, nothing twice.
  public let entities: [FixtureEntity]
  /// What is written, as it can be asked: it follows from seed and size.
  public let world: World

  /// Checks and keeps options.
  ///
  /// - Parameters:
  ///   - seed: what decides every value.
  ///   - size: how much there is.
  ///   - formats: one or more. Default: `ndjson`.
  ///   - dialect: for `json` and `ndjson`. Default: `wire`.
  ///   - entities: one or more. Default: all.
  /// - Throws: ``FixtureError/options(_:)`` for a size that cannot be, for no formats or entities, and for a dialect
  ///   without JSON.
  public init(
    seed: Seed, size: World.Size, formats: [FixtureFormat] = [.ndjson], dialect: FixtureDialect = .wire,
    entities: [FixtureEntity] = FixtureEntity.allCases
  ) throws(FixtureError) {
    let world: World
    do throws(WorldError) {
      world = try World(seed: seed, size: size)
    } catch {
      throw .options(error.description)
    }
    try self.init(world, formats: formats, dialect: dialect, entities: entities)
  }

  init(
    _ world: World, formats: [FixtureFormat] = [.ndjson], dialect: FixtureDialect = .wire,
    entities: [FixtureEntity] = FixtureEntity.allCases
  ) throws(FixtureError) {
    self.world = world
    seed = world.seed
    size = world.size
    self.dialect = dialect
    self.formats = FixtureFormat.allCases.filter(formats.contains)
    self.entities = FixtureEntity.allCases.filter(entities.contains)
    if self.formats.isEmpty { throw .options("there is no format; expected one of \(Self.names(FixtureFormat.self))") }
    if self.entities.isEmpty {
      throw .options("there is nothing to write; expected one or more of \(Self.names(FixtureEntity.self))")
    }
    if dialect != .wire, !self.formats.contains(where: \.isJSON) {
      throw .options("the dialect \(dialect.rawValue) is one of JSON; expected json or ndjson among the formats")
    }
  }

  private static func names<T: CaseIterable & RawRepresentable>(_ type: T.Type) -> String where T.RawValue == String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }
}

extension FixtureOptions {
  // The world follows from seed and size.

  public static func == (left: Self, right: Self) -> Bool {
    left.seed == right.seed && left.size == right.size && left.formats == right.formats
      && left.dialect == right.dialect && left.entities == right.entities
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(seed)
    hasher.combine(size)
    hasher.combine(formats)
    hasher.combine(dialect)
    hasher.combine(entities)
  }
}
