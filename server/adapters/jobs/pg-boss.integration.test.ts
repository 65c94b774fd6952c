import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type JobHandlers, type JobLanes, ServiceUnavailableError } from '#server/kernel/jobs.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createJobQueue, type JobQueue } from './pg-boss.ts'

// These tests work with any job.
const note = 'accounts.mail-existing-account'
const sync = 'billing.sync'
const announce = 'notifications.announce-post'
const due = 'notifications.push-due'

const log = pino({ level: 'silent' })
let database: TestDatabase
const queues: JobQueue[] = []

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop()))
})
afterAll(() => database.drop())

function openQueue(): JobQueue {
  const queue = createJobQueue({ connectionString: database.url, log })
  queues.push(queue)
  return queue
}

const lanes = { [note]: 'send' } as JobLanes
const handlersOf = (handle: (data: { email: string }) => Promise<void>) => ({ [note]: handle }) as JobHandlers

/** Adds jobs that become due without a nudge, as retries and delayed jobs do. */
async function addJobs(name: string, count: number): Promise<void> {
  await database.pool.query(
    `insert into pgboss.job (name, policy, data, state, retry_limit, retry_delay, expire_seconds, heartbeat_seconds, start_after)
     select name, policy, '{"email":"bulk"}', 'created', retry_limit, retry_delay, expire_seconds, heartbeat_seconds, now() - interval '1 second'
     from pgboss.queue, generate_series(1, $2) where name = $1`,
    [name, count],
  )
}

async function storedJobs(): Promise<number> {
  const { rows } = await database.pool.query(`select count(*) as count from pgboss.job where name = '${note}'`)
  return rows[0].count
}

