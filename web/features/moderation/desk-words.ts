import type { ModerationAction, ModerationCase } from '../../../contracts/moderation.ts'
import { reasonTitle } from '../reports/report-words.ts'
import { subjectTitle } from '../standing/standing-words.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** From here on there is little time left to decide. */
const soonHours = 12

/** A length of time in one unit, rounded down: "35 minutes", "1 hour", "3 days". */
export function spanWords(ms: number): string {
  const [count, unit] = ms < hour ? [ms / minute, 'minute'] : ms < 2 * day ? [ms / hour, 'hour'] : [ms / day, 'day']
  const whole = Math.floor(Number(count))
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}

/** How long it usually takes, from hours. */
export const hoursWords = (hours: number): string => (hours < 1 ? 'Under an hour' : spanWords(hours * hour))

export type ClockState = { state: 'late' | 'soon' | 'calm'; text: string }

/** How much is left of the time in which a case must be decided; null where it has none. */
export function clockOf({ dueAt, status }: Pick<ModerationCase, 'dueAt' | 'status'>, now: number): ClockState | null {
  if (dueAt === null || status !== 'open') return null
  const left = Date.parse(dueAt) - now
  if (left <= 0) return { state: 'late', text: -left < minute ? 'Overdue' : `Overdue by ${spanWords(-left)}` }
  return { state: left < soonHours * hour ? 'soon' : 'calm', text: `${spanWords(left)} left to decide` }
}

/** What is done, as its button says. */
export const actionNames: Record<ModerationAction, string> = {
  approve: 'Approve',
  dismiss: 'Dismiss',
  hide: 'Hide',
  remove: 'Remove',
  warn: 'Warn',
  mute: 'Mute',
  suspend: 'Suspend',
  ban: 'Ban',
}

/** What was done, as a list says. */
export const doneNames: Record<ModerationAction, string> = {
  approve: 'Approved',
  dismiss: 'Dismissed',
  hide: 'Hidden',
  remove: 'Removed',
  warn: 'Warned',
  mute: 'Muted',
  suspend: 'Suspended',
  ban: 'Banned',
}

/** What it means, in a line beside its name. */
export const actionMeanings: Record<ModerationAction, string> = {
  approve: 'Shown to everybody it was meant for',
  dismiss: 'Reported without cause; nothing changes',
  hide: 'Only its writer and moderators see it',
  remove: 'Only moderators see it',
  warn: 'Told what is not wanted; nothing else follows',
  mute: 'Reads, but writes nothing',
  suspend: 'Sees nothing but the page that says why, and can appeal there',
  ban: 'For good, or until it is undone',
}

/** What the case is called in a list and at its top: "Comment by Ann Archer". */
export function caseTitle({ subject, title, person }: Pick<ModerationCase, 'subject' | 'title' | 'person'>): string {
  if (subject === 'person') return person?.name ?? 'A person'
  if (title && (subject === 'business' || subject === 'community' || subject === 'hunt' || subject === 'event')) return title
  return `${subjectTitle(subject)}${person ? ` by ${person.name}` : ''}`
}

/** Where it can be looked at in the app: what is not shown has no page of its own, but may stand in another one. */
export function pathOf({ path, state, subject }: Pick<ModerationCase, 'path' | 'state' | 'subject'>): string | null {
  const isOnPageOfAnother = subject === 'comment' || subject === 'hunt_comment' || subject === 'review'
  return state === null || isOnPageOfAnother || subject === 'person' ? path : null
}

/** Why it is here: what was reported, or that a filter held it. */
export function caseCause({ source, reason, reportsCount }: Pick<ModerationCase, 'source' | 'reason' | 'reportsCount'>): string {
  if (source === 'check' && reportsCount === 0) return 'Possible duplicate'
  if (reason === null || (source === 'filter' && reportsCount === 0)) return 'Held by a filter'
  return reportsCount > 1 ? `${reasonTitle(reason)} · ${reportsCount} reports` : reasonTitle(reason)
}

/** How it is shown now. */
export const stateNames = { held: 'Held', hidden: 'Hidden', removed: 'Removed' } as const
