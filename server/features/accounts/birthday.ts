import { ageOn, type CalendarDate, minimumAge, utcDate } from '../../../contracts/age.ts'
import type { Clock } from '../../kernel/clock.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'

/** Nobody is older; such a date is a slip of the keyboard. */
const greatestAge = 130

export type AgeVerdict = 'adult' | 'underage' | 'impossible'

/** What a birthday says on the day `today`, in whole years. */
export function judgeAge(birthday: CalendarDate, today: CalendarDate): AgeVerdict {
  if (birthday > today) return 'impossible'
  const age = ageOn(birthday, today)
  if (age > greatestAge) return 'impossible'
  return age >= minimumAge ? 'adult' : 'underage'
}

/** @throws AppError underage, or invalid_input for a date that is nobody's birthday; both name `birthday` */
export function requireAdult(birthday: CalendarDate, clock: Clock): void {
  const verdict = judgeAge(birthday, utcDate(clock.now()))
  if (verdict === 'impossible') throw invalidField('birthday', 'Check the year of this date')
  if (verdict === 'underage') throw underage()
}

export function underage(): AppError {
  const { message } = new AppError('underage')
  return new AppError('underage', { fields: { birthday: message } })
}
