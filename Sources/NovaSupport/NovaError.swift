#if canImport(FoundationEssentials)
  // Not all of Foundation, which costs milliseconds at the start of a program.
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error of NovaSDK: its `description` and its `localizedDescription` are the same sentence for people.
///
/// ```swift
/// do {
///   _ = try await nova.graph.getFollowers(userId: id)
/// } catch {
///   print(error.localizedDescription)  // graph.GetFollowers: not found (HTTP 404, request 0b7d…)
/// }
/// ```
public protocol NovaError: LocalizedError, CustomStringConvertible, Sendable {}

extension NovaError {
  /// The `description`, which makes it the `localizedDescription`.
  public var errorDescription: String? { description }
  /// Always nil.
  public var failureReason: String? { nil }
  /// Always nil.
  public var recoverySuggestion: String? { nil }
  /// Always nil.
  public var helpAnchor: String? { nil }
}
