#if canImport(FoundationEssentials)
  // Not all of Foundation, which would add milliseconds to the start of a program.
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An error of NovaSDK. Its `description` is for logs and terminals. Its `localizedDescription` is the same sentence,
/// except for errors of calls, sign-in, session stores, and announcements: theirs is a sentence for the users of an
/// app.
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
  /// The `description`.
  public var errorDescription: String? { description }
  /// Always nil.
  public var failureReason: String? { nil }
  /// Always nil.
  public var recoverySuggestion: String? { nil }
  /// Always nil.
  public var helpAnchor: String? { nil }
}
