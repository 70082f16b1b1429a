/// The statuses with which a proxy reports that it has no response from its server. They are Cloudflare's: 520 to 527, and
/// 530, with a page of its own.
enum OriginStatus {
  static let all: Set = [520, 521, 522, 523, 524, 525, 526, 527, 530]

  /// The statuses of requests that the server has not received: it was down or unreachable, had no valid certificate, or its
  /// name was unknown. With the others, it may have run the request.
  static let notReached: Set = [521, 523, 525, 526, 530]
}

extension APIError {
  /// Statuses that report that the request was not processed, so that any request may be sent again: a proxy or network that
  /// requires a sign-in (407, 511), a connection of another host (421), a request that came too early (425), and a server
  /// that its proxy did not reach.
  private static let notProcessed: Set = OriginStatus.notReached.union([407, 421, 425, 511])

  /// Whether the gateway may have processed the request, or even seen it. A session is refreshed before the call, or after the
  /// gateway has refused it.
  package var mayHaveReachedGateway: Bool {
    if isOfRefresh { return attempts.contains { $0.failure != nil } }
    return transport?.requestMayHaveLeft ?? !(httpStatus.map(Self.notProcessed.contains) ?? false)
  }
}

extension APIError {
  /// The failures of attempts that sent nothing to the gateway.
  private static let unsent: Set<TransportError.Kind> = [
    .invalidURL, .invalidHeader, .nameResolution, .connectionRefused, .connectTimeout, .circuitOpen, .offline,
    .unavailable,
  ]

  /// Whether none of the call's attempts has left this machine.
  package var provesNothingSent: Bool {
    !mayHaveReachedGateway
      && attempts.allSatisfy { $0.httpStatus == nil && ($0.failure.map(Self.unsent.contains) ?? false) }
  }
}

extension APIError {
  /// Statuses of proxies that forwarded the request, and received no response in time, or no readable one.
  private static let lostResponses: Set = OriginStatus.all.subtracting(OriginStatus.notReached).union([502, 504])

  /// Whether a change may have taken effect although its call failed: the response was lost on the way, or cannot be read.
  package var mayHaveTakenEffect: Bool {
    guard mayHaveReachedGateway else { return false }
    if transport != nil || grpcStatus == .deadlineExceeded { return true }
    guard let httpStatus else { return code == .timeout && !attempts.isEmpty }
    let isUnreadable = code == .invalidResponse || code == .decodingError
    return (200..<300).contains(httpStatus) ? isUnreadable : Self.lostResponses.contains(httpStatus)
  }
}
