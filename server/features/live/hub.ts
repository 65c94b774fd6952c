import type { LiveEvents } from '../../../contracts/live.ts'
import type { Context } from '../../kernel/context.ts'
import type { LiveConnection, LiveSignal } from '../../kernel/live.ts'
import { feedReaders } from './feed-readers.ts'

/** An open page. */
export type OpenPage = LiveConnection & {
  cookie: string | undefined
  /** Keeps proxies from ending a connection that says nothing. */
  beat(): void
  /** A page that comes back by itself waits before it does: `comeBackAfterMs`, or as long as it always does. */
  close(comeBackAfterMs?: number): void
}

const mostPagesOfPerson = 5
/** Or six pages of a person would push each other out every other second. */
const makeRoomForMs = 60_000
const mostPages = 10_000
/** Many things happen at once to a liked post: whoever is told is told of all of them together. */
const gatherMs = 50
const countsAtOnce = 4
const tryAgainMs = 5_000

export type HubParts = Pick<Context, 'db' | 'clock' | 'log' | 'sessions'> & {
  /** Who shows the badges knows how many: the app joins the features. */
  unreadCount(userId: string): Promise<{ count: number }>
  unreadMessages(userId: string): Promise<number>
}

/** What of a person may have changed since they were told. */
type Changes = { notifications: boolean; conversations: Set<string> }

export type Hub = ReturnType<typeof createHub>

