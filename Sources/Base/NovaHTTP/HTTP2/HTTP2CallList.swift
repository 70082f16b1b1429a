#if GRPC
  /// Unfinished calls in order. A call is in at most one list. Adding and removing take constant time.
  final class HTTP2CallList {
    private(set) var first: HTTP2Call?
    private var last: HTTP2Call?
    private(set) var count = 0

    func append(_ call: HTTP2Call) {
      call.list = self
      call.previous = last
      last?.next = call
      last = call
      if first == nil { first = call }
      count += 1
    }

    func prepend(_ call: HTTP2Call) {
      call.list = self
      call.next = first
      first?.previous = call
      first = call
      if last == nil { last = call }
      count += 1
    }

    func popFirst() -> HTTP2Call? {
      guard let call = first else { return nil }
      remove(call)
      return call
    }

    /// Removes a call that is in this list.
    func remove(_ call: HTTP2Call) {
      if first === call { first = call.next }
      if last === call { last = call.previous }
      call.previous?.next = call.next
      call.next?.previous = call.previous
      (call.previous, call.next, call.list) = (nil, nil, nil)
      count -= 1
    }

    /// Calls `body` with each call, which it may remove.
    func forEach(_ body: (HTTP2Call) -> Void) {
      var next = first
      while let call = next {
        next = call.next
        body(call)
      }
    }
  }
#endif
