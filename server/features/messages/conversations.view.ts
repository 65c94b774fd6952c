import type { Conversation } from '../../../contracts/messages.ts'
import type { HeldRow, LastMessage } from './held.queries.ts'
import { type Held, isOpenRequest } from './held.ts'

export function toConversation(held: Held): Conversation {
  const { row, sending } = held
  const maySend = sending.whyNot === null
  // Whose account is gone does not wait for an answer any more.
  const awaitsAnswer = isOpenRequest(held) && held.with.kind !== 'gone'
  return {
    id: row.id,
    with: held.with,
    as: held.as,
    isRequest: isOpenRequest(held),
    isPending: sending.isPending,
    sendsRequest: sending.asRequest,
    isMuted: row.muted_at !== null,
    isBlocked: row.has_blocked,
    unreadCount: row.unread_count,
    lastMessage: row.last && toLastMessage(row, row.last),
    readSequence: row.read_sequence,
    theirReadSequence: showsMarks(row) ? row.their_read_sequence : null,
    abilities: {
      send: maySend,
      sendPhotos: maySend && !sending.asRequest,
      accept: awaitsAnswer && !row.has_blocked,
      decline: awaitsAnswer,
      block: held.with.kind !== 'gone' && (row.is_self || row.may_block),
    },
    whyNot: sending.whyNot,
  }
}

/** How far one has read, and that one is typing: between two who both show it, once they talk, and while neither has blocked the other. */
export const showsMarks = (row: HeldRow): boolean => row.both_show_marks && row.accepted_at !== null && !row.has_blocked && !row.is_blocked

type Sent = Pick<LastMessage, 'senderId' | 'isFromBusiness'>

/** Of one's own side: a person's what they wrote as themselves, a business's what anybody of the team wrote in its name. */
export const isOwnMessage = (row: Pick<HeldRow, 'is_self' | 'self_id'>, sent: Sent): boolean =>
  row.is_self ? !sent.isFromBusiness && sent.senderId === row.self_id : sent.isFromBusiness

/** Hidden: its words are left to whoever wrote it. Removed: to nobody but the moderators. */
export const isTakenFromView = (moderation: LastMessage['moderation'], isOwn: boolean): boolean =>
  moderation === 'removed' || (moderation !== null && !isOwn)

const excerptLength = 140

function toLastMessage(row: HeldRow, last: LastMessage): NonNullable<Conversation['lastMessage']> {
  const isOwn = isOwnMessage(row, last)
  const isRemoved = isTakenFromView(last.moderation, isOwn)
  return {
    sequence: last.sequence,
    text: isRemoved ? '' : excerptOf(last.beginning),
    createdAt: new Date(last.createdAt).toISOString(),
    isOwn,
    hasPhotos: !isRemoved && last.hasPhotos,
    isRemoved,
  }
}

/** On one line, cut between two words where there is a place near the end. */
function excerptOf(beginning: string): string {
  const line = beginning.replace(/\s+/g, ' ').trim()
  if (line.length <= excerptLength) return line
  const cut = line.slice(0, excerptLength)
  const space = cut.lastIndexOf(' ')
  // Half of a character that is made of two is none.
  const text = space > excerptLength - 30 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return `${text}…`
}
