import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { recordMediaUses } from './media-uses.ts'

/** One ID of each kind of entity in a hunt, by its API collection. */
export type HuntWorld = {
  hunt: string
  /** Values of `:id` in `/api/<collection>/:id`. */
  ids: Record<string, string>
  media: string[]
  plantCode: string
  /** A person with a share. */
  person: string
}

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const newCode = () => Array.from({ length: 8 }, () => letters[Math.floor(Math.random() * letters.length)]).join('')

const said = (notes: string) => ({
  ...{ plantId: null, loggedOn: '2026-11-01', week: null, stage: null, heightCm: 41, rating: null, notes },
  ...{ airCelsius: null, leafCelsius: null, humidityPercent: null, co2Ppm: null, ppfd: null, ecIn: null, ecOut: null },
  ...{ phIn: null, phOut: null, feed: '', pestControl: '', training: '', mediaIds: [] },
})

/** The same collections with IDs that don't exist, except the person's. */
export const nowhere = (world: HuntWorld): HuntWorld => ({
  hunt: newId(),
  ids: Object.fromEntries(Object.keys(world.ids).map((collection) => [collection, newId()])),
  media: world.media.map(() => newId()),
  plantCode: newCode(),
  person: world.person,
})

/**
 * A private hunt with at least one entity of each kind, and with `canary` in every free-text field. Inserted directly into the tables, so a
 * kind can be covered before its calls exist.
 */
export async function addHuntWorld(db: Db, canary: string, people: { owner: string; viewer: string; writer: string }): Promise<HuntWorld> {
  const { owner, viewer, writer } = people
  const hunt_id = newId()
  const ids = Object.fromEntries(
    [
      ...['seed-lots', 'genotypes', 'plants', 'decisions', 'runs', 'grow-tasks', 'grow-logs', 'hunt-comments'],
      ...['climate-imports', 'sensor-keys', 'traits', 'observations', 'harvests', 'lab-results', 'blind-panels', 'awaited-photos'],
    ].map((collection) => [collection, newId()]),
  )
  const id = (collection: string) => ids[collection] as string
  const media = [newId(), newId()]
  const plantCode = newCode()
  const day = '2026-11-01'

  await db
    .insertInto('hunts')
    .values({
      id: hunt_id,
      owner_id: owner,
      hunt_name: canary,
      breeders: [canary],
      seed_count: 1,
      next_number: 2,
      search_text: canary,
      comments_count: 1,
    })
    .execute()
  const share = { hunt_id, created_at: new Date() }
  await db
    .insertInto('hunt_shares')
    .values([
      { ...share, user_id: viewer, access: 'view' },
      { ...share, user_id: writer, access: 'write' },
    ])
    .execute()
  await db
    .insertInto('hunt_comments')
    .values({ id: id('hunt-comments'), hunt_id, author_id: owner, content: canary })
    .execute()
  await db
    .insertInto('seed_lots')
    .values({ id: id('seed-lots'), hunt_id })
    .execute()
  const genotype_id = id('genotypes')
  await db
    .insertInto('genotypes')
    .values({ id: genotype_id, hunt_id, seed_lot_id: id('seed-lots'), number: 1, standing: 'keep' })
    .execute()
  const plant_id = id('plants')
  await db.insertInto('plants').values({ id: plant_id, hunt_id, genotype_id, kind: 'seed', copy: 0, code: plantCode }).execute()
  await db
    .insertInto('decisions')
    .values({ id: id('decisions'), hunt_id, genotype_id, kind: 'keep', decided_by: owner, decided_on: day, known: JSON.stringify(known) })
    .execute()
  const run_id = id('runs')
  await db.insertInto('runs').values({ id: run_id, hunt_id, name: canary }).execute()
  await db.insertInto('placements').values({ run_id, plant_id }).execute()
  const event = { hunt_id, happened_on: day, recorded_by: owner, detail: '{}' }
  await db
    .insertInto('hunt_events')
    .values([
      { ...event, id: newId(), kind: 'hunt.created' },
      { ...event, id: newId(), kind: 'log.written', genotype_id, plant_id, subject_id: id('grow-logs') },
    ])
    .execute()
  await db
    .insertInto('hunt_tasks')
    .values({ id: id('grow-tasks'), hunt_id, genotype_id, title: canary, due_on: day })
    .execute()

  for (const each of media) {
    const picture = { id: each, owner_id: owner, kind: 'image' as const, status: 'ready' as const, byte_size: 10, received_bytes: 10 }
    await db
      .insertInto('media')
      .values({ ...picture, width: 640, height: 480, widths: [480, 640, 640], alt: canary, placeholder: null })
      .execute()
  }
  const [logPhoto, traitPhoto] = media as [string, string]
  await db
    .insertInto('grow_logs')
    .values({
      id: id('grow-logs'),
      hunt_id,
      plant_id,
      logged_on: day,
      week: 3,
      stage: 'flower',
      height_cm: 40,
      rating: 7,
      version: 2,
      author_id: owner,
    })
    .execute()
  await db
    .insertInto('grow_log_photos')
    .values({ log_id: id('grow-logs'), position: 0, media_id: logPhoto })
    .execute()
  await recordMediaUses(db, 'log', id('grow-logs'))
  await db
    .insertInto('grow_log_versions')
    .values({ log_id: id('grow-logs'), version: 1, said: JSON.stringify(said(canary)) })
    .execute()
  const sensor_id = newId()
  await db.insertInto('climate_sensors').values({ id: sensor_id, hunt_id, name: canary }).execute()
  await db
    .insertInto('sensor_keys')
    .values({
      id: id('sensor-keys'),
      hunt_id,
      sensor_id,
      secret_hash: newId(),
      secret_end: 'abcd',
      created_by: owner,
      created_at: new Date(day),
    })
    .execute()
  const import_id = id('climate-imports')
  await db.insertInto('climate_imports').values({ id: import_id, hunt_id, sensor_id, file_name: canary, time_zone: 'UTC' }).execute()
  const reading = { air_celsius: 24, humidity_percent: 55, vpd_kpa: 1.2 }
  await db
    .insertInto('climate_readings')
    .values({ sensor_id, import_id, read_at: new Date(day), ...reading })
    .execute()
  await db.insertInto('climate_targets').values({ hunt_id, stage: 'flower', measure: 'vpdKpa', low: 1, high: 1.5 }).execute()
  const trait = { hunt_id, position: 0 }
  const photoTrait = newId()
  await db
    .insertInto('traits')
    .values([
      { ...trait, id: id('traits'), name: canary, kind: 'category', options: JSON.stringify([{ value: 0, label: canary }]) },
      { ...trait, id: photoTrait, name: canary, kind: 'photo' },
    ])
    .execute()
  const photoOf = newId()
  const observation = { hunt_id, plant_id, observed_on: day, observed_by: owner }
  await db
    .insertInto('observations')
    .values([
      { ...observation, id: id('observations'), trait_id: id('traits'), value_options: [0] },
      { ...observation, id: photoOf, trait_id: photoTrait, media_id: traitPhoto },
    ])
    .execute()
  await recordMediaUses(db, 'observation', photoOf)
  await db
    .insertInto('awaited_photos')
    .values({
      id: id('awaited-photos'),
      hunt_id,
      file: canary,
      trait_id: photoTrait,
      plant_id,
      observed_on: day,
      recorded_at: new Date(day),
    })
    .execute()
  await db
    .insertInto('harvests')
    .values({ id: id('harvests'), hunt_id, plant_id, harvested_on: day, dry_grams: 55 })
    .execute()
  await db
    .insertInto('lab_results')
    .values({ id: id('lab-results'), hunt_id, plant_id, tested_on: day, analyte: 'limonene', value: 1.2 })
    .execute()

  const panel_id = id('blind-panels')
  await db.insertInto('blind_panels').values({ id: panel_id, hunt_id, name: canary, created_by: owner, is_open: false }).execute()
  await db
    .insertInto('panel_traits')
    .values({ panel_id, trait_id: id('traits'), position: 0 })
    .execute()
  const jar_id = newId()
  await db.insertInto('panel_jars').values({ id: jar_id, panel_id, plant_id, jar_name: canary }).execute()
  const card_id = newId()
  await db
    .insertInto('panel_cards')
    .values({ id: card_id, jar_id, card_number: 1, token_hash: newId(), answered_at: new Date(day) })
    .execute()
  await db
    .insertInto('panel_scores')
    .values({ card_id, trait_id: id('traits'), value_options: [0] })
    .execute()
  await db
    .insertInto('hunt_proofs')
    .values({ id: newId(), hunt_id, made_by: owner, content_hash: 'a'.repeat(64), audit_sequence: 1, audit_hash: 'b'.repeat(64) })
    .execute()

  await writeEverywhere(db, canary)
  return { hunt: hunt_id, ids, media, plantCode, person: viewer }
}

