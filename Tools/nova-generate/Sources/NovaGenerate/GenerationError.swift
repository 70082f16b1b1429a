/// Something in the contract that cannot be generated: where it stands, what it is, and what would do.
public struct GenerationError: Error, Equatable, CustomStringConvertible {
  /// The file, for example `nova/graph_service/v1/graph_service.proto`.
  public var file: String
  /// The message, field, RPC or key in it.
  public var place: String
  /// What is wrong and what is supported.
  public var reason: String

  public var description: String { "\(file): \(place): \(reason)" }
}
