import * as z from 'zod/mini'
import { Birthday } from '#contracts/accounts.ts'
import { ageOn, isCalendarDate, minimumAge, utcDate } from '#contracts/age.ts'

export const tooYoung = `You must be ${minimumAge} years or older to access this platform.`

/** Older dates are typos. The server has the same limit. */
const greatestAge = 130

/** `today` is in UTC, as on the server. */
export const isTooYoung = (birthday: string, today = utcDate(new Date())): boolean =>
  isCalendarDate(birthday) && birthday <= today && ageOn(birthday, today) < minimumAge

function isSomebodys(birthday: string): boolean {
  const today = utcDate(new Date())
  return !isCalendarDate(birthday) || (birthday <= today && ageOn(birthday, today) <= greatestAge)
}

/** Birthday of someone old enough for an account, checked in the form. */
export const AdultBirthday = Birthday.check(
  z.refine((birthday) => !isTooYoung(birthday), tooYoung),
  z.refine(isSomebodys, 'Check the year of this date'),
)
