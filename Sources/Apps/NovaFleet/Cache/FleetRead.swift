internal import NovaCoding
internal import NovaCore
internal import NovaSupport

/// A read of a client with a ``FleetCallStore``.
struct FleetRead: Sendable {
  let call: StoredCall
  let key: FleetCacheKey
  let lifetime: Duration
  let cache: FleetCache
  let clock: any CallClock
  let send: CallStore.Send

  private typealias Answer = APIResponse<any ProtoMessage>

  /// An answer that cannot be stored.
  private struct Unstorable: Error { let response: APIResponse<any ProtoMessage> }

  /// The stored answer, or the gateway's.
  ///
  /// - Parameter limit: how old it may be; nil for as old as it is stored.
  func answer(youngerThan limit: Duration?) async throws -> APIResponse<any ProtoMessage> {
    if let answer = try await find(), limit.map({ answer.isYounger(than: $0) }) ?? true { return answer }
    // Stored in another form, or too old for this caller.
    try? await cache.remove(key)
    if let answer = try await find() { return answer }
    return try await send(call)
  }

  /// The stored answer without a request; nil if absent.
  func storedOnly() async throws -> APIResponse<any ProtoMessage>? {
    do { return try await find() } catch is NotStored { return nil }
  }

  /// - Returns: nil if what is stored cannot be decoded.
  private func find() async throws -> Answer? {
    let own = Locked<Answer?>(nil)
    do {
      let bytes = try await cache.value(for: key, for: lifetime) { [call, clock, send] in
        let response = try await send(call)
        // Warnings mean that the answer is about something else than the request.
        guard response.report.warnings.isEmpty, let message = try? response.value.jsonUTF8() else {
          throw Unstorable(response: response)
        }
        own.withLock { $0 = response }
        return Self.time(clock) + message
      }
      return own.withLock { $0 } ?? decoded(bytes)
    } catch let error as Unstorable {
      return error.response
    } catch is CancellationError {
      throw APIError(.cancelled, "the task was cancelled", rpc: call.rpc.id)
    }
  }

  // MARK: The stored form

  /// The milliseconds since 1970, in 8 bytes, which precede the message.
  private static func time(_ clock: any CallClock) -> [UInt8] {
    let time = UInt64(max(0, clock.unixTime * 1000))
    return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: time >> UInt64($0)) }
  }

  private func decoded(_ bytes: [UInt8]) -> Answer? {
    guard bytes.count >= 8, let value = try? call.rpc.responseType.init(jsonUTF8: Array(bytes[8...])) else {
      return nil
    }
    let time = Double(bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) / 1000
    let report = CallReport(rpc: call.rpc.id, requestID: "", duration: .zero, failure: nil, attempts: [])
    var answer = Answer(value: value, report: report)
    answer.source = .cache(age: .seconds(max(0, clock.unixTime - time)))
    return answer
  }
}

extension APIResponse {
  fileprivate func isYounger(than limit: Duration) -> Bool {
    if case .cache(let age?) = source { age <= limit } else { true }
  }
}
