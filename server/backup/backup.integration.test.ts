import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJobQueue } from '#server/adapters/jobs/pg-boss.ts'
import { createFolderStorage } from '#server/adapters/storage/index.ts'
import { connect } from '#server/db/connect.ts'
import { assertRestoreComplete, migrate, migrationNames } from '#server/db/migrate.ts'
import { errorLine } from '#server/error-line.ts'
import { recordAudit, verifyAudit } from '#server/features/audit/index.ts'
import { allFileKeys } from '#server/features/media/media-files.ts'
import { newId } from '#server/kernel/ids.ts'
import { framesOf, partsOf, withManifest, writeFrames } from '#tests/support/backups.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createEmptyDatabase } from '#tests/support/empty-database.ts'
import { recordMediaUses } from '#tests/support/media-uses.ts'
import { addPeople } from '#tests/support/people.ts'
import { frameHeadBytes } from './format.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'
import { requireSameSecrets, type Secrets } from './secrets.ts'
import { takeBackup } from './take-backup.ts'

const log = pino({ level: 'silent' })
const secrets: Secrets = {
  sessionSecret: 'a secret for tests that is long enough',
  vapid: { publicKey: 'p'.repeat(87), privateKey: 'k'.repeat(43) },
}
const settings = { databasePoolSize: 4, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }

let folder: string
let database: TestDatabase
let storage: ReturnType<typeof createFolderStorage>
let pictureId: string
let file: string
const drops: (() => Promise<void>)[] = []

const source = () => ({ databaseUrl: database.url, storage, secrets, release: '0.0.0' })
const place = (name: string) => path.join(folder, name)

async function addPicture(ownerId: string): Promise<string> {
  const id = newId()
  const pictures = allFileKeys(id).filter((key) => /(avif|webp)$/.test(key))
  for (const key of pictures) await storage.put(key, Buffer.from(`the bytes of ${key}`), 'image/webp')
  await database.db
    .insertInto('media')
    .values({
      id,
      owner_id: ownerId,
      kind: 'image',
      status: 'ready',
      byte_size: 10,
      width: 3,
      height: 2,
      alt: 'A tab\there, a line\nand a \\',
    })
    .execute()
  return id
}

async function restored(backup: string) {
  const target = await createEmptyDatabase()
  const { manifest } = await checkBackup(backup)
  const files = createFolderStorage(place(`restored-${newId()}`))
  const result = await restoreBackup(backup, manifest, { databaseUrl: target.url, storage: files, log })
  const opened = connect(target.url, settings, log)
  drops.push(async () => {
    await opened.close()
    await target.drop()
  })
  return { ...result, manifest, files, db: opened.db }
}

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-backup-'))
  database = await createTestDatabase()
  storage = createFolderStorage(place('media'))
  const [ann = ''] = await addPeople(database.db, 3)
  pictureId = await addPicture(ann)
  // A circular reference: a person's picture, and the picture's owner.
  await database.db.updateTable('users').set({ image_id: pictureId }).where('id', '=', ann).execute()
  await recordMediaUses(database.db, 'person', ann)
  const queue = createJobQueue({ connectionString: database.url, log })
  await queue.enqueue('media.process', { mediaId: pictureId }, { startAfterSeconds: 3600 })
  await queue.stop()
  file = place('whole.backup')
  await takeBackup(file, source())
})

