import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { framesOf, partsOf, withManifest, writeFrames } from '../../tests/support/backups.ts'
import { createTestDatabase, type TestDatabase } from '../../tests/support/database.ts'
import { createEmptyDatabase } from '../../tests/support/empty-database.ts'
import { noteUses } from '../../tests/support/media-uses.ts'
import { addPeople } from '../../tests/support/people.ts'
import { createJobQueue } from '../adapters/jobs/pg-boss.ts'
import { createFolderStorage } from '../adapters/storage/folder.ts'
import { connect } from '../db/connect.ts'
import { migrate, migrationNames } from '../db/migrate.ts'
import { assertNotHalfRestored } from '../db/safety.ts'
import { errorLine } from '../error-line.ts'
import { recordAudit, verifyAudit } from '../features/audit/index.ts'
import { allFileKeys } from '../features/media/media-files.ts'
import { newId } from '../kernel/ids.ts'
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

/** Restores into a database of its own, and answers a connection to it. */
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
  // A circle of references: a person's picture, and the picture's owner.
  await database.db.updateTable('users').set({ image_id: pictureId }).where('id', '=', ann).execute()
  await noteUses(database.db, 'person', ann)
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

it('a living site is restored as it was at one moment, with nothing half', async () => {
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
  // Of a transaction that was half in it, the log's end or its last row would be missing.
  const audit = await verifyAudit(copy.db, null)
  expect(audit.found).toBeNull()
  expect(audit.rows).toBeGreaterThanOrEqual(atLeast)
  expect(audit.rows).toBeLessThanOrEqual(atLeast + during)
  expect(audit.rows).toBe(manifest.tables.find((table) => table.name === 'audit_log')?.rows)

  // Everything is there: circles, odd letters, waiting jobs, files, references and indexes.
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
  await expect(assertNotHalfRestored(copy.db)).resolves.toBeUndefined()
})

it('an older backup is brought up to date, with its rows', async () => {
  const last = migrationNames().at(-1) as string
  const older = await createEmptyDatabase()
  drops.push(older.drop)
  await migrate(older.url, undefined, migrationNames().slice(0, -1))
  const backup = place('older.backup')
  await takeBackup(backup, { ...source(), databaseUrl: older.url, storage: createFolderStorage(place('none')) })
  expect((await restored(backup)).migrated).toEqual([last])
})

