import NovaCore
import NovaTestSupport
import NovaTesting

/// A gateway that lists and streams these events, has the watched post, and nothing else.
enum EventGateway {
  /// - Parameters:
  ///   - list: the response of ListEvents for a position.
  ///   - streams: the streams, one after the other. The last stays open.
  ///   - beforeLast: called before the last stream begins, which waits for it.
  static func script(
    list: String = #"{"next_after":"1:0","is_complete":true}"#, streams: [String],
    beforeLast: @escaping @Sendable () -> Void = {}
  ) -> RawServer.Script {
    let rest = Locked(streams[...])
    return { connection in
      while let request = try connection.readRequest() {
        guard request.requestLine.contains("/events/stream") else {
          guard !request.requestLine.contains("/content/post") else {
            try connection.respond(headers: ["Content-Type: application/json"], body: Array(post.utf8))
            continue
          }
          // Without a position, the answer is the position now.
          let isNow = String(decoding: request.body, as: UTF8.self).contains(#""after":"""#)
          let body = isNow ? #"{"next_after":"1:0","is_complete":true}"# : list
          try connection.respond(headers: ["Content-Type: application/json"], body: Array(body.utf8))
          continue
        }
        let (stream, isLast) = rest.withLock { rest in (rest.popFirst() ?? "", rest.isEmpty) }
        if isLast { beforeLast() }
        try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        try connection.write("retry: 0\n\n\(stream)")
        if isLast { connection.hang() }
        return
      }
    }
  }

  /// The response of GetPost: the post that is watched.
  static let post = #"{"post":{"id":"post-1"},"found":true}"#

  /// An event as it is streamed: a like of post-1.
  static func like(_ id: String, count: Int) -> String {
    """
    id: \(id)
    event: like.created
    data: {"id":"\(id)","type":"like.created","actor_id":"ada","subject_id":"bob","post_id":"post-1",\
    "counts":{"like_count":"\(count)"},"created_at":1700000000}\n\n
    """
  }
}
