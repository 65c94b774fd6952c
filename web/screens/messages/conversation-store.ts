import type { Media } from '#contracts/media.ts'
import type { ListPage } from '#web/lib/call.ts'
import { createListeners } from '#web/lib/store.ts'
import {
  changed,
  emptyTimeline,
  isBehind,
  nextToSend,
  type Outgoing,
  restoredLine,
  resumed,
  retried,
  type SequencedMessage,
  type Timeline,
  withMessage,
  withNewest,
  withNews,
  withOlder,
  withoutArrived,
  withoutMessage,
  withReread,
} from './timeline.ts'

export type ConversationCalls<M> = {
  /** `next` points to older messages. */
  newest: () => Promise<ListPage<M>>
  older: (next: string) => Promise<ListPage<M>>
  after: (sequence: number) => Promise<ListPage<M>>
  /** Returns the existing message if the server already has it, so sending is idempotent. */
  send: (message: Outgoing) => Promise<M>
}

type Parts<M> = {
  calls: ConversationCalls<M>
  newId: () => string
  now: () => Date
  /** Stores unsent messages, so they survive a reload. */
  memory: { load: () => unknown; save: (line: readonly Outgoing[]) => void }
  /** `isPassing` errors are temporary, and may have a minimum delay before a retry, in milliseconds. */
  judge: (error: unknown) => { isPassing: boolean; afterMs: number | null; message: string }
  /** Calls `run` after `ms` milliseconds. Returns a function that cancels the call. */
  later: (ms: number, run: () => void) => () => void
  onArrived?: () => void
}

export type ConversationState<M extends SequencedMessage> = {
  timeline: Timeline<M>
  line: readonly Outgoing[]
  first: 'loading' | 'ready' | 'failed'
  /** True once messages that arrived while the conversation was hidden have loaded or failed to load. */
  isCurrent: boolean
  error: unknown
  older: 'idle' | 'loading' | 'failed'
}

const firstPause = 1_000
const maxPauseMs = 30_000

export type ConversationStore<M extends SequencedMessage> = ReturnType<typeof createConversationStore<M>>

/**
 * A conversation's messages, sent and unsent. Outside React, so sending continues on other screens. Live events don't include content: they
 * trigger a fetch of all messages after `timeline.through`, so none is lost between connections.
 */
