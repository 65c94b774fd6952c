import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type LiveEvents, livePath } from '#contracts/live.ts'
import type { PostType } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { audienceOf } from '#server/features/posts/index.ts'
import { requireAccess } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { LiveConnection, LiveSignal } from '#server/kernel/live.ts'
import type { Api } from '#server/kernel/route.ts'

const beatMs = 20_000
const sessionCheckMs = 60_000

export function registerLive(api: Api, counts: Pick<HubParts, 'unreadCount' | 'unreadMessages'>): void {
  const { app, ctx } = api
  const hub = createHub({ ...ctx, ...counts })
  ctx.live.onSignal(hub.hear)
  addStream(api, hub)
  const timers = [setInterval(hub.beat, beatMs), setInterval(() => void hub.checkSessions(), sessionCheckMs)]
  for (const timer of timers) timer.unref()
  // Runs before the server waits for open responses: these streams never end on their own.
  app.addHook('preClose', async () => {
    for (const timer of timers) clearInterval(timer)
    hub.close()
  })
}

type OpenPage = LiveConnection & {
  cookie: string | undefined
  /** Heartbeat that keeps proxies from closing an idle connection. */
  beat(): void
  /** The browser reconnects after `comeBackAfterMs`, or after its default delay. */
  close(comeBackAfterMs?: number): void
}

const maxPagesPerPerson = 5
/** How long an evicted page waits to reconnect. With the default delay, six open pages would evict each other every two seconds. */
const makeRoomForMs = 60_000
const maxPages = 10_000
/** Batches the updates of a popular post. */
const gatherMs = 50
const countsAtOnce = 4
const tryAgainMs = 5_000

type HubParts = Pick<Context, 'db' | 'clock' | 'log' | 'sessions'> & {
  /** Provided by the app, because other features do the counting. */
  unreadCount(userId: string): Promise<number>
  unreadMessages(userId: string): Promise<number>
}

type Changes = { notifications: boolean; conversations: Set<string> }

type Hub = ReturnType<typeof createHub>

