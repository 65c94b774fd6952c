import { type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { deletionPhrase } from '#contracts/limits.ts'
import { createJobQueue, type JobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { createLog } from '#server/log.ts'
import { filesWith, placesOf, writeCanaries } from '#tests/support/canaries.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { addLife, type Life } from '#tests/support/life.ts'
import { startProcess, type TestProcess } from '#tests/support/processes.ts'
import { fillSearch } from '#tests/support/search.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

/**
 * Kills the server while it deletes an account, as in a power failure, and restarts it. erase-account.integration.test.ts covers many
 * more crash points, without killing a process.
 */

const canary = 'kanarienvogel'

let app: TestApp
let queue: JobQueue
let person: TestPerson
let life: Life
let server: TestProcess | undefined

beforeAll(async () => {
  app = await startTestApp()
  const around = { friend: await app.signUp(), reader: await app.signUp() }
  person = await app.signUp({ email: `${canary}@example.com` })
  life = await addLife(app, person, around)
  await writeCanaries(app, person, canary)
  await fillSearch(app)
  queue = createJobQueue({ connectionString: app.ctx.config.databaseUrl as string, log: createLog({ logLevel: 'silent' }) })
})
afterEach(() => server?.end('SIGKILL'))
afterAll(async () => {
  await queue?.stop()
  await app?.close()
})

const start = async () => {
  const { databaseUrl, sessionSecret } = app.ctx.config
  server = startProcess('site-process.ts', ['jobs'], {
    env: { ...process.env, NODE_ENV: 'test', DATABASE_URL: databaseUrl, DATA_DIR: app.dataDir, SESSION_SECRET: sessionSecret },
  })
  await server.waitFor('ready')
}

/** Kills the server when it tries to lock these rows, in the middle of a transaction, which rolls back. */
const killAt = (rows: RawBuilder<unknown>) =>
  app.db.transaction().execute(async (tx) => {
    await sql`select from ${rows} for update`.execute(tx)
    await queue.enqueue('own-data.sweep', {})
    const waiting = sql<{ pid: number }>`select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
    await expect.poll(async () => (await waiting.execute(tx)).rows, { timeout: 20_000 }).toHaveLength(1)
    await server?.end('SIGKILL')
    // Ends the database session too, which would otherwise notice the kill only when it sends a response.
    await sql`select pg_terminate_backend(pid) from (${waiting}) as those`.execute(tx)
  })

const isThere = async () =>
  (await app.db.selectFrom('users').select('id').where('id', '=', person.user.id).executeTakeFirst()) !== undefined

test('erases an account completely even if the server is killed twice in the process', { timeout: 300_000 }, async () => {
  const { id } = person.user
  const given = { password: person.password, confirmation: deletionPhrase }
  expect((await app.request('POST', '/api/user/deletion', person, given)).statusCode).toBe(200)
  await app.runJobs()
  const lately = new Date(Date.now() - 2 * 86_400_000)
  await app.db.updateTable('users').set({ leaves_at: lately }).where('id', '=', id).execute()
  await app.db.updateTable('account_deletions').set({ reminded_at: lately }).where('user_id', '=', id).execute()

  await start()
  await queue.enqueue('own-data.mail', { userId: id, about: 'export-ready' }, { startAfterSeconds: 3600 })
  for (const [wanted, goneBefore, thereStill] of [
    // Messages are deleted after all public content.
    [sql`conversations where person_id = ${id}::uuid or other_id = ${id}::uuid`, 'posts.author_id', 'conversation_sides.user_id'],
    // At this point the files are deleted, but not their rows.
    [sql`media where owner_id = ${id}::uuid`, 'conversation_sides.user_id', 'media.owner_id'],
  ] as const) {
    await killAt(wanted)
    const places = await placesOf(app.db, [id])
    expect(places).not.toHaveProperty([goneBefore])
    expect(places).toHaveProperty([thereStill])
    expect(await findWrongCounters(app.db)).toEqual([])
    await start()
  }
  await queue.enqueue('own-data.sweep', {})
  await expect.poll(isThere, { timeout: 100_000 }).toBe(false)

  // The search index is updated within a second or two, but jobs of a killed server are taken over only after a minute.
  const left = () => placesOf(app.db, [canary, id, person.email])
  await expect
    .poll(left, { timeout: 100_000 })
    .toEqual({ 'audit_log.actor_id': expect.any(Number), 'audit_log.subject_id': expect.any(Number) })
  const inFiles = filesWith(app.dataDir, [canary, id, ...life.media])
  expect(inFiles.filter((file) => !life.shownByBusiness.some((id) => file.includes(id)))).toEqual([])
  expect(await findWrongCounters(app.db)).toEqual([])
  expect(await findAuditBreak(app.db)).toBeNull()
})
