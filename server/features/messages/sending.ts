import { figure } from '#contracts/fields.ts'
import { containsLink, maxRequestLength } from '#contracts/messages.rules.ts'
import type { TakesMessagesFrom } from '#contracts/settings.ts'
import { dayMs } from '#contracts/time.ts'
import { AppError } from '#server/kernel/errors.ts'

export type Facts = {
  /** Writing as a person to a person, as a person to a business, or for a business to a person. */
  between: 'people' | 'customer' | 'team'
  name: string
  isGone: boolean
  isBarred: boolean
  hasBlocked: boolean
  isBlocked: boolean
  isSilenced: boolean
  acceptedAt: Date | null
  declinedAt: Date | null
  lastMessageAt: Date | null
  /** Who sent a request in this conversation, even if it was accepted or declined; null if no one did. */
  requestOf: 'own' | 'theirs' | null
  /** The recipient follows the writer, or the business the writer represents. */
  isFollowed: boolean
  takesFrom: TakesMessagesFrom
  isSubscriber: boolean
  hasDirectMessages: boolean
  hasTeam: boolean
}

export type Sending = {
  /** The reason as a sentence; null if writing is allowed. */
  refusal: string | null
  isPending: boolean
  asRequest: boolean
  /** A subscription to the business, or the VIP plan, would lift the refusal. */
  needsSubscription: boolean
}

/**
 * Another request may follow 60 days after the previous one, but no sooner than 30 days after a decline. So a decline within 30 days looks
 * like no answer.
 */
const requestAgainMs = 60 * dayMs
const restAfterDeclineMs = 30 * dayMs

const yes: Sending = { refusal: null, isPending: false, asRequest: false, needsSubscription: false }
const no = (refusal: string): Sending => ({ ...yes, refusal })

/** @throws AppError forbidden with the reason, and a link to the plans if one would help */
export function requireMaySend({ refusal, needsSubscription }: Sending): void {
  if (refusal === null) return
  const links = needsSubscription ? { links: [{ title: 'See the VIP plan', path: '/billing' }] } : {}
  throw new AppError('forbidden', { message: refusal, ...links })
}

/** Whether the writer may write. The refusal never reveals that a person has blocked the writer. */
export function sendingOf(facts: Facts, now: Date): Sending {
  if (facts.isSilenced) return no('For now, you can read but not write here.')
  if (facts.isGone) return no('This account no longer exists.')
  if (facts.hasBlocked) return no(`You blocked ${facts.name}. Unblock them to write.`)
  if (facts.between === 'people') return betweenPeople(facts, now)
  return facts.between === 'customer' ? toBusiness(facts) : toCustomer(facts)
}

const unreachable = (facts: Facts) => no(`You can’t message ${facts.name}.`)

function betweenPeople(facts: Facts, now: Date): Sending {
  const isShut = facts.isBlocked || facts.isBarred
  // Replying to a request accepts it.
  if (facts.acceptedAt !== null || facts.requestOf === 'theirs') return isShut ? unreachable(facts) : yes
  const isOpenTo = facts.takesFrom === 'everybody' || (facts.takesFrom === 'followed' && facts.isFollowed)
  if (facts.requestOf === 'own' && !(facts.isFollowed && isOpenTo && !isShut) && now.getTime() < mayAskAgainAt(facts)) {
    return { ...no(`You can write more once ${facts.name} has accepted your message.`), isPending: true }
  }
  if (isShut || !isOpenTo) return unreachable(facts)
  return { ...yes, asRequest: !facts.isFollowed }
}

const mayAskAgainAt = ({ lastMessageAt, declinedAt }: Facts): number =>
  Math.max((lastMessageAt?.getTime() ?? 0) + requestAgainMs, (declinedAt?.getTime() ?? 0) + restAfterDeclineMs)

function toBusiness(facts: Facts): Sending {
  if (!facts.hasTeam) return no('No one runs this business’s page, so no one would read your message.')
  if (facts.isBlocked) return unreachable(facts)
  if (facts.isSubscriber || facts.hasDirectMessages) return yes
  return { ...no(`Subscribe to ${facts.name} to message it. With the VIP plan, you can message any business.`), needsSubscription: true }
}

function toCustomer(facts: Facts): Sending {
  if (facts.isBlocked || facts.isBarred) return unreachable(facts)
  if (facts.acceptedAt !== null) return yes
  if (!facts.isSubscriber) return no('A business can start a conversation only with its subscribers. Anyone else has to write first.')
  const isOpenTo = facts.takesFrom === 'everybody' || (facts.takesFrom === 'followed' && facts.isFollowed)
  return isOpenTo ? yes : unreachable(facts)
}

/** Errors by field in a first message to a stranger; empty if there are none. */
export function requestIssues(name: string, { content, mediaIds }: { content: string; mediaIds: readonly string[] }) {
  const rule = `Until ${name} accepts, you can send one message of up to ${figure(maxRequestLength)} characters, without photos or links.`
  return [
    ...(content.length > maxRequestLength || containsLink(content) ? [{ path: ['content'], message: rule }] : []),
    ...(mediaIds.length > 0 ? [{ path: ['mediaIds'], message: rule }] : []),
  ]
}
