import type { Correction, NewCorrection } from '#contracts/corrections.endpoints.ts'
import { weekLines } from '#web/entities/locations/hours-words.ts'

export const correctionTitles: Record<NewCorrection['kind'], string> = {
  closed: 'It has closed for good',
  open: 'It’s open again',
  moved: 'It has moved',
  phone: 'New phone number',
  website: 'New website',
  hours: 'New hours',
  duplicate: 'It’s listed twice',
}

export function correctionLines(value: NewCorrection): string[] {
  switch (value.kind) {
    case 'moved':
      return [value.address, value.location].filter(Boolean)
    case 'phone':
      return [value.phone]
    case 'website':
      return [value.website]
    case 'hours':
      return weekLines(value.hours).map(({ days, words }) => `${days}: ${words}`)
    default:
      return []
  }
}

/** "2 people agree, 1 disagrees"; null before the first vote. */
export function voteWords({ agreeCount, disagreeCount }: Pick<Correction, 'agreeCount' | 'disagreeCount'>): string | null {
  const agree = agreeCount === 0 ? null : agreeCount === 1 ? '1 person agrees' : `${agreeCount} people agree`
  if (disagreeCount === 0) return agree
  const disagree = disagreeCount === 1 ? '1 disagrees' : `${disagreeCount} disagree`
  return agree ? `${agree}, ${disagree}` : disagreeCount === 1 ? '1 person disagrees' : `${disagreeCount} people disagree`
}

type NextFacts = Pick<Correction, 'state' | 'value' | 'disagreeCount' | 'isYours'>

/** Only the author is notified of the outcome. */
export function nextWords({ state, value, disagreeCount, isYours }: NextFacts, isClaimed: boolean): string {
  if (state === 'applied') return 'The listing has been updated.'
  const next = isYours ? ' We’ll let you know.' : ''
  if (isClaimed && value.kind !== 'duplicate') return `Its owner will decide.${next}`
  if (value.kind === 'duplicate' || disagreeCount > 0) return `A moderator will decide.${next}`
  return `Someone else has to confirm it.${next}`
}