export function createHub({ db, clock, log, sessions, unreadCount, unreadMessages }: HubParts) {
  const pages = new Map<string, Set<OpenPage>>()
  let size = 0
  let isClosed = false
  /** People whose counts may have changed, and people whose counts are being read. */
  const dirty = new Map<string, Changes>()
  const busy = new Set<string>()
  const greeted = new WeakSet<OpenPage>()
  /** Feed posts queued until a page has received its initial state. */
  const early = new WeakMap<OpenPage, LiveEvents['feed'][]>()
  let gathering: NodeJS.Timeout | undefined
  let isCounting = false

  const pagesOf = (userId: string) => [...(pages.get(userId) ?? [])]
  const all = () => [...pages.values()].flatMap((each) => [...each])

  /** If no conversation is given, the notifications changed. */
  function recount(userIds: Iterable<string>, conversationId?: string): void {
    for (const userId of userIds) {
      if (!pages.has(userId)) continue
      const changes = dirty.get(userId) ?? { notifications: false, conversations: new Set() }
      if (conversationId === undefined) changes.notifications = true
      else changes.conversations.add(conversationId)
      dirty.set(userId, changes)
    }
    if (dirty.size > 0 && !isCounting && !isClosed) gathering ??= setTimeout(() => void sendCounts(), gatherMs)
  }

  /** Limits concurrency: thousands of reconnecting pages must not exhaust the database pool. */
  async function sendCounts(): Promise<void> {
    gathering = undefined
    isCounting = true
    const work = async () => {
      for (const [userId, changes] of dirty) {
        // An older count must not arrive after a newer one.
        if (busy.has(userId)) continue
        dirty.delete(userId)
        busy.add(userId)
        await sendCount(userId, changes)
        busy.delete(userId)
      }
    }
    await Promise.all(Array.from({ length: countsAtOnce }, work))
    isCounting = false
    recount([])
  }

  async function sendCount(userId: string, { notifications, conversations }: Changes): Promise<void> {
    try {
      const isNew = pagesOf(userId).some((page) => !greeted.has(page))
      const unread = notifications || isNew ? await unreadCount(userId) : null
      const ofMessages = conversations.size > 0 || isNew ? await unreadMessages(userId) : null
      for (const page of pagesOf(userId)) {
        if (!greeted.has(page)) {
          // Pages opened in the meantime get their counts next.
          if (unread !== null && ofMessages !== null) greet(page, { unread, unreadMessages: ofMessages })
          continue
        }
        if (notifications && unread !== null) page.send('notifications', { unread })
        if (ofMessages === null) continue
        for (const conversationId of conversations) page.send('messages', { unread: ofMessages, conversationId })
      }
    } catch (error) {
      log.warn({ err: error }, 'open pages could not be notified of a count')
      // These pages get the initial state, with the missed changes, once it can be read again.
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

  async function sendPost(postId: string): Promise<void> {
    try {
      const { postType, userIds } = await feedReaders(db, postId, [...pages.keys()], clock.now())
      for (const page of userIds.flatMap(pagesOf)) {
        if (greeted.has(page)) page.send('feed', { postId, postType })
        else early.set(page, [...(early.get(page) ?? []), { postId, postType }])
      }
      recount(userIds)
    } catch (error) {
      log.warn({ err: error }, 'open pages could not be notified of a post')
    }
  }

  function sendTo<Name extends keyof LiveEvents>(userIds: readonly string[], event: Name, data: LiveEvents[Name]): void {
    for (const page of userIds.flatMap(pagesOf)) if (greeted.has(page)) page.send(event, data)
  }

  function remove(page: OpenPage): void {
    const own = pages.get(page.userId)
    if (!own?.delete(page)) return
    size--
    if (own.size === 0) pages.delete(page.userId)
  }

  /** Closes pages of people who signed out or whose account status no longer allows them. */
  async function checkSessions(open: OpenPage[]): Promise<void> {
    for (const page of open) {
      // A database outage must not sign anyone out.
      const session = await sessions.read(page.cookie).catch(() => undefined)
      if (session === undefined) continue
      const { id, suspendedUntil = null, leavesAt = null } = session?.actor ?? {}
      if (id === page.userId && suspendedUntil === null && leavesAt === null) continue
      remove(page)
      page.send('ended', {})
      page.close()
    }
  }

  return {
    refusal(): 'closing' | 'full' | null {
      if (isClosed) return 'closing'
      if (size >= maxPages) return 'full'
      return null
    },
    /**
     * The page gets its initial state first, so earlier updates don't matter. At the limit per person, closes the oldest page, which often
     * belongs to a phone that disconnected silently.
     */
    add(page: OpenPage): void {
      const [oldest, ...newer] = pagesOf(page.userId)
      if (oldest && newer.length + 1 >= maxPagesPerPerson) {
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
      else if (signal.kind === 'typing') sendTo(signal.userIds, signal.kind, { conversationId: signal.conversationId, who: signal.who })
      else if (signal.kind === 'changedMessages') sendTo(signal.userIds, signal.kind, { conversationId: signal.conversationId })
      else if (signal.kind === 'deletedMessage')
        sendTo(signal.userIds, signal.kind, { conversationId: signal.conversationId, messageId: signal.messageId })
      else if (signal.kind === 'post') void sendPost(signal.postId)
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

/** Returns the people who follow the post's business or author and may see the post. */
async function feedReaders(
  db: Db,
  postId: string,
  userIds: readonly string[],
  now: Date,
): Promise<{ postType: PostType; userIds: string[] }> {
  const { rows } = await sql<{ post_type: PostType; user_ids: string[] }>`
    select posts.post_type, case when posts.business_id is null
      then array(select f.follower_id from person_follows f where f.person_id = posts.author_id and f.follower_id = any(${userIds}::uuid[]))
      else array(select f.user_id from business_follows f where f.business_id = posts.business_id and f.user_id = any(${userIds}::uuid[]))
    end as user_ids
    from posts where posts.id = ${postId}::uuid`.execute(db)
  const [post] = rows
  if (!post) return { postType: 'update', userIds: [] }
  const audience = await audienceOf(db, postId, post.user_ids, now)
  return { postType: post.post_type, userIds: post.user_ids.filter((id) => audience.has(id)) }
}

/** Routes under /api that aren't part of the contract. */
export const liveRoutes: readonly string[] = [`GET ${livePath}`]

const reconnectMs = 2000
const farewellMs = 5000
/** A client this far behind isn't reading. */
const maxUnsentBytes = 64 * 1024

function addStream({ app, ctx }: Api, hub: Hub): void {
  app.get(livePath, { exposeHeadRoute: false }, async (request, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    requireAccess({ access: 'member' }, session?.actor ?? null)
    const userId = (session?.actor.id ?? '') as string
    await ctx.rateLimiter.consume('read', `account:${userId}`)
    if (hub.refusal()) throw new AppError('unavailable', { retryAfterSeconds: 5 })
    // A page that is already closed would never be removed, because its `close` event has been emitted.
    if (reply.raw.destroyed) return void reply.hijack()
    if (session?.renewedCookie) reply.header('set-cookie', session.renewedCookie)

    const page = openPage(request, reply, userId)
    reply.raw.on('close', () => hub.remove(page))
    hub.add(page)
  })
}

/** Writes the raw response from here on, so that nothing compresses or buffers events. */
function openPage(request: FastifyRequest, reply: FastifyReply, userId: string): OpenPage {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  raw.on('error', () => raw.destroy())
  const write = (text: string) => {
    if (raw.destroyed || raw.writableEnded) return
    if (raw.writableLength > maxUnsentBytes) raw.destroy()
    else raw.write(text)
  }
  write(`retry: ${reconnectMs}\n\n`)
  return {
    userId,
    cookie: request.headers.cookie,
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(': \n\n'),
    close(comeBackAfterMs) {
      if (comeBackAfterMs !== undefined) write(`retry: ${comeBackAfterMs}\n\n`)
      const { socket } = raw
      raw.end()
      // A connection without a pending response would keep the server from closing.
      raw.once('finish', () => socket?.end())
      // A client that disconnected silently doesn't acknowledge the end.
      setTimeout(() => socket?.destroy(), farewellMs).unref()
    },
  }
}
