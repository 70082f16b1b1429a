/// A first-in, first-out queue. Adding and removing take constant time on average.
package struct Queue<Element> {
  /// The elements before `start` were removed, and are nil.
  private var elements: [Element?] = []
  private var start = 0

  package init() {}

  package init(_ elements: some Sequence<Element>) { self.elements = elements.map(Optional.some) }

  package var count: Int { elements.count - start }
  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : self[0] }
  package var last: Element? { isEmpty ? nil : self[count - 1] }
  /// The elements in order.
  package var all: some BidirectionalCollection<Element> { elements[start...].lazy.compactMap(\.self) }

  /// - Parameter index: 0 for the first element.
  package subscript(index: Int) -> Element {
    get {
      guard let element = elements[start + index] else { preconditionFailure("a removed element") }
      return element
    }
    _modify {
      guard var element = elements[start + index].take() else { preconditionFailure("a removed element") }
      defer { elements[start + index] = element }
      yield &element
    }
  }

  package mutating func append(_ element: Element) { elements.append(element) }

  /// Removes the first element; nil if the queue is empty.
  package mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[start].take()
    start += 1
    // Moves the rest only if it is the smaller half.
    if start > elements.count / 2 {
      elements.removeFirst(start)
      start = 0
    }
    return element
  }

  /// Removes the last element; nil if the queue is empty.
  @discardableResult package mutating func popLast() -> Element? { isEmpty ? nil : elements.removeLast() }

  /// Changes each element.
  package mutating func update(_ body: (inout Element) -> Void) {
    for index in 0..<count { body(&self[index]) }
  }
}

extension Queue: Sendable where Element: Sendable {}