/** The pages that are open on this process, and what they are told. */
export function createHub({ db, clock, log, sessions, unreadCount, unreadMessages }: HubParts) {
  const pages = new Map<string, Set<OpenPage>>()
  let size = 0
  let isClosed = false
  /** Whose counts may have changed since they were told, and whose are being read. */
  const dirty = new Map<string, Changes>()
  const busy = new Set<string>()
  /** The pages that know how things were when they were opened. */
  const greeted = new WeakSet<OpenPage>()
  /** Posts that went out before a page was told how things were, which comes first. */
  const early = new WeakMap<OpenPage, LiveEvents['feed'][]>()
  let gathering: NodeJS.Timeout | undefined
  let isCounting = false

  const pagesOf = (userId: string) => [...(pages.get(userId) ?? [])]
  const all = () => [...pages.values()].flatMap((each) => [...each])

  /** Without a conversation, it is the notifications that changed. */
  function recount(userIds: Iterable<string>, conversationId?: string): void {
    for (const userId of userIds) {
      if (!pages.has(userId)) continue
      const changes = dirty.get(userId) ?? { notifications: false, conversations: new Set() }
      if (conversationId === undefined) changes.notifications = true
      else changes.conversations.add(conversationId)
      dirty.set(userId, changes)
    }
    if (dirty.size > 0 && !isCounting && !isClosed) gathering ??= setTimeout(() => void tellCounts(), gatherMs)
  }

  /** A few at a time: thousands of pages that come back at once must not take every connection to the database. */
  async function tellCounts(): Promise<void> {
    gathering = undefined
    isCounting = true
    const work = async () => {
      for (const [userId, changes] of dirty) {
        // An older count must not arrive after a newer one.
        if (busy.has(userId)) continue
        dirty.delete(userId)
        busy.add(userId)
        await tellCount(userId, changes)
        busy.delete(userId)
      }
    }
    await Promise.all(Array.from({ length: countsAtOnce }, work))
    isCounting = false
    recount([])
  }

  async function tellCount(userId: string, { notifications, conversations }: Changes): Promise<void> {
    try {
      const isNew = pagesOf(userId).some((page) => !greeted.has(page))
      const unread = notifications || isNew ? (await unreadCount(userId)).count : null
      const ofMessages = conversations.size > 0 || isNew ? await unreadMessages(userId) : null
      for (const page of pagesOf(userId)) {
        if (!greeted.has(page)) {
          // One that was opened meanwhile has its turn.
          if (unread !== null && ofMessages !== null) greet(page, { unread, unreadMessages: ofMessages })
          continue
        }
        if (notifications && unread !== null) page.send('notifications', { unread })
        if (ofMessages === null) continue
        for (const conversationId of conversations) page.send('messages', { unread: ofMessages, conversationId })
      }
    } catch (error) {
      log.warn({ err: error }, 'open pages could not be told a count')
      // What they were not told of is in how things are, which they get as soon as that can be read.
      for (const page of pagesOf(userId)) greeted.delete(page)
      setTimeout(() => recount([userId]), tryAgainMs).unref()
    }
  }

  function greet(page: OpenPage, state: LiveEvents['hello']): void {
    page.send('hello', state)
    greeted.add(page)
    for (const post of early.get(page) ?? []) page.send('feed', post)
    early.delete(page)
  }

  async function tellOfPost(postId: string): Promise<void> {
    try {
      const { postType, userIds } = await feedReaders(db, postId, [...pages.keys()], clock.now())
      for (const page of userIds.flatMap(pagesOf)) {
        if (greeted.has(page)) page.send('feed', { postId, postType })
        else early.set(page, [...(early.get(page) ?? []), { postId, postType }])
      }
      recount(userIds)
    } catch (error) {
      log.warn({ err: error }, 'open pages could not be told of a post')
    }
  }

  function tellTyping({ userIds, conversationId, who }: Extract<LiveSignal, { kind: 'typing' }>): void {
    for (const page of userIds.flatMap(pagesOf)) if (greeted.has(page)) page.send('typing', { conversationId, who })
  }

  function remove(page: OpenPage): void {
    const own = pages.get(page.userId)
    if (!own?.delete(page)) return
    size--
    if (own.size === 0) pages.delete(page.userId)
  }

  /** Ends the pages of those who signed out, or may not be here any more: who is suspended opens no new one either. */
  async function checkSessions(open: OpenPage[]): Promise<void> {
    for (const page of open) {
      // A database that is away signs nobody out.
      const session = await sessions.read(page.cookie).catch(() => undefined)
      if (session === undefined) continue
      if (session?.actor.id === page.userId && session.actor.suspendedUntil === null) continue
      remove(page)
      page.close()
    }
  }

  return {
    /** Why there is no place for another page, or null where there is. */
    refusal(): 'closing' | 'full' | null {
      if (isClosed) return 'closing'
      if (size >= mostPages) return 'full'
      return null
    },
    /**
     * From now on the page is told; first how things are, so that what was missed in between does not matter. Where a person has
     * as many as there may be, the oldest makes room: it is often a telephone's that went away without a word.
     */
    add(page: OpenPage): void {
      const [oldest, ...newer] = pagesOf(page.userId)
      if (oldest && newer.length + 1 >= mostPagesOfPerson) {
        remove(oldest)
        oldest.close(makeRoomForMs)
      }
      const own = pages.get(page.userId) ?? new Set()
      pages.set(page.userId, own.add(page))
      size++
      recount([page.userId])
    },
    remove,
    hear(signal: LiveSignal): void {
      if (pages.size === 0) return
      if (signal.kind === 'notifications') recount(signal.userIds)
      else if (signal.kind === 'messages') recount(signal.userIds, signal.conversationId)
      else if (signal.kind === 'typing') tellTyping(signal)
      else if (signal.kind === 'post') void tellOfPost(signal.postId)
      else if (signal.kind === 'sessions') void checkSessions(signal.userIds.flatMap(pagesOf))
      else {
        for (const page of all()) greeted.delete(page)
        recount(pages.keys())
      }
    },
    beat(): void {
      for (const page of all()) page.beat()
    },
    checkSessions: () => checkSessions(all()),
    close(): void {
      isClosed = true
      clearTimeout(gathering)
      for (const page of all()) {
        remove(page)
        page.close()
      }
    },
    size: () => size,
  }
}
