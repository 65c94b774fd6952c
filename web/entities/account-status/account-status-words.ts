import { reasonOf } from '#contracts/moderation.rules.ts'
import type { ActionReason, ModerationAction, ReportSubject } from '#contracts/moderation.ts'
import { subjectWords } from '#web/entities/reports/report-words.ts'
import { capital, dateFormat } from '#web/lib/format.ts'

/** The toast after saving something that was held. */
export const heldToast = {
  title: 'Waiting for a moderator',
  description: 'It goes live once it’s approved. Follow it in your account status.',
}

/** The toast after publishing a post, with the specification's words unless it was held. */
export const publishedToast = ({ moderation }: { moderation: string | null }) =>
  moderation === 'held' ? heldToast : { title: 'Success!', description: 'Your post has been created successfully.' }

export const savedPostToast = ({ moderation }: { moderation: string | null }) =>
  moderation === 'held' ? heldToast : { title: 'Post saved' }

/** `endsAt` is null if the action is permanent or has no time limit. */
export type DecisionFacts = {
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
  business: 'Your business’s page',
  hunt: 'Your hunt',
  hunt_comment: 'Your comment',
  community: 'Your community',
  message: 'Your message',
  event: 'Your event',
  gallery_item: 'Your photo',
  product: 'Your menu item',
}

export function decisionHeadline({ action, subject, community }: DecisionFacts): string {
  const where = community ? ` in ${community.name}` : ''
  switch (action) {
    case 'approve':
      return `${ownThings[subject]} was approved`
    case 'dismiss':
      return `${ownThings[subject]} was reviewed, and no action was taken`
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

/** Owners, and a business's team, keep access to these after removal, because their work is in them. */
export const staysWithOwner: readonly ReportSubject[] = ['business', 'community', 'hunt', 'product']

const withoutProfile = 'Others see “Member” instead of your name and can’t see your picture or bio.'

export function decisionConsequence({ action, subject, endsAt, community }: DecisionFacts, timeZone: string): string {
  const until = endsAt ? ` until ${momentWords(endsAt, timeZone)}` : ''
  const there = community ? `in ${community.name}` : 'here'
  switch (action) {
    case 'approve':
    case 'dismiss':
      return 'Nothing changes for you.'
    case 'hide':
      return subject === 'person' ? withoutProfile : 'You and the moderators can still see it. Others can’t.'
    case 'remove':
      if (subject === 'person') return withoutProfile
      return `It has been removed. ${staysWithOwner.includes(subject) ? 'You can still open it. Others can’t.' : 'Only moderators can see it.'}`
    case 'warn':
      return 'There are no other consequences. If it happens again, you may be muted for a while.'
    case 'mute':
      return `You can read but not write ${there}${until}.`
    case 'suspend':
      return `You can use only this page and public pages such as help${until}.`
    case 'ban':
      if (community) return `You can’t rejoin${until}.`
      return 'You can use only this page and public pages such as help.'
  }
}

export function actionReasonTitle(reason: ActionReason): string {
  if (reason === 'community_rules') return 'The community’s rules'
  if (reason === 'no_violation') return 'No rule was broken'
  return reasonOf(reason).title
}

export function reviewTimeWords(medianHours: number): string {
  if (medianHours <= 1) return 'less than an hour'
  const hours = Math.ceil(medianHours)
  return hours <= 36 ? `about ${hours} hours` : `about ${Math.round(hours / 24)} days`
}

/** "November 28 at 3:00 PM", with the year unless it's the current one. */
export function momentWords(at: string, timeZone: string, now = new Date()): string {
  const date = new Date(at)
  const year = dateFormat({ year: 'numeric', timeZone })
  const isThisYear = year.format(date) === year.format(now)
  const time = { hour: 'numeric', minute: '2-digit', timeZone } as const
  return dateFormat({ month: 'long', day: 'numeric', ...(!isThisYear && { year: 'numeric' }), ...time }).format(date)
}

export const subjectTitle = (subject: ReportSubject): string => capital(subjectWords[subject])
