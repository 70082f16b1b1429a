#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system's clock.
public enum SystemTime {
  /// Unix seconds.
  public static var seconds: Int64 { Int64(time(nil)) }
}
