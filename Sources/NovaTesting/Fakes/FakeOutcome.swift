public import NovaCore

/// What comes of one call to a fake.
public struct FakeOutcome<Request: Sendable, Response: Sendable>: Sendable {
  let run: @Sendable (Request) async throws -> Response

  /// Answers.
  public static func returns(_ response: Response) -> FakeOutcome { FakeOutcome { _ in response } }

  /// Fails. Where the error names no RPC, it gets the call's.
  public static func fails(_ error: APIError) -> FakeOutcome { FakeOutcome { _ in throw error } }

  /// Does whatever the closure does; it may wait.
  public static func runs(_ answer: @escaping @Sendable (Request) async throws -> Response) -> FakeOutcome {
    FakeOutcome(run: answer)
  }

  /// The same, once the gate is open.
  ///
  /// ```swift
  /// users.getUserProfile.plays([.returns(slow).after(gate), .returns(fast)])
  /// ```
  public func after(_ gate: FakeGate) -> FakeOutcome {
    FakeOutcome { request in
      try await gate.pass()
      return try await run(request)
    }
  }
}
