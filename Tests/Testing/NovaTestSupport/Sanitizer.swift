import NovaLibc

/// What the tests run under.
public enum Sanitizer {
  /// Whether the thread sanitizer watches, under which everything takes ten times as long.
  public static let watchesThreads = isLoaded("__tsan_init")
  /// Whether the address sanitizer watches, which keeps 256 MB of freed memory, and surrounds the rest.
  public static let watchesAddresses = isLoaded("__asan_init")

  private static func isLoaded(_ function: String) -> Bool { dlsym(dlopen(nil, RTLD_NOW), function) != nil }
}
