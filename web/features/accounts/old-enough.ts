import * as z from 'zod/mini'
import { Birthday } from '../../../contracts/accounts.ts'
import { ageOn, isCalendarDate, minimumAge, utcDate } from '../../../contracts/age.ts'

export const tooYoung = `You must be ${minimumAge} years or older to access this platform.`

/** Nobody is older; such a date is a slip of the keyboard. The server draws the same line. */
const greatestAge = 130

/** `today`: in UTC, as the server counts. */
export const isTooYoung = (birthday: string, today = utcDate(new Date())): boolean =>
  isCalendarDate(birthday) && birthday <= today && ageOn(birthday, today) < minimumAge

function isSomebodys(birthday: string): boolean {
  const today = utcDate(new Date())
  return !isCalendarDate(birthday) || (birthday <= today && ageOn(birthday, today) <= greatestAge)
}

/** The birthday of somebody who may have an account, told in the form already. */
export const AdultBirthday = Birthday.check(
  z.refine((birthday) => !isTooYoung(birthday), tooYoung),
  z.refine(isSomebodys, 'Check the year of this date'),
)
