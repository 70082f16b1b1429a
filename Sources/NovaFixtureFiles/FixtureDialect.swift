public import NovaCore

/// How JSON stands in files: as gateways are known to send it.
public enum FixtureDialect: String, Sendable, Hashable, CaseIterable {
  /// As the contract has it: names of `Proto/` (lowerCamelCase for somethings and announcements), 64-bit integers as
  /// numbers, defaults written.
  case wire
  /// As gateways write that follow proto3 JSON to the letter: lowerCamelCase, 64-bit integers as strings, defaults
  /// written.
  case canonical
  /// As ``wire``, with lowerCamelCase everywhere.
  case camel
  /// As ``wire``, without fields at their default.
  case defaultsOmitted = "defaults-omitted"
  /// As ``wire``, with times as `yyyy-MM-dd HH:mm:ss` in UTC.
  case legacyTimes = "legacy-times"

  /// How the SDK's writer makes it.
  public func options(for entity: FixtureEntity) -> ProtoJSONOptions {
    switch self {
    case .wire: ProtoJSONOptions(names: entity.wireNames)
    case .canonical: ProtoJSONOptions(names: .lowerCamelCase, writesInt64AsString: true)
    case .camel: ProtoJSONOptions(names: .lowerCamelCase)
    case .defaultsOmitted: ProtoJSONOptions(names: entity.wireNames, includesDefaults: false)
    case .legacyTimes: ProtoJSONOptions(names: entity.wireNames, writesLegacyTimes: true)
    }
  }
}

extension FixtureEntity {
  /// Two services speak lowerCamelCase.
  fileprivate var wireNames: JSONNameStyle { self == .somethings || self == .announcements ? .lowerCamelCase : .proto }
}
