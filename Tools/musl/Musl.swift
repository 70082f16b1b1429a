// What Swift's own module of musl adds to the C library's headers, as far as the SDK uses it. Swift does not import macros
// with casts, and functions with a variable number of arguments.
@_exported import SwiftMusl

public var errno: Int32 {
  get { __errno_location().pointee }
  set { __errno_location().pointee = newValue }
}

@_silgen_name("open") private func systemOpen(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32
@_silgen_name("openat")
private func systemOpen(_ folder: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32
@_silgen_name("fcntl") private func systemControl(_ file: Int32, _ command: Int32, _ value: Int) -> Int32
@_silgen_name("ioctl") private func systemControl(_ file: CInt, _ request: UInt, _ value: UnsafeMutableRawPointer?)
  -> CInt

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { systemOpen(path, oflag, 0) }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
  systemOpen(path, oflag, mode)
}
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 {
  systemOpen(fd, path, oflag, 0)
}
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
  systemOpen(fd, path, oflag, mode)
}
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { systemControl(fd, cmd, 0) }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { systemControl(fd, cmd, Int(value)) }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 {
  systemControl(fd, cmd, Int(bitPattern: ptr))
}
public func ioctl(_ fd: CInt, _ request: UInt, _ value: CInt) -> CInt {
  systemControl(fd, request, UnsafeMutableRawPointer(bitPattern: Int(value)))
}
public func ioctl(_ fd: CInt, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> CInt {
  systemControl(fd, request, ptr)
}

public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFCHR: mode_t { 0o020000 }
public var S_IFDIR: mode_t { 0o040000 }
public var S_IFBLK: mode_t { 0o060000 }
public var S_IFREG: mode_t { 0o100000 }
public var S_IFLNK: mode_t { 0o120000 }
public var S_IFSOCK: mode_t { 0o140000 }
public var S_IRWXU: mode_t { 0o000700 }
public var S_IRUSR: mode_t { 0o000400 }
public var S_IWUSR: mode_t { 0o000200 }
public var S_IXUSR: mode_t { 0o000100 }
public var S_IRWXG: mode_t { 0o000070 }
public var S_IRGRP: mode_t { 0o000040 }
public var S_IWGRP: mode_t { 0o000020 }
public var S_IXGRP: mode_t { 0o000010 }
public var S_IRWXO: mode_t { 0o000007 }
public var S_IROTH: mode_t { 0o000004 }
public var S_IWOTH: mode_t { 0o000002 }
public var S_IXOTH: mode_t { 0o000001 }
public var S_ISUID: mode_t { 0o004000 }
public var S_ISGID: mode_t { 0o002000 }
public var S_ISVTX: mode_t { 0o001000 }

public var SIG_DFL: sighandler_t? { nil }
public var SIG_IGN: sighandler_t { unsafeBitCast(1, to: sighandler_t.self) }
public var SIG_ERR: sighandler_t { unsafeBitCast(-1, to: sighandler_t.self) }
