import { holdsLink, maxRequestLength, type TakesMessagesFrom } from '../../../contracts/messages.ts'

/** What decides whether one writes in a conversation. */
export type Standing = {
  /** One is here as oneself to a person, as oneself to a business, or in a business's name to a person. */
  between: 'people' | 'customer' | 'team'
  /** Of the other end. */
  name: string
  isGone: boolean
  isBarred: boolean
  hasBlocked: boolean
  isBlocked: boolean
  /** The one who writes is muted by the site's moderators. */
  isSilenced: boolean
  acceptedAt: Date | null
  declinedAt: Date | null
  lastMessageAt: Date | null
  /** Whose request is waiting, or was declined. */
  requestOf: 'own' | 'theirs' | null
  /** The other follows one, or the business in whose name one writes. */
  isFollowed: boolean
  takesFrom: TakesMessagesFrom
  isSubscriber: boolean
  hasDirectMessages: boolean
  hasTeam: boolean
}

export type Sending = {
  /** Why not, as a sentence; null where one can write. */
  whyNot: string | null
  /** One's own request waits for an answer. */
  isPending: boolean
  /** What is sent becomes a request. */
  asRequest: boolean
}

const day = 86_400_000
/** Another request, whether the first was declined at once or never looked at: whoever wrote it cannot tell which. */
const requestAgainMs = 60 * day
const restAfterDeclineMs = 30 * day

const yes: Sending = { whyNot: null, isPending: false, asRequest: false }
const no = (whyNot: string): Sending => ({ ...yes, whyNot })

/** Whether one may write. Nothing in a refusal tells that the other has blocked one. */
export function sendingOf(it: Standing, now: Date): Sending {
  if (it.isSilenced) return no('You can read here, but not write for now.')
  if (it.isGone) return no('This account does not exist any more.')
  if (it.hasBlocked) return no(`You have blocked ${it.name}. End the block to write.`)
  if (it.between === 'people') return betweenPeople(it, now)
  return it.between === 'customer' ? toBusiness(it) : toCustomer(it)
}

const unreachable = (it: Standing) => no(`You cannot write to ${it.name}.`)

function betweenPeople(it: Standing, now: Date): Sending {
  const isShut = it.isBlocked || it.isBarred
  // Answering a request accepts it.
  if (it.acceptedAt !== null || it.requestOf === 'theirs') return isShut ? unreachable(it) : yes
  const isOpenTo = it.takesFrom === 'everybody' || (it.takesFrom === 'followed' && it.isFollowed)
  if (it.requestOf === 'own' && !(it.isFollowed && isOpenTo && !isShut) && now.getTime() < mayAskAgainAt(it)) {
    return { whyNot: `You can write more once ${it.name} has accepted your message.`, isPending: true, asRequest: false }
  }
  if (isShut || !isOpenTo) return unreachable(it)
  return { ...yes, asRequest: !it.isFollowed }
}

const mayAskAgainAt = ({ lastMessageAt, declinedAt }: Standing): number =>
  Math.max((lastMessageAt?.getTime() ?? 0) + requestAgainMs, (declinedAt?.getTime() ?? 0) + restAfterDeclineMs)

function toBusiness(it: Standing): Sending {
  if (!it.hasTeam) return no('Nobody runs this page yet, so nobody would read it.')
  if (it.isBlocked) return unreachable(it)
  if (it.isSubscriber || it.hasDirectMessages) return yes
  return no(`Subscribe to ${it.name} to write to it. With the VIP plan you can write to every business.`)
}

function toCustomer(it: Standing): Sending {
  if (it.isBlocked || it.isBarred) return unreachable(it)
  if (it.acceptedAt !== null) return yes
  if (!it.isSubscriber) return no('A business writes first to its subscribers alone. Others have to write to it before.')
  const isOpenTo = it.takesFrom === 'everybody' || (it.takesFrom === 'followed' && it.isFollowed)
  return isOpenTo ? yes : unreachable(it)
}

/** What is wrong with a first message to somebody who does not know one, by field; empty where nothing is. */
export function requestIssues(name: string, { content, mediaIds }: { content: string; mediaIds: readonly string[] }) {
  const rule = `Until ${name} accepts, you can send one message of at most ${maxRequestLength} characters, without photos and links.`
  return [
    ...(content.length > maxRequestLength || holdsLink(content) ? [{ path: ['content'], message: rule }] : []),
    ...(mediaIds.length > 0 ? [{ path: ['mediaIds'], message: rule }] : []),
  ]
}
