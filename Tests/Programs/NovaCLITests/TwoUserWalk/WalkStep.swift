import Foundation
import NovaCore

/// What a step of a walk does.
enum WalkAction: Sendable {
  enum Read: String, CaseIterable, Sendable { case post, likes, captures, followers, profiles, whoami }
  enum Write: String, CaseIterable, Sendable { case capture, captureAs, post, postWithFile, comment, like, follow }
  /// The options that choose a store.
  enum Policy: String, CaseIterable, Sendable { case none, networkFirst, cacheFirst, cacheOnly, offline }

  case signIn(WalkUser), signOut
  case read(Read, Policy)
  case write(Write, Policy, text: Int)
  case flush, outboxList
  case upload(Int), uploadAll, resumeAll
  /// Resumes the record with this number, no matter whose it is.
  case resume(Int)
  case download(WalkMedia, isCached: Bool)
  case watch
}

/// What happens during a step.
enum WalkDisturbance: Sendable {
  case none
  case faults([Int: WalkFault])
  /// The gateway cannot be reached.
  case down
  /// While the request with this number waits, another process signs out, or the other user in, or both.
  case switched(at: Int, signsOut: Bool, signsIn: Bool, then: WalkFault?)
  /// The access token has expired, and another user signs in before the command can refresh it.
  case replaced
  /// The command gets a signal while the request with this number waits.
  case interrupted(at: Int, signal: Int32)
  /// Another command runs at the same time.
  indirect case beside(WalkSeat, WalkAction)
}

/// A step of a walk.
struct WalkStep: Sendable {
  var seat: WalkSeat
  var action: WalkAction
  var disturbance: WalkDisturbance

  /// A random step.
  ///
  /// - Parameter number: its number, which is in the texts that it writes.
  init(_ number: Int, using random: inout SeededGenerator) {
    action = WalkAction(number, using: &random)
    seat = WalkSeat(for: action, using: &random)
    disturbance = WalkDisturbance(number, using: &random)
  }

  init(seat: WalkSeat, action: WalkAction, disturbance: WalkDisturbance) {
    (self.seat, self.action, self.disturbance) = (seat, action, disturbance)
  }

  /// The step without what cannot happen at its seat.
  func possible(with users: [WalkSeat: WalkUser]) -> WalkStep {
    var step = self
    switch disturbance {
    case .switched: if case .token = seat { step.disturbance = .none }
    case .replaced: if seat != .main || users[.main] == nil { step.disturbance = .none }
    default: break
    }
    return step
  }
}

extension WalkStep: CustomStringConvertible {
  var description: String { "\(seat): \(action)\(disturbance.isNone ? "" : ", \(disturbance)")" }
}

extension WalkDisturbance {
  var isNone: Bool { if case .none = self { true } else { false } }
  var isDown: Bool { if case .down = self { true } else { false } }
  var faults: [Int: WalkFault] { if case .faults(let faults) = self { faults } else { [:] } }
}

extension WalkSeat {
  fileprivate init(for action: WalkAction, using random: inout SeededGenerator) {
    let canBeToken = if case .signIn = action { false } else if case .signOut = action { false } else { true }
    switch random.next(below: canBeToken ? 10 : 9) {
    case 0..<6: self = .main
    case 6..<9: self = .side
    default: self = .token(random.one(in: 2) ? .amberly : .birchen)
    }
  }
}

extension WalkAction {
  fileprivate init(_ number: Int, using random: inout SeededGenerator) {
    let user: WalkUser = random.one(in: 2) ? .amberly : .birchen
    switch random.next(below: 40) {
    case 0..<6: self = .signIn(user)
    case 6: self = .signOut
    case 7..<17: self = .read(random.element(of: Read.allCases), Policy.random(using: &random))
    case 17..<24:
      let policy = random.element(of: [Policy.none, .networkFirst, .offline, .offline])
      self = .write(random.element(of: Write.allCases), policy, text: number)
    case 24..<26: self = .flush
    case 26: self = .outboxList
    case 27..<29: self = .upload(random.next(below: WalkDesk.files.count))
    case 29..<31: self = .uploadAll
    case 31: self = .resumeAll
    case 32: self = .resume(random.next(below: 4))
    case 33..<38:
      self = .download(random.element(of: WalkMedia.allCases), isCached: random.one(in: 2))
    default: self = .watch
    }
  }
}

extension WalkAction.Policy {
  fileprivate static func random(using random: inout SeededGenerator) -> Self {
    random.element(of: [Self.none, .none, .networkFirst, .networkFirst, .cacheFirst, .cacheOnly, .offline])
  }
}

extension WalkDisturbance {
  fileprivate init(_ number: Int, using random: inout SeededGenerator) {
    switch random.next(below: 20) {
    case 0..<6: self = .none
    case 6..<10:
      let faults = (0..<1 + random.next(below: 2)).map { _ in
        (random.element(of: [0, 0, 1, 2, 4]), WalkFault(using: &random))
      }
      self = .faults(Dictionary(faults) { $1 })
    case 10: self = .down
    case 11..<15:
      let signsOut = random.one(in: 2)
      self = .switched(
        at: random.element(of: [0, 0, 0, 1, 1, 2, 4]), signsOut: signsOut, signsIn: !signsOut || !random.one(in: 4),
        then: random.one(in: 4) ? nil : random.one(in: 2) ? .expired : WalkFault(using: &random))
    case 15: self = .replaced
    case 16..<18:
      self = .interrupted(at: random.element(of: [0, 1, 2, 3]), signal: random.one(in: 2) ? SIGINT : SIGKILL)
    default:
      let other = WalkAction(number + 1000, using: &random)
      self = .beside(WalkSeat(for: other, using: &random), other)
    }
  }
}

extension WalkFault {
  fileprivate init(using random: inout SeededGenerator) {
    switch random.next(below: 10) {
    case 0: self = .unavailable(retryAfter: 1)
    case 1..<3: self = .unavailable(retryAfter: 0)
    case 3..<6: self = .lost
    default: self = .expired
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func element<Element>(of all: [Element]) -> Element { all[next(below: all.count)] }
}
