import { ageOn, type CalendarDate, minimumAge, utcDate } from '#contracts/age.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'

/** In years. An earlier birthday is a typo. */
const greatestAge = 130

export type AgeVerdict = 'adult' | 'underage' | 'impossible'

export function judgeAge(birthday: CalendarDate, today: CalendarDate): AgeVerdict {
  if (birthday > today) return 'impossible'
  const age = ageOn(birthday, today)
  if (age > greatestAge) return 'impossible'
  return age >= minimumAge ? 'adult' : 'underage'
}

/** @throws AppError underage, or invalid_input for an impossible date; both name `birthday` */
export function requireAdult(birthday: CalendarDate, clock: Clock): void {
  const verdict = judgeAge(birthday, utcDate(clock.now()))
  if (verdict === 'impossible') throw invalidField('birthday', 'Check the year of this date')
  if (verdict === 'underage') throw underage()
}

export function underage(): AppError {
  const { message } = new AppError('underage')
  return new AppError('underage', { fields: { birthday: message } })
}
