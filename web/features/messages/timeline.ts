/** What a conversation's messages are ordered and known by. */
export type Placed = { id: string; sequence: number }

/**
 * The messages of a conversation as far as this page knows them. Answers come in any order: a page of old ones after the live ones, one's
 * own before what was said in between. Whatever the order, the same answers make the same timeline.
 */
export type Timeline<M extends Placed> = {
  /** By their sequence, each once. */
  messages: readonly M[]
  /** From the oldest here up to this sequence none is missing. What is asked for next is what comes after it. */
  through: number
  /** The address of the page before the oldest; null when there is none; undefined before the first answer. */
  older: string | null | undefined
  /** Deleted by this person: an answer that was on its way before must not bring them back. */
  gone: ReadonlySet<string>
}

export const emptyTimeline: Timeline<never> = { messages: [], through: 0, older: undefined, gone: new Set() }

/** The newest page, which is asked for once, when the conversation is opened. In any order. */
export function withNewest<M extends Placed>(timeline: Timeline<M>, page: readonly M[], older: string | null): Timeline<M> {
  return { ...merged(timeline, page), through: Math.max(timeline.through, last(page)), older }
}

/**
 * The newest page once more: what was deleted or taken from view elsewhere shows here, too.
 * @param upTo `timeline.through` as it was when the page was asked for: what came later cannot be missed in it
 */
export function withReread<M extends Placed>(timeline: Timeline<M>, page: readonly M[], older: string | null, upTo: number): Timeline<M> {
  const from = older === null ? 0 : Math.min(...page.map(({ sequence }) => sequence))
  const to = Math.max(upTo, last(page))
  return merged({ ...timeline, messages: timeline.messages.filter(({ sequence }) => sequence < from || sequence > to) }, page)
}

/** The page at `timeline.older`. */
export function withOlder<M extends Placed>(timeline: Timeline<M>, page: readonly M[], older: string | null): Timeline<M> {
  return { ...merged(timeline, page), older }
}

/** What came after `timeline.through`, without a hole from there on. */
export function withNews<M extends Placed>(timeline: Timeline<M>, page: readonly M[]): Timeline<M> {
  return { ...merged(timeline, page), through: Math.max(timeline.through, last(page)) }
}

/** One message by itself: the answer to having sent it. What was said before it may not be here yet; see {@link isBehind}. */
export function withMessage<M extends Placed>(timeline: Timeline<M>, message: M): Timeline<M> {
  const next = merged(timeline, [message])
  return message.sequence === timeline.through + 1 ? { ...next, through: message.sequence } : next
}

/** Takes one out for good. */
export function withoutMessage<M extends Placed>(timeline: Timeline<M>, id: string): Timeline<M> {
  return {
    ...timeline,
    messages: timeline.messages.filter((message) => message.id !== id),
    gone: new Set([...timeline.gone, id]),
  }
}

/** Whether something that is here came after something that may be missing. */
export const isBehind = ({ messages, through }: Timeline<Placed>): boolean => last(messages) > through

function merged<M extends Placed>(timeline: Timeline<M>, more: readonly M[]): Timeline<M> {
  const byId = new Map(timeline.messages.map((message) => [message.id, message]))
  for (const message of more) if (!timeline.gone.has(message.id)) byId.set(message.id, message)
  return { ...timeline, messages: [...byId.values()].sort((one, other) => one.sequence - other.sequence) }
}

const last = (messages: readonly Placed[]): number => messages.reduce((highest, { sequence }) => Math.max(highest, sequence), 0)
