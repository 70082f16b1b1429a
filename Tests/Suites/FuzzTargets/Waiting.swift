import Dispatch
@testable import NovaSupport

/// Runs asynchronous code, and blocks the thread until it has ended: libFuzzer knows no other way.
func waiting<Value: Sendable>(for body: @escaping @Sendable () async -> Value) -> Value {
  let isDone = DispatchSemaphore(value: 0)
  let result = Locked<Value?>(nil)
  Task.detached {
    let value = await body()
    result.withLock { $0 = value }
    isDone.signal()
  }
  isDone.wait()
  guard let value = result.withLock({ $0 }) else { fatalError("no result") }
  return value
}