export function createConversationStore<M extends SequencedMessage>({ calls, newId, now, memory, judge, later, onArrived }: Parts<M>) {
  let state: ConversationState<M> = {
    timeline: emptyTimeline,
    line: restoredLine(memory.load()),
    first: 'loading',
    isCurrent: false,
    error: null,
    older: 'idle',
  }
  const { notify, subscribe } = createListeners()
  let isShown = false
  let isOpening = false
  let isCatchingUp = false
  let isNewsWaiting = false
  let isRereading = false
  let toReread: 'nothing' | 'newest' | 'all' = 'nothing'
  let isSending = false
  const failures = { send: 0, news: 0 }
  const pauses: { send: (() => void) | null; news: (() => void) | null } = { send: null, news: null }

  function set(changes: Partial<ConversationState<M>>) {
    const line = withoutArrived(changes.line ?? state.line, (changes.timeline ?? state.timeline).messages)
    if (line !== state.line) memory.save(line)
    state = { ...state, ...changes, line }
    notify()
  }

  function tryLater(what: 'send' | 'news', afterMs: number | null, run: () => void) {
    const wait = Math.max(afterMs ?? 0, Math.min(maxPauseMs, firstPause * 2 ** failures[what]++))
    pauses[what]?.()
    pauses[what] = later(wait, run)
  }

  function stopWaiting(what: 'send' | 'news') {
    pauses[what]?.()
    pauses[what] = null
  }

  async function open() {
    isShown = true
    pump()
    if (state.first === 'ready') {
      void catchUp()
      return reread('newest')
    }
    if (isOpening) return
    isOpening = true
    set({ first: 'loading', error: null })
    try {
      const { items, next } = await calls.newest()
      set({ timeline: withNewest(state.timeline, items, next), first: 'ready', isCurrent: isShown })
      if (isNewsWaiting || isBehind(state.timeline)) void catchUp()
      if (toReread !== 'nothing') void reread(toReread)
    } catch (error) {
      set({ first: 'failed', error })
    } finally {
      isOpening = false
    }
  }

  /** Calling this during a fetch triggers another one, because the response may be from before a change. */
  async function reread(which: 'newest' | 'all') {
    if (toReread !== 'all') toReread = which
    if (state.first !== 'ready' || isRereading) return
    isRereading = true
    try {
      while (toReread !== 'nothing') {
        const isAll = toReread === 'all'
        toReread = 'nothing'
        await rereadPages(isAll)
      }
    } catch {
      // Ignore the error, because the old messages remain on screen.
    } finally {
      isRereading = false
    }
  }

  async function rereadPages(isAll: boolean) {
    const oldest = state.timeline.messages[0]?.sequence ?? 0
    let upTo = state.timeline.through
    let page = await calls.newest()
    for (;;) {
      set({ timeline: withReread(state.timeline, page.items, page.next, upTo) })
      const first = page.items.at(-1)?.sequence ?? 0
      if (!isAll || page.next === null || first <= oldest) return
      upTo = first - 1
      page = await calls.older(page.next)
    }
  }

  /** Calling this during a fetch triggers another one. */
  async function catchUp() {
    isNewsWaiting = true
    if (state.first !== 'ready' || isCatchingUp) return
    isCatchingUp = true
    stopWaiting('news')
    try {
      for (let isAll = true; isNewsWaiting || !isAll; ) {
        isNewsWaiting = false
        const { items, next } = await calls.after(state.timeline.through)
        // Stop, because a `next` without items would repeat forever.
        isAll = next === null || items.length === 0
        if (items.length > 0) set({ timeline: withNews(state.timeline, items) })
        failures.news = 0
      }
    } catch (error) {
      isNewsWaiting = true
      const { isPassing, afterMs } = judge(error)
      if (isPassing) tryLater('news', afterMs, () => void catchUp())
    } finally {
      isCatchingUp = false
      // The conversation counts as current even after a failure, because nothing more can be shown.
      if (isShown && !state.isCurrent) set({ isCurrent: true })
    }
  }

  function pump() {
    if (isSending) return
    const next = nextToSend(state.line)
    if (!next) return
    isSending = true
    stopWaiting('send')
    set({ line: changed(state.line, next.id, { state: 'sending' }) })
    void send(next).finally(() => {
      isSending = false
      pump()
    })
  }

  async function send(message: Outgoing) {
    try {
      const sent = await calls.send(message)
      failures.send = 0
      set({ timeline: withMessage(state.timeline, sent), line: state.line.filter(({ id }) => id !== message.id) })
      onArrived?.()
      if (isBehind(state.timeline)) void catchUp()
    } catch (error) {
      const { isPassing, afterMs, message: problem } = judge(error)
      set({ line: changed(state.line, message.id, { state: isPassing ? 'stuck' : 'refused', problem }) })
      if (isPassing && state.line.some(({ id }) => id === message.id)) tryLater('send', afterMs, resume)
    }
  }

  function resume() {
    if (state.line.some((each) => each.state === 'stuck')) set({ line: resumed(state.line) })
    pump()
  }

  return {
    subscribe,
    get: () => state,
    open,
    /** Call when the conversation closes. Messages after that count as new when it opens again. */
    leave() {
      isShown = false
      set({ isCurrent: false })
    },
    catchUp,
    /** Call when messages changed elsewhere. */
    reread: () => reread('all'),
    /** Call on a new connection, to fetch missed messages and send stuck ones. */
    reconnect() {
      resume()
      void open()
    },
    async loadOlder() {
      const { older } = state.timeline
      if (!older || state.older === 'loading') return
      set({ older: 'loading' })
      try {
        const { items, next } = await calls.older(older)
        set({ timeline: withOlder(state.timeline, items, next), older: 'idle' })
      } catch {
        set({ older: 'failed' })
      }
    },
    /** Shows the message immediately, and sends messages in order. @returns its ID */
    send(content: string, media: readonly Media[]): string {
      const id = newId()
      const message: Outgoing = { id, content, media, createdAt: now().toISOString(), state: 'waiting', problem: null }
      set({ line: [...state.line, message] })
      pump()
      return id
    },
    retry(id: string) {
      set({ line: retried(state.line, id) })
      pump()
    },
    /** Removes an unsent message, which the server may have received. */
    discard(id: string) {
      set({ line: state.line.filter((each) => each.id !== id) })
      pump()
    },
    remove: (id: string) => set({ timeline: withoutMessage(state.timeline, id) }),
    end() {
      stopWaiting('send')
      stopWaiting('news')
      set({ line: [] })
    },
  }
}

type Marking = Pick<Parts<never>, 'judge' | 'later'> & { mark: (sequence: number) => Promise<unknown> }

/** Marks messages as read. Retries after temporary errors; otherwise, messages on screen would still count as unread. */
export function createReadMark({ mark, judge, later }: Marking) {
  let seen = 0
  let marked = 0
  let failures = 0
  let isMarking = false
  let isOver = false
  let stopWaiting: (() => void) | undefined

  async function run(): Promise<void> {
    if (isMarking || isOver || seen <= marked) return
    isMarking = true
    stopWaiting?.()
    const sequence = seen
    try {
      await mark(sequence)
      marked = sequence
      failures = 0
    } catch (error) {
      const { isPassing, afterMs } = judge(error)
      const wait = Math.max(afterMs ?? 0, Math.min(maxPauseMs, firstPause * 2 ** failures++))
      if (isPassing && !isOver) stopWaiting = later(wait, () => void run())
      return
    } finally {
      isMarking = false
    }
    return run()
  }

  return {
    /** Call when messages up to this sequence are in view. */
    see(sequence: number): void {
      isOver = false
      seen = Math.max(seen, sequence)
      void run()
    },
    /** Call when the conversation closes. */
    leave(): void {
      isOver = true
      stopWaiting?.()
    },
  }
}
