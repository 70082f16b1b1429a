public import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs. It measures nothing: it is long enough for a sanitizer on a busy machine.
  public static var hangLimit: Self { .timeLimit(.minutes(15)) }
}
