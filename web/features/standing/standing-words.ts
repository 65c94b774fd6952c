import type { ActionReason, ModerationAction } from '../../../contracts/moderation.ts'
import type { ReportSubject } from '../../../contracts/reports.ts'
import { dateFormat } from '../../lib/format.ts'
import { reasonTitle, subjectWords } from '../reports/report-words.ts'

/** What was done, as far as a sentence about it needs it. `endsAt` null: without an end, or not a matter of time. */
export type DeedFacts = {
  action: ModerationAction
  subject: ReportSubject
  endsAt: string | null
  community: { name: string } | null
}

const ownThings: Record<ReportSubject, string> = {
  post: 'Your post',
  comment: 'Your comment',
  review: 'Your review',
  person: 'Your profile',
  business: 'The page of your business',
  hunt: 'Your hunt',
  hunt_comment: 'Your comment',
  community: 'Your community',
  message: 'Your message',
  event: 'Your event',
}

/** What happened, for whom it happened to: "Your post was hidden". */
export function deedHeadline({ action, subject, community }: DeedFacts): string {
  const where = community ? ` in ${community.name}` : ''
  switch (action) {
    case 'approve':
      return `${ownThings[subject]} was looked at and is shown`
    case 'dismiss':
      return `${ownThings[subject]} was looked at and stays`
    case 'hide':
      return `${ownThings[subject]} was hidden`
    case 'remove':
      return `${ownThings[subject]} was removed`
    case 'warn':
      return `You were warned${where}`
    case 'mute':
      return `You were muted${where}`
    case 'suspend':
      return 'Your account was suspended'
    case 'ban':
      return community ? `You were banned from ${community.name}` : 'Your account was banned'
  }
}

const withoutProfile = 'Others read “Member” in the place of your name, and see no picture and no words about you.'

/** What follows from it for the person, while it stands. */
export function deedConsequence({ action, subject, endsAt, community }: DeedFacts, timeZone: string): string {
  const until = endsAt ? ` until ${momentWords(endsAt, timeZone)}` : ''
  const there = community ? `in ${community.name}` : 'here'
  switch (action) {
    case 'approve':
    case 'dismiss':
      return 'Nothing changes for you.'
    case 'hide':
      return subject === 'person' ? withoutProfile : 'Only you and the moderators can see it.'
    case 'remove':
      return subject === 'person' ? withoutProfile : 'It is taken down: only moderators can see it.'
    case 'warn':
      return 'Nothing else follows from it. If it happens again, you may be kept from writing for a time.'
    case 'mute':
      return `You can read, but not write, ${there}${until}.`
    case 'suspend':
      return `You can use nothing but this page and the help pages${until}.`
    case 'ban':
      if (community) return `You cannot come back${until}.`
      return 'You can use nothing but this page and the help pages.'
  }
}

export function actionReasonTitle(reason: ActionReason): string {
  if (reason === 'community_rules') return 'The rules of the community'
  if (reason === 'no_violation') return 'Nothing against the rules'
  return reasonTitle(reason)
}

const dayOnly = dateFormat({ month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

/** "November 28 at 3:00 PM", with the year unless it is this one. */
export function momentWords(at: string, timeZone: string, now = new Date()): string {
  const date = new Date(at)
  const year = dateFormat({ year: 'numeric', timeZone })
  const isThisYear = year.format(date) === year.format(now)
  const time = { hour: 'numeric', minute: '2-digit', timeZone } as const
  return dateFormat({ month: 'long', day: 'numeric', ...(!isThisYear && { year: 'numeric' }), ...time }).format(date)
}

export const dayWords = (at: string): string => dayOnly.format(new Date(at))

/** The first letter large, for where a sentence begins with the thing. */
export const subjectTitle = (subject: ReportSubject): string => {
  const words = subjectWords[subject]
  return words.charAt(0).toUpperCase() + words.slice(1)
}
