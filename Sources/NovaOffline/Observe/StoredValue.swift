/// A value as it is stored, with what waiting writes change about it.
public struct StoredValue<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// How long ago the gateway said so; nil if that is not sure, because a write has changed it since.
  public let age: Duration?

  /// Creates a value.
  public init(value: Value, age: Duration?) {
    self.value = value
    self.age = age
  }
}

extension StoredValue: Equatable where Value: Equatable {}
