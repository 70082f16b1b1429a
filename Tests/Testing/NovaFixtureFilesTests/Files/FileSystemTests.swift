import Foundation
import NovaSupport
import Testing

@testable import NovaFixtureFiles

@Suite struct FileSystemTests {
  @Test(arguments: [(ENOSPC, true), (EDQUOT, true), (EFBIG, false), (EACCES, false)])
  func aFullDiskHasAdvice(_ code: Int32, hasAdvice: Bool) {
    let text = "\(FileSystem.failure("set", to: "write", SystemError(code: code)))"
    #expect(text.hasPrefix("cannot write set: "), "\(text)")
    #expect(text.hasSuffix("; nothing was changed: free space, and try again") == hasAdvice, "\(text)")
  }
}
