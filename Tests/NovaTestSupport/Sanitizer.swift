#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the tests run under.
public enum Sanitizer {
  /// Whether the thread sanitizer watches, under which everything takes ten times as long.
  public static let watchesThreads = dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") != nil
}
