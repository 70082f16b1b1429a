/// A version of the Model Context Protocol. The protocol names them by dates.
enum MCPVersion: String, CaseIterable, Sendable {
  case november2024 = "2024-11-05"
  case march2025 = "2025-03-26"
  case june2025 = "2025-06-18"

  static let latest = june2025

  /// The version to use with a client: the one that it requests, or else the latest, which the client can refuse.
  static func negotiated(_ requested: String) -> MCPVersion { MCPVersion(rawValue: requested) ?? latest }

  /// Whether messages can come in batches.
  var hasBatches: Bool { self != .june2025 }
}