it('files that are removed meanwhile are told from those that are lost', async () => {
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

describe('what is not a whole backup of ours is refused by name', () => {
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

  it('cut off anywhere', async () => {
    const { length } = fs.readFileSync(file)
    for (const part of [0.1, 0.5, 0.9, 1 - 1 / length]) {
      await expect(checkBackup(change((whole) => whole.subarray(0, Math.floor(length * part))))).rejects.toThrow(/cut off|no backup/)
    }
  })

  it('one bit that fell over, anywhere', async () => {
    const { length } = fs.readFileSync(file)
    for (let at = 16; at < length; at += Math.ceil(length / 25)) {
      const changed = change((whole) => {
        whole[at] = (whole[at] as number) ^ 4
        return whole
      })
      await expect(checkBackup(changed), `byte ${at}`).rejects.toThrow(/damaged|cut off|newer|not known/)
      fs.rmSync(changed)
    }
  })

  it('in one plain sentence, wherever its tail was changed', { timeout: 60_000 }, async () => {
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
      // Still JSON where it falls into a name, and a manifest no more.
      changes.push((whole) => whole.fill((whole[at] as number) ^ 1, at, at + 1))
    }
    const altered = changes.map((each) => change(each))
    const { tables: _tables, ...untold } = JSON.parse(frames.at(-2)?.content.toString() ?? '') as { tables: unknown }
    altered.push(rebuilt(withManifest(frames, () => untold)))
    for (const changed of altered) {
      const line = errorLine(await checkBackup(changed).catch((error: unknown) => error))
      expect(line).toMatch(/^The (backup is (damaged: [\w ,'-]+|cut off: its end is missing)|format \d+ of this backup is not known)\.$/)
      fs.rmSync(changed)
    }
  })

  it('a part that is missing, in another place, or of another backup', async () => {
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
    await expect(checkBackup(rebuilt(swapped))).rejects.toThrow('is not in its place')
    const other = place(`other-${newId()}.backup`)
    await addPeople(database.db, 1)
    await takeBackup(other, source())
    const strange = partsOf(framesOf(other).frames).get('users') ?? []
    const mixed = frames.flatMap((frame) => (of('users').includes(frame) ? (frame === of('users')[0] ? strange : []) : [frame]))
    await expect(checkBackup(rebuilt(mixed))).rejects.toThrow('users is not what was written')
    const picture = [...parts.keys()].find((name) => name.startsWith('files/')) as string
    await expect(checkBackup(rebuilt(without(picture)))).rejects.toThrow(/holds 5 .* instead of 6/)
    await expect(checkBackup(change((whole) => Buffer.concat([whole, Buffer.from('x')])))).rejects.toThrow('something follows its end')
  })

  it('of another format, a newer release, or nothing of the kind', async () => {
    const { frames } = framesOf(file)
    await expect(checkBackup(rebuilt(frames, 'sungrove-backup 2\n'))).rejects.toThrow(/A newer release made this backup/)
    await expect(checkBackup(rebuilt(frames, 'sungrove-backup 0\n'))).rejects.toThrow('The format 0 of this backup is not known.')
    await expect(checkBackup(place('nowhere.backup'))).rejects.toThrow(/^There is no file .*nowhere\.backup\.$/)
    await expect(checkBackup(change(() => Buffer.from('PGDMP and so on, and so forth')))).rejects.toThrow('no backup of this application')
    const newer = withManifest(frames, ({ migrations, ...manifest }) => ({
      ...manifest,
      migrations: [...migrations, '20990101T0000-do-more'],
    }))
    await expect(checkBackup(rebuilt(newer))).rejects.toThrow('20990101T0000-do-more is not known here')
  })

  it('with a row too many in a table that says otherwise', async () => {
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
    await expect(restoreBackup(backup, manifest, parts)).rejects.toThrow('users is not what was backed up')
    // No server starts on what was found to be wrong.
    const opened = connect(target.url, settings, log)
    await expect(assertNotHalfRestored(opened.db)).rejects.toThrow('did not end')
    await opened.close()
  })
})

it('a database that holds something is left as it is', async () => {
  const { manifest } = await checkBackup(file)
  const before = await database.db.selectFrom('users').select('id').orderBy('id').execute()
  await expect(restoreBackup(file, manifest, { databaseUrl: database.url, storage, log })).rejects.toThrow('not empty')
  expect(await database.db.selectFrom('users').select('id').orderBy('id').execute()).toEqual(before)
})

it('only the secrets that it was made with open it', async () => {
  const { manifest } = await checkBackup(file)
  const same = { sessionSecret: secrets.sessionSecret, vapid: secrets.vapid }
  expect(() => requireSameSecrets(manifest, same)).not.toThrow()
  expect(() => requireSameSecrets(manifest, { ...same, vapid: null })).not.toThrow()
  expect(() => requireSameSecrets(manifest, { ...same, sessionSecret: 'another one' })).toThrow('another SESSION_SECRET')
  expect(() => requireSameSecrets(manifest, { ...same, vapid: { ...secrets.vapid, privateKey: 'other' } })).toThrow('other VAPID keys')
  expect(() => requireSameSecrets(manifest, { sessionSecret: null, vapid: null })).toThrow('There is no SESSION_SECRET here')
  expect(fs.readFileSync(file).includes(secrets.sessionSecret)).toBe(false)
  await takeBackup(place('with-secrets.backup'), source(), { withSecrets: true })
  expect((await checkBackup(place('with-secrets.backup'))).secrets).toEqual(secrets)
})

it('a file that exists is not overwritten, and nobody else may read one', async () => {
  await expect(takeBackup(file, source())).rejects.toThrow('exists already')
  expect(fs.statSync(file).mode & 0o077).toBe(0)
  expect(fs.readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
})
