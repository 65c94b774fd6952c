import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { forgetOfflineDb, outboxDb } from './offline-db.ts'
import { bodyOf, createOutbox, type OutboxStore, type Outcome, type QueuedWrite, type ServerVersion } from './outbox.ts'
import { forceWrite } from './send-write.ts'

afterEach(forgetOfflineDb)

const account = 'a'

function memoryStore(): OutboxStore {
  let writes: QueuedWrite[] = []
  let seq = 0
  return {
    read: async () => structuredClone(writes),
    async add(write) {
      if (!writes.some(({ id }) => id === write.id)) writes = [...writes, { ...structuredClone(write), seq: ++seq }]
    },
    async update(_account, change) {
      writes = change(structuredClone(writes))
        .map((write) => ({ seq: ++seq, ...write }))
        .sort((a, b) => a.seq - b.seq)
    },
    file: async () => null,
  }
}

function write(id: string, rest: Partial<Omit<QueuedWrite, 'seq'>> = {}): Omit<QueuedWrite, 'seq'> {
  return {
    id,
    account,
    call: { method: 'POST', path: '/api/grow-logs' },
    input: { body: { id, week: 1 } },
    lane: 'h1',
    subjects: [],
    title: id,
    labels: {},
    photos: [],
    photosInto: 'mediaIds',
    thing: null,
    refreshes: [],
    createdAt: 0,
    hold: null,
    failures: 0,
    retryAt: 0,
    ...rest,
  }
}

const edit = (id: string, of: string, body: Record<string, unknown>, rest: Partial<QueuedWrite> = {}) =>
  write(id, { call: { method: 'PATCH', path: '/api/grow-logs/:id' }, input: { params: { id: of }, body }, ...rest })

/** Follows the contract: repeated IDs and changes do nothing, and a change based on an old version causes a conflict. */
function fakeServer() {
  const things = new Map<string, ServerVersion>()
  const arrivals: { id: string; lane: string }[] = []
  const receive = (queued: QueuedWrite): Outcome => {
    const body = bodyOf(queued)
    if (queued.call.method === 'POST') {
      const there = things.get(queued.id)
      if (there) return { kind: 'arrived', answer: there }
      if (body.isWrong) return { kind: 'refused', message: 'Not like this.', fields: {} }
      const thing = { ...body, version: 1 }
      things.set(queued.id, thing)
      arrivals.push({ id: queued.id, lane: queued.lane })
      return { kind: 'arrived', answer: thing }
    }
    const of = (queued.input.params as { id: string }).id
    const there = things.get(of)
    if (!there) return { kind: 'refused', message: 'It is not there.', fields: {} }
    if (Object.entries(body).every(([name, said]) => name === 'version' || there[name] === said)) return { kind: 'arrived', answer: there }
    if (there.version !== body.version) return { kind: 'conflict', message: 'Changed', theirs: there }
    const thing = { ...there, ...body, version: (there.version ?? 0) + 1 }
    things.set(of, thing)
    arrivals.push({ id: queued.id, lane: queued.lane })
    return { kind: 'arrived', answer: thing }
  }
  return { things, arrivals, receive }
}

function mutex() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work)
    last = result.catch(() => undefined)
    return result
  }
}

type Tab = { store?: OutboxStore; send: Parameters<typeof createOutbox>[0]['send']; alone?: ReturnType<typeof mutex>; now?: () => number }

const tab = ({ store = memoryStore(), send, alone = mutex(), now = () => 0 }: Tab) =>
  createOutbox({ account, store, send, alone, now, onChange: () => {}, onArrived: () => {} })

