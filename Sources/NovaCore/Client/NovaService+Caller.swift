extension NovaService {
  /// A copy for the calls of one operation, which are all made as the caller whose call would begin now. If another user
  /// signs in, or this one signs out, the rest of the operation fails with `unauthorized`, and sends nothing.
  ///
  /// - Returns: the copy, and the caller.
  /// - Throws: ``APIError``.
  package func forOneCaller() async throws -> (service: Self, identity: Identity) {
    let identity: Identity
    do { identity = try await client.identity(for: options) } catch { throw APIError(anyFailure: error) }
    return (with { $0.caller = $0.caller ?? OperationCaller(identity) }, identity)
  }
}
