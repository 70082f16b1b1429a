/// The proleptic Gregorian calendar, based on Howard Hinnant's "chrono-compatible low-level date algorithms". Years
/// begin in March, and are counted in eras of 400 years.
package enum CivilDate {
  /// The days since 1970-01-01.
  package static func toDays(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package static func fromDays(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  package static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The date as `2025-11-20`.
  @inline(never)
  package static func text(year: Int, month: Int, day: Int) -> String {
    year.padded(to: 4) + "-" + month.padded(to: 2) + "-" + day.padded(to: 2)
  }

  /// The time as `10:30:00`, from the seconds since midnight.
  @inline(never)
  package static func clock(_ seconds: Int) -> String {
    (seconds / 3600).padded(to: 2) + ":" + (seconds / 60 % 60).padded(to: 2) + ":" + (seconds % 60).padded(to: 2)
  }
}
