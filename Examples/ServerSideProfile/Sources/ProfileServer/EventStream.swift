import Hummingbird
import NovaSDK
import ServiceLifecycle

/// `GET /events`: what happens to the caller, as server-sent events, until the caller leaves or the server shuts down.
///
/// All streams are subscriptions of one client, each with the token of its request. A browser that reconnects sends the id
/// of the last event it got, and continues there.
func eventStream(
  for request: Request, in context: some RequestContext, from nova: NovaClient
) async throws -> Response {
  let caller = try nova.acting(for: request, in: context)
  guard caller.options.token != nil else { throw APIError(.unauthorized, "events require an Authorization header") }
  let subscription = caller.events.subscribe(topics: [.me], after: request.headers["Last-Event-ID"])
  // Before the status is sent: a token that the gateway refuses becomes 401, not an empty stream.
  try await subscription.begin()
  let logger = context.logger
  let body = ResponseBody { writer in
    // Cancelling a subscription ends the loop that reads it.
    try await request.body.consumeWithInboundCloseHandler { _ in
      try await withGracefulShutdownHandler {
        try await writer.write(ByteBuffer(string: ": connected\n\n"))
        do {
          for try await update in subscription { try await writer.write(frame(update)) }
        } catch let error as APIError {
          // The token expired, or was revoked. The caller reconnects, and learns it from the status.
          logger.info("Event stream ended", metadata: ["error": "\(error)"])
        }
      } onGracefulShutdown: {
        subscription.cancel()
      }
    } onInboundClosed: {
      subscription.cancel()
    }
    try await writer.finish(nil)
  }
  return Response(status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"], body: body)
}

private func frame(_ update: EventUpdate) throws -> ByteBuffer {
  switch update {
  case .event(let event):
    // JSON has no line breaks. An id with one would begin another field.
    let id = event.id.contains(where: \.isNewline) ? "" : "id: \(event.id)\n"
    return ByteBuffer(string: "\(id)data: \(String(decoding: try event.jsonUTF8(), as: UTF8.self))\n\n")
  case .resync:
    // Events may be missing: the caller reads again what it shows.
    return ByteBuffer(string: "event: resync\ndata: {}\n\n")
  }
}
