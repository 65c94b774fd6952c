import { reasonOf } from '#contracts/moderation.rules.ts'
import type { ModerationAction, ModerationCase, ModerationCaseDetail } from '#contracts/moderation.ts'
import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import { staysWithOwner, subjectTitle } from '#web/entities/account-status/account-status-words.ts'
import { formatList } from '#web/lib/format.ts'

/** A deadline is close if fewer hours than this are left. */
const soonHours = 12

/** Rounded down to one unit: "35 minutes", "1 hour", "3 days". */
export function spanWords(ms: number): string {
  const [count, unit] = ms < hourMs ? [ms / minuteMs, 'minute'] : ms < 2 * dayMs ? [ms / hourMs, 'hour'] : [ms / dayMs, 'day']
  const whole = Math.floor(Number(count))
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}

export const hoursWords = (hours: number): string => (hours < 1 ? 'Under an hour' : spanWords(hours * hourMs))

export type ClockState = { state: 'late' | 'soon' | 'calm'; text: string }

export function clockOf({ dueAt, status }: Pick<ModerationCase, 'dueAt' | 'status'>, now: number): ClockState | null {
  if (dueAt === null || status !== 'open') return null
  const left = Date.parse(dueAt) - now
  if (left <= 0) return { state: 'late', text: -left < minuteMs ? 'Overdue' : `Overdue by ${spanWords(-left)}` }
  return { state: left < soonHours * hourMs ? 'soon' : 'calm', text: `${spanWords(left)} left to decide` }
}

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

const actionMeanings: Record<ModerationAction, string> = {
  approve: 'Shown to its intended audience',
  dismiss: 'Nothing changes, because no rule was broken',
  hide: 'Only its author, or the business’s team, and moderators can see it',
  remove: 'Only moderators can see it',
  warn: 'Explains the rule, without other consequences',
  mute: 'Can read but not write',
  suspend: 'Can open only their account status, where they can appeal, and public pages such as help',
  ban: 'Like a suspension, but permanent: others can’t find or message them, and their purchases are canceled',
}

const meaningsInCommunity: Partial<Record<ModerationAction, string>> = {
  mute: 'Can read the community but not write in it',
  ban: 'Leaves the community and can’t rejoin while banned',
}

const withoutProfile = 'Others see “Member” instead of their name and can’t see their picture or bio'

type Decided = Pick<ModerationCaseDetail, 'subject' | 'actsFor'>

/** Without a final period, which the decision form adds. */
export function actionMeaning(action: ModerationAction, { subject, actsFor }: Decided): string {
  if (subject === 'person' && (action === 'hide' || action === 'remove')) return withoutProfile
  if (action === 'remove' && staysWithOwner.includes(subject)) return 'Only its owner or team and moderators can see it'
  return (actsFor === 'community' && meaningsInCommunity[action]) || actionMeanings[action]
}

/** "Hidden and banned" */
export const doneWords = (actions: readonly ModerationAction[]): string =>
  formatList(actions.map((action, place) => (place === 0 ? doneNames[action] : doneNames[action].toLowerCase())))

const titled = new Set<ModerationCase['subject']>(['business', 'community', 'hunt', 'event', 'product'])

/** "Comment by Ann Archer". */
export function caseTitle({ subject, title, person }: Pick<ModerationCase, 'subject' | 'title' | 'person'>): string {
  if (subject === 'person') return person?.name ?? 'A person'
  if (title && titled.has(subject)) return title
  if (title && subject === 'gallery_item') return `Photo of ${title}`
  return `${subjectTitle(subject)}${person ? ` by ${person.name}` : ''}`
}

/** Hidden content doesn't have its own page, but may appear on another one. */
export function pathOf({ path, state, subject }: Pick<ModerationCase, 'path' | 'state' | 'subject'>): string | null {
  const isOnPageOfAnother = subject === 'comment' || subject === 'hunt_comment' || subject === 'review' || subject === 'gallery_item'
  return state === null || isOnPageOfAnother || subject === 'person' ? path : null
}

export function caseCause({ source, reason, reportsCount }: Pick<ModerationCase, 'source' | 'reason' | 'reportsCount'>): string {
  if (source === 'check' && reportsCount === 0) return 'Possible duplicate'
  if (reason === null || (source === 'filter' && reportsCount === 0)) return 'Auto-held'
  const { title } = reasonOf(reason)
  return reportsCount > 1 ? `${title} · ${reportsCount} reports` : title
}

export const stateNames = { held: 'Held', hidden: 'Hidden', removed: 'Removed' } as const