describe('the outbox', () => {
  test('sends entries in the order written until empty', async () => {
    const server = fakeServer()
    const box = tab({ send: async (queued) => server.receive(queued) })
    for (const id of ['1', '2', '3']) await box.add(write(id), new Map())
    expect(await box.flush()).toEqual({ end: 'done', wakeAt: null })
    expect(server.arrivals.map(({ id }) => id)).toEqual(['1', '2', '3'])
    expect(await box.read()).toEqual([])
  })

  test('sends entries added while the last one was in flight', async () => {
    const server = fakeServer()
    const box = tab({
      send: async (queued) => {
        if (queued.id === '1') {
          await box.add(write('2'), new Map())
          void box.flush()
        }
        return server.receive(queued)
      },
    })
    await box.add(write('1'), new Map())
    await box.flush()
    expect(server.arrivals.map(({ id }) => id)).toEqual(['1', '2'])
  })

  test('delays only the entries that depend on a refused one', async () => {
    const server = fakeServer()
    const box = tab({ send: async (queued) => server.receive(queued) })
    await box.add(write('wrong', { input: { body: { id: 'wrong', isWrong: true } } }), new Map())
    await box.add(write('child', { input: { body: { id: 'child', logId: 'wrong' } } }), new Map())
    await box.add(write('other'), new Map())
    await box.flush()
    expect(server.arrivals.map(({ id }) => id)).toEqual(['other'])
    expect((await box.read()).map(({ id, hold }) => [id, hold?.kind])).toEqual([
      ['wrong', 'refused'],
      ['child', undefined],
    ])

    await box.revise('wrong', (held) => ({ ...held, input: { body: { id: 'wrong' } } }))
    await box.flush()
    expect(server.arrivals.map(({ id }) => id)).toEqual(['other', 'wrong', 'child'])
  })

  test('reports whether the server may have a discarded entry, which it doesn’t if it refused the only attempt', async () => {
    const answers: Record<string, Outcome> = {
      lost: { kind: 'unreachable' },
      wrong: { kind: 'refused', message: 'Not like this.', fields: {} },
    }
    const box = tab({
      send: async (queued, update) => {
        await update((stored) => ({ ...stored, mayHaveArrived: true }))
        return answers[queued.id] as Outcome
      },
    })
    for (const id of ['wrong', 'lost', 'new']) await box.add(write(id), new Map())
    await box.flush()
    expect(await box.discard('wrong')).toBe('unsent')
    expect(await box.discard('lost')).toBe('unsure')
    expect(await box.discard('new')).toBe('unsent')
    expect(await box.discard('new')).toBe('gone')

    await box.add(write('lost'), new Map())
    await box.flush()
    answers.lost = { kind: 'refused', message: 'It has changed since.', fields: {} }
    await box.flush()
    expect(await box.discard('lost')).toBe('unsure')
  })

  test('reports a conflict with the server’s version, and resends the entry for that version if the person keeps the entry', async () => {
    const server = fakeServer()
    server.things.set('log', { id: 'log', heightCm: 40, version: 3 })
    const box = tab({ send: async (queued) => server.receive(queued) })
    await box.add(edit('e', 'log', { heightCm: 44, version: 2 }), new Map())
    await box.flush()
    const [held] = await box.read()
    expect(held?.hold).toEqual({ kind: 'conflict', message: 'Changed', theirs: { id: 'log', heightCm: 40, version: 3 } })
    await box.revise('e', forceWrite)
    await box.flush()
    expect(server.things.get('log')).toMatchObject({ heightCm: 44, version: 4 })
    expect(await box.read()).toEqual([])
  })

  test('adds and removes only its own photos if the person keeps their version of a log', () => {
    const theirs = { version: 3, photos: [{ id: 'kept' }, { id: 'removed' }, { id: 'new' }] }
    const hold = { kind: 'conflict' as const, message: 'Changed', theirs }
    const body = { mediaIds: ['kept', 'removed by them'], version: 2 }
    const held = { ...edit('e', 'log', body), seq: 1, hold, removedPhotos: ['removed'] }
    expect(bodyOf(forceWrite(held))).toEqual({ mediaIds: ['kept', 'new'], version: 3 })
    // Entries from earlier versions of the app don't record what was removed.
    expect(bodyOf(forceWrite({ ...held, removedPhotos: undefined }))).toEqual({ mediaIds: ['kept', 'removed', 'new'], version: 3 })
    expect(bodyOf(forceWrite({ ...held, input: { body: { notes: '', version: 2 } } }))).toEqual({ notes: '', version: 3 })
  })

  test('allows two changes of one version without a conflict', async () => {
    const server = fakeServer()
    server.things.set('log', { id: 'log', heightCm: 40, notes: '', version: 3 })
    const box = tab({ send: async (queued) => server.receive(queued) })
    await box.add(edit('1', 'log', { heightCm: 44, version: 3 }), new Map())
    await box.add(edit('2', 'log', { notes: 'Stretching', version: 3 }), new Map())
    await box.flush()
    expect(server.things.get('log')).toMatchObject({ heightCm: 44, notes: 'Stretching', version: 5 })
    expect(await box.read()).toEqual([])
  })

  test('allows a change of the version that its own earlier changes were based on, unless someone else changed it since', async () => {
    const server = fakeServer()
    server.things.set('log', { id: 'log', heightCm: 40, notes: '', version: 3 })
    const box = tab({ send: async (queued) => server.receive(queued) })
    for (const [id, body] of [
      ['1', { heightCm: 44 }],
      ['2', { notes: 'Stretching' }],
      ['3', { heightCm: 45 }],
    ] as const) {
      await box.add(edit(id, 'log', { ...body, version: 3 }), new Map())
      await box.flush()
    }
    expect(server.things.get('log')).toMatchObject({ heightCm: 45, notes: 'Stretching', version: 6 })

    server.things.set('log', { id: 'log', heightCm: 46, notes: '', version: 7 })
    await box.add(edit('4', 'log', { heightCm: 47, version: 3 }), new Map())
    await box.flush()
    expect((await box.read()).map(({ id, hold }) => [id, hold?.kind])).toEqual([['4', 'conflict']])
  })

  test('retries a failing lane without stopping others, and finally reports the error', async () => {
    const server = fakeServer()
    let now = 0
    const box = tab({
      now: () => now,
      send: async (queued) =>
        queued.id === 'bad' ? { kind: 'later', afterMs: null, message: 'Something went wrong.', isOwnFault: true } : server.receive(queued),
    })
    await box.add(write('bad'), new Map())
    await box.add(write('behind'), new Map())
    await box.add(write('elsewhere', { lane: 'h2' }), new Map())
    expect(await box.flush()).toEqual({ end: 'done', wakeAt: 2000 })
    expect(server.arrivals.map(({ id }) => id)).toEqual(['elsewhere'])
    for (let round = 0; round < 10; round++) {
      now += 10 * 60_000
      await box.flush()
    }
    expect(server.arrivals.map(({ id }) => id)).toEqual(['elsewhere', 'behind'])
    expect((await box.read())[0]?.hold).toMatchObject({ kind: 'refused', message: 'Something went wrong.' })
  })

  test('neither sends nor loses entries while signed out', async () => {
    const box = tab({ send: async () => ({ kind: 'signed out' }) })
    await box.add(write('1'), new Map())
    expect(await box.flush()).toEqual({ end: 'signed out', wakeAt: null })
    expect(await box.read()).toHaveLength(1)
  })
})

