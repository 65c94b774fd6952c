import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ListPage } from '#web/lib/call.ts'
import { createConversationStore, createReadMark } from './conversation-store.ts'
import type { Outgoing } from './timeline.ts'

type Message = { id: string; sequence: number; content: string }
type Pending = { process: () => void; answer: () => void; fail: () => void; isProcessed: boolean }

class Refused extends Error {}

const pageSize = 3

/** Simulates a server that numbers messages, behind a network that may delay or drop requests and responses. */
function world() {
  const stored: Message[] = []
  const wire: Pending[] = []
  const timers = new Set<() => void>()
  const kept: { line: unknown } = { line: undefined }
  let lastId = 0
  const put = (id: string, content: string): Message => {
    const known = stored.find((message) => message.id === id)
    if (known) return known
    const message = { id, sequence: stored.length + 1, content }
    stored.push(message)
    return message
  }
  const over = <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      let result: { value: T } | { error: unknown } | null = null
      const pending: Pending = {
        isProcessed: false,
        process() {
          pending.isProcessed = true
          if (result) return
          try {
            result = { value: work() }
          } catch (error) {
            result = { error }
          }
        },
        answer() {
          pending.process()
          wire.splice(wire.indexOf(pending), 1)
          if (result && 'value' in result) resolve(result.value)
          else reject(result?.error)
        },
        fail() {
          wire.splice(wire.indexOf(pending), 1)
          reject(new TypeError('no answer'))
        },
      }
      wire.push(pending)
    })
  const before = (limit: number): ListPage<Message> => {
    const older = stored.filter(({ sequence }) => sequence < limit)
    const items = older.slice(-pageSize).reverse()
    return { items, next: older.length > pageSize ? String(items.at(-1)?.sequence) : null }
  }
  const open = () =>
    createConversationStore<Message>({
      calls: {
        newest: () => over(() => before(Number.POSITIVE_INFINITY)),
        older: (next) => over(() => before(Number(next))),
        after: (sequence) =>
          over(() => {
            const newer = stored.filter((message) => message.sequence > sequence)
            return { items: newer.slice(0, pageSize), next: newer.length > pageSize ? 'more' : null }
          }),
        send: ({ id, content }) =>
          over(() => {
            if (content === 'refuse') throw new Refused('no')
            return put(id, content)
          }),
      },
      newId: () => `own-${++lastId}`,
      now: () => new Date(0),
      memory: {
        load: () => kept.line,
        save: (line: readonly Outgoing[]) => {
          kept.line = structuredClone(line)
        },
      },
      judge: (error) => ({ isPassing: error instanceof TypeError, afterMs: null, message: 'x' }),
      later: (_ms, run) => {
        timers.add(run)
        return () => timers.delete(run)
      },
    })
  return { stored, wire, timers, put, open }
}

const settle = () => new Promise(setImmediate)

async function drain({ wire }: ReturnType<typeof world>) {
  await settle()
  for (let rounds = 0; wire.length > 0; rounds++) {
    if (rounds > 1000) throw new Error('asks for ever')
    wire[0]?.answer()
    await settle()
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'they write' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'I write' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'told' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'older' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reconnect' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'time passes' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'open again' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reload' as const }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constantFrom('process', 'answer', 'fail'), which: fc.nat(20) }) },
)

test('contains each message once and in order after any interleaving of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(10), fc.array(step, { maxLength: 50 }), async (already, steps) => {
      const here = world()
      for (let index = 1; index <= already; index++) here.put(`old-${index}`, 'old')
      let store = here.open()
      void store.open()
      const written: string[] = []
      for (const each of steps) {
        if (each.kind === 'they write') here.put(`theirs-${here.stored.length}`, 'hello')
        else if (each.kind === 'I write') written.push(store.send('hi', []))
        else if (each.kind === 'told') void store.catchUp()
        else if (each.kind === 'older') void store.loadOlder()
        else if (each.kind === 'open again') void store.open()
        else if (each.kind === 'reconnect') store.reconnect()
        else if (each.kind === 'time passes') for (const run of [...here.timers]) run()
        else if (each.kind === 'reload') {
          // The old page's responses are lost, but the server completes what it started.
          for (const pending of here.wire.splice(0)) if (pending.isProcessed) pending.process()
          here.timers.clear()
          store = here.open()
          void store.open()
        } else if ('which' in each && here.wire.length > 0) {
          const pending = here.wire[each.which % here.wire.length] as Pending
          if (each.kind === 'process') pending.process()
          else if (each.kind === 'answer') pending.answer()
          else pending.fail()
        }
        await settle()
        expectOrder(store.get().timeline.messages)
      }
      await drain(here)
      store.reconnect()
      await drain(here)
      while (store.get().timeline.older) {
        void store.loadOlder()
        await drain(here)
      }
      expect(store.get().line).toEqual([])
      expect(store.get().timeline.messages).toEqual(here.stored)
      expect(here.stored.filter(({ id }) => id.startsWith('own-')).map(({ id }) => id)).toEqual(written)
    }),
    { numRuns: 300 },
  )
})

test('keeps a rejected message without delaying later ones', async () => {
  const here = world()
  const store = here.open()
  void store.open()
  const refused = store.send('refuse', [])
  store.send('hi', [])
  await drain(here)
  expect(store.get().line.map(({ id, state }) => [id, state])).toEqual([[refused, 'refused']])
  expect(here.stored.map(({ content }) => content)).toEqual(['hi'])
  store.discard(refused)
  expect(store.get().line).toEqual([])
})