afterAll(async () => {
  for (const drop of drops) await drop()
  await database.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

it('restores a live site consistently, as of one moment', async () => {
  let isOver = false
  let written = 0
  const write = async () => {
    while (!isOver) {
      const entry = { at: new Date(), actorId: null, action: 'test.written', subjectType: 'test', subjectId: newId() } as const
      await database.db.transaction().execute((tx) => recordAudit(tx, entry))
      written++
    }
  }
  const writers = [write(), write(), write()]
  await expect.poll(() => written, { interval: 5 }).toBeGreaterThan(20)
  const atLeast = written
  const live = place('live.backup')
  const { manifest } = await takeBackup(live, source())
  const during = written - atLeast
  isOver = true
  await Promise.all(writers)

  const copy = await restored(live)
  expect(copy.tables.every((table) => table.isSame)).toBe(true)
  expect(during).toBeGreaterThan(0)
  // If a backup contained only part of a transaction, the audit chain would be broken.
  const audit = await verifyAudit(copy.db, null)
  expect(audit.found).toBeNull()
  expect(audit.rows).toBeGreaterThanOrEqual(atLeast)
  expect(audit.rows).toBeLessThanOrEqual(atLeast + during)
  expect(audit.rows).toBe(manifest.tables.find((table) => table.name === 'audit_log')?.rows)

  // Checks circular references, unusual characters, waiting jobs, files, references and indexes.
  expect(copy.migrated).toEqual([])
  const owner = await copy.db.selectFrom('users').select(['id', 'image_id']).where('image_id', '=', pictureId).executeTakeFirstOrThrow()
  const media = await copy.db.selectFrom('media').selectAll().where('id', '=', pictureId).executeTakeFirstOrThrow()
  expect(media).toMatchObject({ owner_id: owner.id, alt: 'A tab\there, a line\nand a \\' })
  for (const key of allFileKeys(pictureId).filter((each) => /(avif|webp)$/.test(each))) {
    const stored = await copy.files.get(key)
    expect(stored && 'body' in stored && Buffer.concat(await stored.body.toArray()).toString()).toBe(`the bytes of ${key}`)
  }
  const { rows: jobs } = await sql<{ name: string; data: object }>`select name, data from pgboss.job where name = 'media.process'`.execute(
    copy.db,
  )
  expect(jobs).toEqual([{ name: 'media.process', data: { mediaId: pictureId } }])

  const shape = sql<{ line: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid <> 0
    union all select indexdef from pg_indexes where schemaname = 'public' order by 1`
  const [ours, theirs] = [await shape.execute(copy.db), await shape.execute(database.db)]
  expect(ours.rows).toEqual(theirs.rows)
  await expect(copy.db.deleteFrom('users').where('id', '=', newId()).execute()).resolves.toBeDefined()
  await expect(assertRestoreComplete(copy.db)).resolves.toBeUndefined()
})

it('migrates an older backup along with its rows', async () => {
  const last = migrationNames().at(-1) as string
  const older = await createEmptyDatabase()
  drops.push(older.drop)
  await migrate(older.url, undefined, migrationNames().slice(0, -1))
  const backup = place('older.backup')
  await takeBackup(backup, { ...source(), databaseUrl: older.url, storage: createFolderStorage(place('none')) })
  expect((await restored(backup)).migrated).toEqual([last])
})

it('distinguishes files deleted during the backup from lost ones', async () => {
  const [ben = ''] = await addPeople(database.db, 1)
  const [removed, lost] = [await addPicture(ben), await addPicture(ben)]
  const key = (id: string) => `media/${id}/small.webp`
  await storage.delete([key(removed), key(lost)])
  const get: typeof storage.get = async (...args) => {
    await database.db.deleteFrom('media').where('id', '=', removed).execute()
    return storage.get(...args)
  }
  const slow = { ...storage, get }
  const { manifest } = await takeBackup(place('gone.backup'), { ...source(), storage: slow })
  expect(manifest.files).toMatchObject({ removedMeanwhile: 1, missing: 1 })
  await database.db.deleteFrom('media').where('id', 'in', [removed, lost]).execute()
})

describe('an invalid backup', () => {
  const change = (bytes: (whole: Buffer) => Buffer) => {
    const changed = place(`changed-${newId()}.backup`)
    fs.writeFileSync(changed, bytes(fs.readFileSync(file)))
    return changed
  }
  const rebuilt = (frames: ReturnType<typeof framesOf>['frames'], line = framesOf(file).line) => {
    const changed = place(`rebuilt-${newId()}.backup`)
    writeFrames(changed, line, frames)
    return changed
  }

  it('fails if cut off anywhere', async () => {
    const { length } = fs.readFileSync(file)
    for (const part of [0.1, 0.5, 0.9, 1 - 1 / length]) {
      await expect(checkBackup(change((whole) => whole.subarray(0, Math.floor(length * part))))).rejects.toThrow(/cut off|not a backup/)
    }
  })

  it('fails if a bit is flipped anywhere', async () => {
    const { length } = fs.readFileSync(file)
    for (let at = 16; at < length; at += Math.ceil(length / 25)) {
      const changed = change((whole) => {
        whole[at] = (whole[at] as number) ^ 4
        return whole
      })
      await expect(checkBackup(changed), `byte ${at}`).rejects.toThrow(/damaged|cut off|newer|unknown format/)
      fs.rmSync(changed)
    }
  })

  it('fails with a one-sentence message wherever its end was changed', { timeout: 60_000 }, async () => {
    const { frames } = framesOf(file)
    const tail = frames.slice(-2).reduce((sum, { content }) => sum + content.length + frameHeadBytes, 0)
    const { length } = fs.readFileSync(file)
    const changes: ((whole: Buffer) => Buffer)[] = [
      (whole) => whole.fill(0, length - tail),
      (whole) => whole.fill(0, length - tail + frameHeadBytes),
      (whole) => whole.fill('x', length - tail + frameHeadBytes, length - Math.floor(tail / 2)),
    ]
    for (let step = 0; step < 20; step++) {
      const at = length - 1 - Math.floor((tail * step) / 20)
      changes.push((whole) => whole.subarray(0, at))
      // Flipping a bit in a name leaves valid JSON, but not a valid manifest.
      changes.push((whole) => whole.fill((whole[at] as number) ^ 1, at, at + 1))
    }
    const altered = changes.map((each) => change(each))
    const { tables: _tables, ...untold } = JSON.parse(frames.at(-2)?.content.toString() ?? '') as { tables: unknown }
    altered.push(rebuilt(withManifest(frames, () => untold)))
    for (const changed of altered) {
      const line = errorLine(await checkBackup(changed).catch((error: unknown) => error))
      expect(line).toMatch(
        // The message may include a part's name with a flipped bit.
        /^(?:The backup is (?:damaged: [ -~]+|cut off: its end is missing)|This backup has the unknown format \d+)\.$/,
      )
      fs.rmSync(changed)
    }
  })

  it('fails if a part is missing, moved, or from another backup', async () => {
    const { frames } = framesOf(file)
    const parts = partsOf(frames)
    const of = (name: string) => parts.get(name) ?? []
    const without = (name: string) => frames.filter((frame) => !of(name).includes(frame))
    await expect(checkBackup(rebuilt(without('users')))).rejects.toThrow('users is missing')
    const swapped = frames.flatMap((frame) => {
      if (frame === of('users')[0]) return of('user_mutes').length > 0 ? of('user_mutes') : of('posts')
      if (frame === of('posts')[0]) return of('users')
      return of('users').includes(frame) || of('posts').includes(frame) ? [] : [frame]
    })
    await expect(checkBackup(rebuilt(swapped))).rejects.toThrow('is out of order')
    const other = place(`other-${newId()}.backup`)
    await addPeople(database.db, 1)
    await takeBackup(other, source())
    const strange = partsOf(framesOf(other).frames).get('users') ?? []
    const mixed = frames.flatMap((frame) => (of('users').includes(frame) ? (frame === of('users')[0] ? strange : []) : [frame]))
    await expect(checkBackup(rebuilt(mixed))).rejects.toThrow('users was altered')
    const picture = [...parts.keys()].find((name) => name.startsWith('files/')) as string
    await expect(checkBackup(rebuilt(without(picture)))).rejects.toThrow(/contains 5 .* instead of 6/)
    await expect(checkBackup(change((whole) => Buffer.concat([whole, Buffer.from('x')])))).rejects.toThrow('it has data after its end')
  })

  it('fails if it has another format, is from a newer release, or is another kind of file', async () => {
    const { frames } = framesOf(file)
    await expect(checkBackup(rebuilt(frames, 'sungrove-backup 2\n'))).rejects.toThrow(/A newer release made this backup/)
    await expect(checkBackup(rebuilt(frames, 'sungrove-backup 0\n'))).rejects.toThrow('This backup has the unknown format 0.')
    await expect(checkBackup(place('nowhere.backup'))).rejects.toThrow(/^File not found: .*nowhere\.backup\.$/)
    await expect(checkBackup(change(() => Buffer.from('PGDMP and so on, and so forth')))).rejects.toThrow(
      'not a backup of this application',
    )
    const newer = withManifest(frames, ({ migrations, ...manifest }) => ({
      ...manifest,
      migrations: [...migrations, '20990101T0000-do-more'],
    }))
    await expect(checkBackup(rebuilt(newer))).rejects.toThrow('this release has no 20990101T0000-do-more')
  })

  it('fails if a table has fewer rows than declared', async () => {
    const { frames } = framesOf(file)
    const wrong = withManifest(frames, (manifest) => ({
      ...manifest,
      tables: manifest.tables.map((table) => (table.name === 'users' ? { ...table, rows: 99 } : table)),
    }))
    const backup = rebuilt(wrong)
    const target = await createEmptyDatabase()
    drops.push(target.drop)
    const { manifest } = await checkBackup(backup)
    const parts = { databaseUrl: target.url, storage: createFolderStorage(place('wrong')), log }
    await expect(restoreBackup(backup, manifest, parts)).rejects.toThrow('users differs from the backup')
    // No server starts on a database whose restore failed.
    const opened = connect(target.url, settings, log)
    await expect(assertRestoreComplete(opened.db)).rejects.toThrow('did not finish')
    await opened.close()
  })
})

it('does not touch a database with data', async () => {
  const { manifest } = await checkBackup(file)
  const before = await database.db.selectFrom('users').select('id').orderBy('id').execute()
  await expect(restoreBackup(file, manifest, { databaseUrl: database.url, storage, log })).rejects.toThrow('not empty')
  expect(await database.db.selectFrom('users').select('id').orderBy('id').execute()).toEqual(before)
})

it('requires the secrets it was made with, and contains them only on request', async () => {
  const { manifest } = await checkBackup(file)
  const same = { sessionSecret: secrets.sessionSecret, vapid: secrets.vapid }
  expect(() => requireSameSecrets(manifest, same)).not.toThrow()
  expect(() => requireSameSecrets(manifest, { ...same, vapid: null })).toThrow('No VAPID keys are set here')
  const different = () => requireSameSecrets(manifest, { ...same, sessionSecret: 'another one' })
  expect(different).toThrow('a different SESSION_SECRET')
  for (const lost of ['second factors', 'payment accounts', 'menu addresses', 'webhooks']) expect(different).toThrow(lost)
  expect(() => requireSameSecrets(manifest, { ...same, vapid: { ...secrets.vapid, privateKey: 'other' } })).toThrow('different VAPID keys')
  expect(() => requireSameSecrets(manifest, { sessionSecret: null, vapid: null })).toThrow('No SESSION_SECRET is set here')
  expect(fs.readFileSync(file).includes(secrets.sessionSecret)).toBe(false)
  await takeBackup(place('with-secrets.backup'), source(), { withSecrets: true })
  expect((await checkBackup(place('with-secrets.backup'))).secrets).toEqual(secrets)
})

it('does not overwrite a file, and makes backups readable only by their owner', async () => {
  await expect(takeBackup(file, source())).rejects.toThrow('already exists')
  expect(fs.statSync(file).mode & 0o077).toBe(0)
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
