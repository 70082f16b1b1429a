/// Whether a client can make calls, and if not, why: the answer to a server's `/ready`.
///
/// ```swift
/// let readiness = await nova.readiness()
/// print(readiness.isReady ? "ready" : "\(readiness)")  // not ready: unreachable: nothing accepts connections at …
/// ```
public struct Readiness: Sendable, Equatable, CustomStringConvertible {
  /// A reason why the client is not ready.
  public struct Problem: Sendable, Equatable, CustomStringConvertible {
    /// What kind of reason it is. Open: later versions may add kinds.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
      /// A stable name, for example `circuitOpen`.
      public let rawValue: String

      /// Creates a kind from its name.
      public init(rawValue: String) { self.rawValue = rawValue }

      public var description: String { rawValue }

      /// The client was shut down.
      public static let shutDown = Kind(rawValue: "shutDown")
      /// Offline mode is on: nothing is sent. Reads from a store still work.
      public static let offline = Kind(rawValue: "offline")
      /// The ``CircuitBreaker`` refuses calls, because the host has failed too often.
      public static let circuitOpen = Kind(rawValue: "circuitOpen")
      /// The gateway does not answer.
      public static let unreachable = Kind(rawValue: "unreachable")
    }

    /// What kind of reason it is.
    public let kind: Kind
    /// The reason in words, for logs. It can name hosts and ports, so don't show it to the public.
    public let message: String

    public var description: String { "\(kind): \(message)" }
  }

  /// Every reason; empty if the client is ready.
  public let problems: [Problem]
  /// Whether a mock backend answers the calls.
  public let isMock: Bool

  /// Whether there is no problem.
  public var isReady: Bool { problems.isEmpty }

  public var description: String {
    if isReady { return isMock ? "ready (mock)" : "ready" }
    return "not ready: " + problems.map(\.description).joined(separator: "; ")
  }
}

extension Readiness.Problem {
  /// Why nothing came back.
  init(_ error: any Error) {
    let error = APIError(anyFailure: error)
    switch error.transport?.kind {
    case .shutDown?: self.init(kind: .shutDown, message: error.message)
    case .offline?: self.init(kind: .offline, message: error.message)
    default: self.init(kind: .unreachable, message: error.message)
    }
  }
}