describe('an interrupted outbox', () => {
  class Crash extends Error {}
  type Luck = 'well' | 'lost before' | 'lost after' | 'busy' | 'crash before' | 'crash after' | 'crash while keeping'
  const luck = fc.constantFrom<Luck>('well', 'lost before', 'lost after', 'busy', 'crash before', 'crash after', 'crash while keeping')
  const plan = fc.record({
    writes: fc.array(fc.record({ lane: fc.constantFrom('h1', 'h2', 'h3'), edits: fc.nat(2) }), { minLength: 1, maxLength: 12 }),
    luck: fc.array(luck, { maxLength: 60 }),
    tabs: fc.integer({ min: 1, max: 3 }),
    hasLock: fc.boolean(),
  })

  /** Several tabs send simultaneously over a bad network, crash and reopen. Then everything works. */
  async function run(store: OutboxStore, { writes, luck: fates, tabs, hasLock }: typeof plan extends fc.Arbitrary<infer P> ? P : never) {
    const server = fakeServer()
    const fate = [...fates]
    let now = 0
    const shared = mutex()
    const dying: OutboxStore = {
      ...store,
      async update(whose, change) {
        if (fate[0] === 'crash while keeping') {
          fate.shift()
          throw new Crash()
        }
        await store.update(whose, change)
      },
    }
    const send = async (queued: QueuedWrite): Promise<Outcome> => {
      const next = fate.shift() ?? 'well'
      await Promise.resolve()
      if (next === 'crash before') throw new Crash()
      if (next === 'lost before') return { kind: 'unreachable' }
      if (next === 'busy') return { kind: 'later', afterMs: 1000, message: 'Busy', isOwnFault: false }
      const outcome = server.receive(queued)
      await Promise.resolve()
      if (next === 'crash after') throw new Crash()
      return next === 'lost after' ? { kind: 'unreachable' } : outcome
    }
    const open = () => tab({ store: dying, send, now: () => now, alone: hasLock ? shared : mutex() })

    const written: { id: string; lane: string }[] = []
    const box = tab({ store, send, now: () => now })
    for (const [index, { lane, edits }] of writes.entries()) {
      const id = `log-${index}-`
      await box.add(write(id, { lane, input: { body: { id, heightCm: 0 } } }), new Map())
      written.push({ id, lane })
      for (let count = 1; count <= edits; count++) {
        const editId = `${id}${count}`
        await box.add(edit(editId, id, { heightCm: count, version: 1 }, { lane }), new Map())
        written.push({ id: editId, lane })
      }
    }
    for (let rounds = 0; fate.length > 0 && rounds < 200; rounds++) {
      now += 60_000
      await Promise.all(
        Array.from({ length: tabs }, () =>
          open()
            .flush()
            .catch((error) => expect(error).toBeInstanceOf(Crash)),
        ),
      )
    }
    now += 60 * 60_000
    await open().flush()
    return { server, written, left: await store.read(account) }
  }

  test('delivers each entry exactly once, in its hunt’s order, without loss', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const { server, written, left } = await run(memoryStore(), given)
        expect(left).toEqual([])
        expect(server.arrivals.map(({ id }) => id).sort()).toEqual(written.map(({ id }) => id).sort())
        for (const lane of ['h1', 'h2', 'h3']) {
          const ofLane = (list: { id: string; lane: string }[]) => list.filter((each) => each.lane === lane).map(({ id }) => id)
          expect(ofLane(server.arrivals)).toEqual(ofLane(written))
        }
      }),
      { numRuns: 400 },
    )
  })

  test('delivers the same entries from the browser’s database', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        await forgetOfflineDb()
        const { server, written, left } = await run(outboxDb, given)
        expect(left).toEqual([])
        expect(server.arrivals.map(({ id }) => id).sort()).toEqual(written.map(({ id }) => id).sort())
      }),
      { numRuns: 25 },
    )
  })
})

describe('the browser’s database', () => {
  test('hides entries from other accounts and stores files with their entry', async () => {
    const photo = { key: 'p', name: 'p.jpg', type: 'image/jpeg', size: 1, alt: '', uploadId: null }
    await outboxDb.add(write('1', { photos: [photo] }), new Map([['p', new Blob(['x'])]]))
    await outboxDb.add(write('1'), new Map())
    await outboxDb.add(write('2', { account: 'b' }), new Map())
    expect((await outboxDb.read('a')).map(({ id }) => id)).toEqual(['1'])
    expect((await outboxDb.file('p'))?.size).toBe(1)
    await outboxDb.update('a', () => [])
    expect(await outboxDb.file('p')).toBeNull()
    expect((await outboxDb.read('b')).map(({ id }) => id)).toEqual(['2'])
  })

  test('rolls back a change that throws', async () => {
    await outboxDb.add(write('1'), new Map())
    await expect(
      outboxDb.update('a', () => {
        throw new Error('in the middle')
      }),
    ).rejects.toThrow('in the middle')
    expect(await outboxDb.read('a')).toHaveLength(1)
  })
})