const known = { livingCopies: 1, plants: 1, logs: 0, observations: 0, rank: null, rankedOf: null, chanceBest: null }

/** `hunts` and every table that refers to it, directly or indirectly, except those in `elsewhere`. */
export async function tablesOfHunts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ child: string; parent: string }>`
    select distinct conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint where contype = 'f'`.execute(
    db,
  )
  const found = new Set(['hunts'])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const { child, parent } of rows) if (found.has(parent) && !elsewhere.has(child)) found.add(child)
  }
  return [...found].sort()
}

/** Tables that refer to a hunt without being part of it. */
const elsewhere = new Set(['notifications', 'notification_actors', 'posts'])

/** Writes the canary into every text column that accepts it. The others contain enums, codes and the like. */
async function writeEverywhere(db: Db, canary: string): Promise<void> {
  for (const table of await tablesOfHunts(db)) {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and data_type = 'text'`.execute(db)
    for (const { name } of rows) {
      if (fixed.has(`${table}.${name}`)) continue
      await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${canary}`.execute(db).catch((error: { code?: string }) => {
        if (!['23514', '23505', '22001'].includes(error.code ?? '')) throw error
      })
    }
  }
}

/** Columns that code interprets and that no check constraint protects, so the canary isn't written to them. */
const fixed = new Set([
  'hunt_events.kind',
  'panel_cards.token_hash',
  'hunt_proofs.audit_hash',
  'climate_imports.time_zone',
  'traits.from_stage',
  'traits.to_stage',
])
