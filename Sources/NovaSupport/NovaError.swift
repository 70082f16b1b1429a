#if canImport(FoundationEssentials)
  // Not all of Foundation, which costs milliseconds at the start of a program.
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error of NovaSDK. Its `description` is for logs and terminals, and its `localizedDescription` is the same sentence; for
/// the errors of calls, of signing in, of session stores and of announcements, it is a sentence for the users of an app.
///
/// ```swift
/// do {
///   _ = try await nova.graph.getFollowers(userId: id)
/// } catch {
///   print(error)  // graph.GetFollowers: not found (HTTP 404, request 0b7d…)
///   print(error.localizedDescription)  // This no longer exists.
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
