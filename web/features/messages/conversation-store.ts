import type { Media } from '../../../contracts/media.ts'
import type { ListPage } from '../../lib/call.ts'
import { changed, nextToSend, type Outgoing, restoredLine, resumed, retried, withoutArrived } from './outgoing.ts'
import {
  emptyTimeline,
  isBehind,
  type Placed,
  type Timeline,
  withMessage,
  withNewest,
  withNews,
  withOlder,
  withoutMessage,
  withReread,
} from './timeline.ts'

export type ConversationCalls<M> = {
  /** The newest page; `next` leads to older ones. */
  newest: () => Promise<ListPage<M>>
  older: (next: string) => Promise<ListPage<M>>
  /** What came after a sequence, the oldest first; `next` is null when that is all. */
  after: (sequence: number) => Promise<ListPage<M>>
  /** Sends one, or finds that the server has it already. */
  send: (message: Outgoing) => Promise<M>
}

type Parts<M> = {
  calls: ConversationCalls<M>
  newId: () => string
  now: () => Date
  /** Where what waits to be sent survives a reload. */
  memory: { load: () => unknown; save: (line: readonly Outgoing[]) => void }
  /** What an error means: that the same may succeed later, and after how long at least, or that it is final. */
  judge: (error: unknown) => { isPassing: boolean; afterMs: number | null; message: string }
  /** Runs something later; returns how to call it off. */
  later: (ms: number, run: () => void) => () => void
  /** One of ours is on the server. */
  onArrived?: () => void
}

export type ConversationState<M extends Placed> = {
  timeline: Timeline<M>
  line: readonly Outgoing[]
  /** The first answer, without which nothing can be shown. */
  first: 'loading' | 'ready' | 'failed'
  /** What came while it was not shown has been asked for. */
  isCurrent: boolean
  error: unknown
  older: 'idle' | 'loading' | 'failed'
}

const firstPause = 1_000
const longestPause = 30_000

export type ConversationStore<M extends Placed> = ReturnType<typeof createConversationStore<M>>

/**
 * The messages of one conversation and what waits to be sent into it. Outside of React: what was sent goes on arriving while another screen
 * is shown. Live news only say that there is something; this asks for it by the last sequence it has without a hole, so that nothing is lost
 * between two connections.
 */
export function createConversationStore<M extends Placed>({ calls, newId, now, memory, judge, later, onArrived }: Parts<M>) {
  let state: ConversationState<M> = {
    timeline: emptyTimeline,
    line: restoredLine(memory.load()),
    first: 'loading',
    isCurrent: false,
    error: null,
    older: 'idle',
  }
  const listeners = new Set<() => void>()
  let isShown = false
  let isOpening = false
  let isCatchingUp = false
  let isNewsWaiting = false
  let isSending = false
  const failures = { send: 0, news: 0 }
  const pauses: { send: (() => void) | null; news: (() => void) | null } = { send: null, news: null }

  function set(changes: Partial<ConversationState<M>>) {
    const line = withoutArrived(changes.line ?? state.line, (changes.timeline ?? state.timeline).messages)
    if (line !== state.line) memory.save(line)
    state = { ...state, ...changes, line }
    for (const listener of listeners) listener()
  }

  function tryLater(what: 'send' | 'news', afterMs: number | null, run: () => void) {
    const wait = Math.max(afterMs ?? 0, Math.min(longestPause, firstPause * 2 ** failures[what]++))
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
      return reread()
    }
    if (isOpening) return
    isOpening = true
    set({ first: 'loading', error: null })
    try {
      const { items, next } = await calls.newest()
      set({ timeline: withNewest(state.timeline, items, next), first: 'ready', isCurrent: isShown })
      if (isNewsWaiting || isBehind(state.timeline)) void catchUp()
    } catch (error) {
      set({ first: 'failed', error })
    } finally {
      isOpening = false
    }
  }

  /** What changed in messages that are here already is seen when the conversation is opened again. */
  async function reread() {
    const upTo = state.timeline.through
    try {
      const { items, next } = await calls.newest()
      set({ timeline: withReread(state.timeline, items, next, upTo) })
    } catch {
      // As they were read last, they are still of use.
    }
  }

  /** Asks for what is new until there is nothing more. What is asked in the meantime is asked once more afterwards. */
  async function catchUp() {
    isNewsWaiting = true
    if (state.first !== 'ready' || isCatchingUp) return
    isCatchingUp = true
    stopWaiting('news')
    try {
      for (let isAll = true; isNewsWaiting || !isAll; ) {
        isNewsWaiting = false
        const { items, next } = await calls.after(state.timeline.through)
        // A page that says there is more and holds nothing new would be asked for again and again.
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
      // Without an answer, too: what is here is all that there is to show.
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
      // Known by the timeline, it leaves the line.
      set({ timeline: withMessage(state.timeline, sent), line: state.line.filter(({ id }) => id !== message.id) })
      onArrived?.()
      if (isBehind(state.timeline)) void catchUp()
    } catch (error) {
      const { isPassing, afterMs, message: problem } = judge(error)
      set({ line: changed(state.line, message.id, { state: isPassing ? 'stuck' : 'refused', problem }) })
      if (isPassing && state.line.some(({ id }) => id === message.id)) tryLater('send', afterMs, resume)
    }
  }

  /** There is a connection again, or enough time has passed. */
  function resume() {
    if (state.line.some((each) => each.state === 'stuck')) set({ line: resumed(state.line) })
    pump()
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    get: () => state,
    /** Reads the first page, or what is new since; sends what waits. */
    open,
    /** It is not shown any more: what comes from now on is new to whoever opens it again. */
    leave() {
      isShown = false
      set({ isCurrent: false })
    },
    /** The server says that something happened. */
    catchUp,
    /** A new connection: what happened without one is asked for, and what is stuck is sent. */
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
    /** Shown at once, sent in its turn. @returns its id */
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
    /** Takes back what has not arrived, as far as is known. */
    discard(id: string) {
      set({ line: state.line.filter((each) => each.id !== id) })
      pump()
    },
    /** Takes one out for good: it was deleted. */
    remove: (id: string) => set({ timeline: withoutMessage(state.timeline, id) }),
    /** Nothing of it is asked for or sent any more. */
    end() {
      stopWaiting('send')
      stopWaiting('news')
      set({ line: [] })
    },
  }
}
