import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, test } from 'vitest'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import type { JobHandlers, JobLanes } from '#server/kernel/jobs.ts'
import { createLog } from '#server/log.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { addPeople } from '#tests/support/people.ts'
import { preparedDataDir } from '#tests/support/prepared-cluster.ts'
import { type SeparateServer, startSeparateServer } from '#tests/support/separate-server.ts'
import { type SmtpServer, startSmtpServer } from '#tests/support/smtp-server.ts'

const log = createLog({ logLevel: 'silent' })
const mailJob = 'accounts.mail-existing-account'

let smtp: SmtpServer
let server: SeparateServer
beforeAll(async () => {
  smtp = await startSmtpServer()
  server = await startSeparateServer({ SMTP_URL: smtp.url }, [], { dataDir: preparedDataDir() })
})
afterAll(async () => {
  await server?.remove()
  await smtp?.close()
})

test.concurrent('runs a killed process’s job once, within a minute', { timeout: 180_000 }, async ({ expect }) => {
  const { database } = server
  await addPeople(database.db, 1, { email: 'ann@grove.example', email_verified: true })
  smtp.mood = 'silent'
  const queue = createJobQueue({ connectionString: database.pool.options.connectionString as string, log })
  await queue.enqueue(mailJob, { email: 'ann@grove.example' })
  await queue.stop()
  await expect.poll(smtp.connections).toBeGreaterThan(0)
  server.kill()
  smtp.mood = 'willing'
  // The minute starts when the new process is ready, however long that takes on a busy machine.
  await server.restart()
  await expect.poll(() => smtp.received.length, { timeout: 60_000 }).toBe(1)
  const jobs = () => database.pool.query('select from pgboss.job where name = $1', [mailJob]).then(({ rowCount }) => rowCount)
  await expect.poll(jobs).toBe(0)
  await sleep(2_000)
  expect(smtp.received.map(({ to }) => to)).toEqual([['<ann@grove.example>']])
})

test.concurrent('doesn’t start a long-running job in a second process', { timeout: 60_000 }, async ({ expect }) => {
  const database = await createTestDatabase()
  const queues = [1, 2].map(() => createJobQueue({ connectionString: database.url, log }))
  const [first, second] = queues as [(typeof queues)[0], (typeof queues)[0]]
  try {
    await first.enqueue(mailJob, { email: 'long' })
    // Shorter than the job, so without heartbeats, another process would take it over.
    await database.pool.query('update pgboss.job set heartbeat_seconds = 8 where name = $1', [mailJob])
    const begun: number[] = []
    const handlers = {
      async [mailJob]() {
        begun.push(performance.now())
        await sleep(28_000)
      },
    } as Partial<JobHandlers> as JobHandlers
    for (const queue of [first, second]) await queue.startWorkers(handlers, [], { [mailJob]: 'send' } as JobLanes)
    const left = () => database.pool.query('select from pgboss.job where name = $1', [mailJob]).then(({ rowCount }) => rowCount)
    await expect.poll(left, { timeout: 45_000 }).toBe(0)
    expect(begun).toHaveLength(1)
  } finally {
    for (const queue of queues) await queue.stop()
    await database.drop()
  }
})