test('keeps the queue in order if no response arrives, and sends it later', async () => {
  const here = world()
  const store = here.open()
  void store.open()
  await drain(here)
  store.send('one', [])
  store.send('two', [])
  await settle()
  here.wire[0]?.process()
  here.wire[0]?.fail()
  await settle()
  expect(store.get().line.map(({ state }) => state)).toEqual(['stuck', 'waiting'])
  expect(here.wire).toEqual([])
  for (const run of [...here.timers]) run()
  await drain(here)
  expect(here.stored.map(({ content }) => content)).toEqual(['one', 'two'])
  expect(store.get().timeline.messages.map(({ content }) => content)).toEqual(['one', 'two'])
})

test('sends a message once despite a reload during sending', async () => {
  const here = world()
  const first = here.open()
  first.send('one', [])
  here.wire[0]?.process()
  const second = here.open()
  void second.open()
  await drain(here)
  expect(here.stored.map(({ content }) => content)).toEqual(['one'])
  expect(second.get().timeline.messages).toEqual(here.stored)
  expect(second.get().line).toEqual([])
})

test('doesn’t restore a deleted message from an old response', async () => {
  const here = world()
  here.put('old-1', 'old')
  const store = here.open()
  void store.open()
  await drain(here)
  here.put('new-2', 'new')
  void store.catchUp()
  await settle()
  here.wire[0]?.process()
  store.remove('new-2')
  await drain(here)
  expect(store.get().timeline.messages.map(({ id }) => id)).toEqual(['old-1'])
})

test('shows what changed elsewhere in all loaded messages: removed ones, restored ones, and a cleared conversation', async () => {
  const here = world()
  for (let index = 1; index <= 8; index++) here.put(`old-${index}`, 'old')
  const store = here.open()
  void store.open()
  await drain(here)
  void store.loadOlder()
  await drain(here)
  const shown = () => store.get().timeline.messages.map(({ id, content }) => `${id} ${content}`)
  expect(shown()).toEqual([3, 4, 5, 6, 7, 8].map((index) => `old-${index} old`))

  here.stored[3] = { ...here.stored[3]!, content: '' }
  const [deleted] = here.stored.splice(6, 1)
  void store.reread()
  await drain(here)
  expect(shown()).toEqual(['old-2 old', 'old-3 old', 'old-4 ', 'old-5 old', 'old-6 old', 'old-8 old'])

  // A change during the requests triggers new ones.
  void store.reread()
  await settle()
  here.wire[0]?.process()
  here.stored.splice(6, 0, deleted!)
  void store.reread()
  await drain(here)
  expect(shown()).toContain('old-7 old')

  here.stored.splice(0)
  void store.reread()
  await drain(here)
  expect([shown(), store.get().timeline.older]).toEqual([[], null])
})

test('shows what changed while the conversation was loading', async () => {
  const here = world()
  here.put('old-1', 'old')
  const store = here.open()
  void store.open()
  await settle()
  here.wire[0]?.process()
  here.stored.splice(0)
  void store.reread()
  await drain(here)
  expect(store.get().timeline.messages).toEqual([])
})

function expectOrder(messages: readonly Message[]) {
  const sequences = messages.map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other))
}

test('doesn’t count as current after reopening until missed messages have loaded or failed to load', async () => {
  const here = world()
  const store = here.open()
  void store.open()
  expect(store.get().isCurrent).toBe(false)
  await drain(here)
  expect(store.get().isCurrent).toBe(true)

  store.leave()
  here.put('theirs', 'hello')
  // Catching up while the conversation is closed doesn't make it current.
  void store.catchUp()
  await drain(here)
  expect(store.get().isCurrent).toBe(false)
  here.put('theirs too', 'hello')
  const currentWith: [boolean, number][] = []
  store.subscribe(() => currentWith.push([store.get().isCurrent, store.get().timeline.messages.length]))
  void store.open()
  await drain(here)
  expect(currentWith.find(([isCurrent]) => isCurrent)).toEqual([true, 2])

  store.leave()
  void store.open()
  for (const pending of [...here.wire]) pending.fail()
  await settle()
  expect(store.get().isCurrent).toBe(true)
})

test('marks messages as read despite lost responses, until the conversation closes', async () => {
  const marked: number[] = []
  const timers = new Set<() => void>()
  let failure: Error | null = new TypeError('no answer')
  const readMark = createReadMark({
    mark: async (sequence) => {
      marked.push(sequence)
      if (failure) throw failure
    },
    judge: (error) => ({ isPassing: error instanceof TypeError, afterMs: null, message: 'x' }),
    later: (_ms, run) => {
      timers.add(run)
      return () => timers.delete(run)
    },
  })
  const timePasses = async () => {
    for (const run of [...timers]) {
      timers.delete(run)
      run()
    }
    await settle()
  }
  readMark.see(3)
  await settle()
  failure = null
  await timePasses()
  expect([marked, timers.size]).toEqual([[3, 3], 0])
  readMark.see(2)
  readMark.see(3)
  await settle()
  expect(marked, 'already marked').toEqual([3, 3])
  failure = new Refused('no')
  readMark.see(4)
  await settle()
  expect(timers.size, 'final error').toBe(0)
  failure = new TypeError('no answer')
  readMark.see(5)
  await settle()
  readMark.leave()
  expect(timers.size, 'closed').toBe(0)
})
