/// Stores an optional value on the heap, so that a message can contain a message of its own type.
///
/// Generated messages use it. Callers see an ordinary optional property.
///
/// ```swift
/// var root = Comment()
/// root.parent = Comment()  // `@Indirect public var parent: Comment?`
/// ```
@propertyWrapper
public struct Indirect<Wrapped> {
  fileprivate indirect enum Storage {
    case absent
    case present(Wrapped)
  }

  // An absent value allocates nothing.
  private var storage: Storage

  /// Creates the storage of a value.
  public init(wrappedValue: Wrapped?) { storage = wrappedValue.map { .present($0) } ?? .absent }

  /// The value.
  public var wrappedValue: Wrapped? {
    get { if case .present(let value) = storage { value } else { nil } }
    set { storage = newValue.map { .present($0) } ?? .absent }
    // Takes the value out while it changes. A second reference would copy its lists with each change.
    _modify {
      var value = wrappedValue
      storage = .absent
      defer { storage = value.map { .present($0) } ?? .absent }
      yield &value
    }
  }
}

extension Indirect.Storage: Sendable where Wrapped: Sendable {}
extension Indirect: Sendable where Wrapped: Sendable {}

extension Indirect: Equatable where Wrapped: Equatable {
  public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Indirect: Hashable where Wrapped: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