describe('the job queue', () => {
  test('deletes failed jobs after a week and waiting ones after three days, even in queues of an older release', async () => {
    const retention = async () => {
      const { rows } = await database.pool.query(
        `select retention_seconds / 86400 as waiting, deletion_seconds / 86400 as failed from pgboss.queue where name = '${note}'`,
      )
      return rows[0]
    }
    await openQueue().prepare([note])
    expect(await retention()).toEqual({ waiting: 3, failed: 7 })
    await database.pool.query(`update pgboss.queue set deletion_seconds = 604800000 where name = '${note}'`)
    await openQueue().prepare([note])
    expect(await retention()).toEqual({ waiting: 3, failed: 7 })
  })

  test('deletes every waiting job that names a person, and no others', async () => {
    const queue = openQueue()
    await queue.enqueue(note, { email: 'gone@example.com' })
    await queue.enqueue(note, { email: 'kept@example.com' })
    for (const email of ['be.gone@example.com', 'bygone@example.com', 'gone@example.com.au']) await queue.enqueue(note, { email })
    await queue.enqueue(note, { email: 'gone@example.com' }, { startAfterSeconds: 3600 })
    expect(await queue.forget(['gone@example.com', '00000000-0000-7000-8000-000000000009'])).toBe(2)
    expect(await storedJobs()).toBe(4)
    const rest = ['kept@example.com', 'be.gone@example.com', 'bygone@example.com', 'gone@example.com.au']
    expect(await queue.forget(rest)).toBe(4)
  })

  test('removes a person from jobs for several people and keeps the jobs of the others', async () => {
    const queue = openQueue()
    const [gone, kept] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b']
    await queue.enqueue(due, { userIds: [gone, kept] }, { startAfterSeconds: 180 })
    await queue.enqueue(due, { userIds: [kept] })
    await queue.enqueue(due, { userIds: [gone] })
    await queue.enqueue(announce, { postId: kept, after: gone })
    await queue.enqueue(announce, { postId: gone })
    await queue.enqueue(note, { email: 'kept@example.com' })
    await database.pool.query(`update pgboss.job set state = 'failed', output = $2 where name = $1`, [note, { message: `no ${gone}` }])
    expect(await queue.forget([gone, 'gone@example.com'])).toBe(2)
    const { rows } = await database.pool.query('select data, output from pgboss.job where name = any($1) order by name, created_on', [
      [due, announce, note],
    ])
    expect(rows).toEqual([
      { data: { email: 'kept@example.com' }, output: null },
      { data: { postId: kept, after: gone }, output: null },
      { data: { userIds: [kept] }, output: null },
      { data: { userIds: [kept] }, output: null },
    ])
    expect(await queue.forget([kept, 'kept@example.com'])).toBe(4)
  })

  test('runs a job soon after it was queued and then deletes it', async () => {
    const queue = openQueue()
    const done: string[] = []
    await queue.startWorkers(
      handlersOf(async ({ email }) => void done.push(email)),
      [],
      lanes,
    )
    const queuedAt = performance.now()
    await queue.enqueue(note, { email: 'one' })
    await expect.poll(() => done, { timeout: 5000, interval: 10 }).toEqual(['one'])
    expect(performance.now() - queuedAt).toBeLessThan(3000)
    await expect.poll(storedJobs, { timeout: 5000 }).toBe(0)
  })

  test('queues a transaction’s job only if the transaction commits', async () => {
    const queue = openQueue()
    const done: string[] = []
    const failing = database.db.transaction().execute(async (tx) => {
      await queue.enqueue(note, { email: 'undone' }, { tx })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await database.db.transaction().execute(async (tx) => {
      await queue.enqueue(note, { email: 'committed' }, { tx })
      expect(await storedJobs()).toBe(0)
    })
    expect(await storedJobs()).toBe(1)
    await queue.startWorkers(
      handlersOf(async ({ email }) => void done.push(email)),
      [],
      lanes,
    )
    await expect.poll(() => done, { timeout: 5000 }).toEqual(['committed'])
  })

  test('keeps the data of a failed job until its next attempt', async () => {
    const queue = openQueue()
    let tries = 0
    await queue.startWorkers(
      handlersOf(async () => {
        tries++
        throw new Error('the mail server is away')
      }),
      [],
      lanes,
    )
    await queue.enqueue(note, { email: 'again' })
    const read = async () =>
      (await database.pool.query(`select state, retry_count, data, start_after from pgboss.job where name = '${note}'`)).rows
    await expect.poll(async () => (await read())[0]?.state, { timeout: 5000 }).toBe('retry')
    expect(tries).toBe(1)
    const [job] = await read()
    expect(job.data).toEqual({ email: 'again' })
    expect(job.start_after.getTime()).toBeGreaterThan(Date.now() + 5_000)
    await database.pool.query(`delete from pgboss.job where name = '${note}'`)
  })

  test('shows permanently failed jobs to the operator and retries them on request', async () => {
    const queue = openQueue()
    const done: string[] = []
    for (const email of ['one', 'two']) await queue.enqueue(note, { email })
    await database.pool.query('update pgboss.job set retry_limit = 0')
    await queue.startWorkers(
      handlersOf(async ({ email }) => {
        throw new Error(`no way to ${email}`)
      }),
      [],
      lanes,
    )
    await expect.poll(async () => (await queue.desk.queues())[0], { timeout: 8000 }).toMatchObject({ name: note, failed: 2, waiting: 0 })
    const first = await queue.desk.failed({ limit: 1 })
    const rest = await queue.desk.failed({ limit: 1, cursor: first.nextCursor as string })
    const all = [...first.items, ...rest.items]
    expect(rest.nextCursor).toBeNull()
    expect(all.map(({ error }) => error).sort()).toEqual(['no way to one', 'no way to two'])
    expect(all[0]).toMatchObject({ name: note, tries: 1, failedAt: expect.any(Date), queuedAt: expect.any(Date) })

    const [one] = all as [(typeof all)[number]]
    expect(await queue.desk.retry({ id: one.id })).toEqual([{ name: note, count: 1 }])
    expect(await queue.desk.retry({ id: one.id })).toEqual([])
    expect(await queue.desk.retry({ name: 'accounts.purge-expired' })).toEqual([])
    expect(await queue.desk.retry({ name: note })).toEqual([{ name: note, count: 1 }])
    expect((await queue.desk.queues())[0]).toMatchObject({ failed: 0 })
    await queue.stop()
    await openQueue().startWorkers(
      handlersOf(async ({ email }) => void done.push(email)),
      [],
      lanes,
    )
    await expect.poll(() => [...done].sort(), { timeout: 8000 }).toEqual(['one', 'two'])
    await expect.poll(storedJobs, { timeout: 5000 }).toBe(0)
  })

  test('runs each job in only one of two processes', async () => {
    const [first, second] = [openQueue(), openQueue()]
    const done: string[] = []
    const handlers = handlersOf(async ({ email }) => void done.push(email))
    await Promise.all([first.startWorkers(handlers, [], lanes), second.startWorkers(handlers, [], lanes)])
    for (let number = 0; number < 20; number++) await first.enqueue(note, { email: `${number}` })
    await expect.poll(() => done.length, { timeout: 15_000 }).toBe(20)
    await sleep(300)
    expect(new Set(done).size).toBe(20)
    expect(done).toHaveLength(20)
  })

  test('waits for the running job when it stops', async () => {
    const queue = openQueue()
    let state = 'idle'
    await queue.startWorkers(
      handlersOf(async () => {
        state = 'running'
        await sleep(700)
        state = 'done'
      }),
      [],
      lanes,
    )
    await queue.enqueue(note, { email: 'slow' })
    await expect.poll(() => state, { timeout: 5000, interval: 10 }).toBe('running')
    await queue.stop()
    expect(state).toBe('done')
    expect(await storedJobs()).toBe(0)
  })

  test('starts quickly on a prepared database and stops quickly when idle', async () => {
    const queue = openQueue()
    const startedAt = performance.now()
    await queue.start()
    const started = performance.now()
    await queue.stop()
    const stopped = performance.now()
    expect(started - startedAt).toBeLessThan(1500)
    expect(stopped - started).toBeLessThan(1500)
  })

  test('runs a thousand due jobs within ten seconds of its start', async () => {
    const queue = openQueue()
    await queue.prepare([note])
    await addJobs(note, 1_000)
    let done = 0
    await queue.startWorkers(
      handlersOf(async () => void done++),
      [],
      lanes,
    )
    await expect.poll(() => done, { timeout: 10_000 }).toBe(1_000)
  })

  test('runs urgent jobs within a second despite ten thousand slow ones', async () => {
    const queue = openQueue()
    await queue.prepare([sync, announce])
    await addJobs(sync, 10_000)
    const announced: string[] = []
    let synced = 0
    const handlers = {
      [announce]: async ({ postId }: { postId: string }) => void announced.push(postId),
      [sync]: async () => {
        await sleep(50)
        synced++
      },
    } as Partial<JobHandlers> as JobHandlers
    await queue.startWorkers(handlers, [], { [announce]: 'notify', [sync]: 'bulk' } as JobLanes)
    await expect.poll(() => synced).toBeGreaterThan(20)
    for (const postId of ['first', 'second', 'third']) {
      const queuedAt = performance.now()
      await queue.enqueue(announce, { postId })
      await expect.poll(() => announced, { interval: 5 }).toContain(postId)
      expect(performance.now() - queuedAt).toBeLessThan(1_000)
    }
    await queue.stop()
    await database.pool.query(`delete from pgboss.job where name = '${sync}'`)
  })

  test('waits while its service is down without using up retries, and then runs all jobs', async () => {
    const queue = openQueue()
    await queue.prepare([note])
    await addJobs(note, 300)
    let isAway = true
    let tries = 0
    const done: string[] = []
    await queue.startWorkers(
      handlersOf(async ({ email }) => {
        tries++
        if (isAway) throw new ServiceUnavailableError('The mail server is away.')
        done.push(email)
      }),
      [],
      lanes,
    )
    await sleep(3_000)
    expect(tries).toBeLessThanOrEqual(6)
    const { rows } = await database.pool.query(
      `select distinct state::text, retry_count from pgboss.job where name = '${note}' and state <> 'active'`,
    )
    expect(rows).toEqual(expect.arrayContaining([{ state: 'created', retry_count: 0 }]))
    expect(rows.filter(({ state }) => state === 'failed')).toEqual([])
    isAway = false
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(300)
    await expect.poll(storedJobs).toBe(0)
  })

  test('runs a scheduled job once if it was due while no process was running', { timeout: 90_000 }, async () => {
    const done: string[] = []
    const handlers = handlersOf(async ({ email }) => void done.push(email))
    const hourAgo = new Date(Date.now() - 3_600_000)
    const schedules = [{ name: note, cron: `${hourAgo.getUTCMinutes()} ${hourAgo.getUTCHours()} * * *`, data: { email: 'daily' } }] as const
    await openQueue().startWorkers(handlers, schedules, lanes)
    await queues.pop()?.stop()
    await database.pool.query(`update pgboss.schedule set created_on = now() - interval '9 days'`)
    await database.pool.query(`update pgboss.version set cron_on = now() - interval '3 days'`)
    await openQueue().startWorkers(handlers, schedules, lanes)
    await expect.poll(() => done, { timeout: 80_000 }).toEqual(['daily'])
    await database.pool.query('delete from pgboss.schedule')
  })

  test('counts a delayed job’s waiting time from when it was due', async () => {
    const queue = openQueue()
    await queue.prepare([sync])
    await addJobs(sync, 1)
    await database.pool.query(`update pgboss.job set created_on = now() - interval '10 days' where name = '${sync}'`)
    const state = (await queue.desk.queues()).find(({ name }) => name === sync)
    expect(Date.now() - (state?.oldestWaitingAt?.getTime() ?? 0)).toBeLessThan(600_000)
    await database.pool.query(`delete from pgboss.job where name = '${sync}'`)
  })

  test('runs jobs queued under a former name, and drops that name’s schedule', { timeout: 20_000 }, async () => {
    const former = 'accounts.mail-owner' as typeof note
    const done: string[] = []
    const handlers = handlersOf(async ({ email }) => void done.push(email))
    await openQueue().startWorkers(
      { [former]: handlers[note] } as JobHandlers,
      [{ name: former, cron: '0 0 1 1 *', data: { email: 'yearly' } }],
      {
        [former]: 'send',
      } as JobLanes,
    )
    await queues.pop()?.stop()
    const queue = openQueue()
    await queue.startWorkers(handlers, [], lanes, { [former]: note })
    await queue.enqueue(former, { email: 'from an older process' })
    await expect.poll(() => done, { timeout: 15_000 }).toEqual(['from an older process'])
    expect((await database.pool.query('select name from pgboss.schedule')).rows).toEqual([])
  })

  test('polls a few times a second while idle and never uses LISTEN', { timeout: 20_000 }, async () => {
    const queue = openQueue()
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    try {
      await queue.startWorkers(
        handlersOf(async () => {}),
        [],
        lanes,
      )
      await sleep(1_000)
      const before = asked.mock.calls.length
      await sleep(8_000)
      expect((asked.mock.calls.length - before) / 8).toBeLessThan(6)
      await queue.enqueue(note, { email: 'one' })
      const texts = asked.mock.calls.map(([query]) => String((query as { text?: string }).text ?? query))
      expect(texts.filter((text) => /^\s*(un)?listen\b|pg_notify|^\s*notify\b/im.test(text))).toEqual([])
    } finally {
      asked.mockRestore()
    }
  })

  test('stops an unused queue without connecting', async () => {
    const queue = createJobQueue({ connectionString: 'postgres://no-one@127.0.0.1:1/nowhere', log })
    await queue.stop()
  })
})
