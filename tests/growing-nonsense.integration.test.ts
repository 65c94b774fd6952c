import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { huntMatrix } from './support/hunt-matrix.ts'
import { addHuntWorld, type HuntWorld } from './support/hunt-world.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/**
 * Makes every write of the growing API with one nonsensical field at a time, and with IDs of another grower's hunt. No response may be an
 * internal error, and no hunt may refer to another hunt's data.
 */

let t: TestApp
let owner: TestPerson
let world: HuntWorld
let foreign: HuntWorld

beforeAll(async () => {
  t = await startTestApp()
  const [viewer, writer, stranger] = [await t.signUp(), await t.signUp(), await t.signUp()]
  owner = await t.signUp()
  world = await addHuntWorld(t.db, 'ours', { owner: owner.user.id, viewer: viewer.user.id, writer: writer.user.id })
  foreign = await addHuntWorld(t.db, 'theirs', { owner: stranger.user.id, viewer: viewer.user.id, writer: writer.user.id })
})
afterAll(() => t?.close())

type Json = Record<string, unknown>
type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; oneOf?: Schema[] }

const texts = ['\0', '\u202Egnp', '\u200B', '\uD800', '=1+1', 'x'.repeat(20_000), '0000-01-01', '0001-01-01', '9999-12-31', '275760-09-13']
const times = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z', '2026-02-30T00:00:00Z']
const numbers = [-0, -1, 0.5, 2 ** 31, 2 ** 53, 1e308, -1e308]
const others = [null, true, [], {}, Array(1500).fill(0)]

/** Nonsensical values for a field of this type. */
const nonsenseFor = (type: string | undefined): unknown[] => {
  if (type === 'string') return [...texts, ...times, null, ...Object.values(foreign.ids), ...foreign.media]
  return type === 'number' || type === 'integer' ? [...numbers, null, '1'] : others
}

type Place = { path: (string | number)[]; type: string | undefined }

/** Every path that a body's schema names; in lists, only those in the first item. */
function placesIn(schema: Schema, path: Place['path'] = []): Place[] {
  const either = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => placesIn(part, path))
  const own = path.length > 0 && schema.type !== 'null' && either.length === 0 ? [{ path, type: schema.type }] : []
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, part]) => placesIn(part, [...path, name]))
  const rows = schema.items ? placesIn(schema.items, [...path, 0]) : []
  return [...own, ...inside, ...rows, ...either]
}

function withPart(body: Json, path: readonly (string | number)[], value: unknown): Json {
  const changed = structuredClone(body)
  let at: Record<string | number, unknown> = changed
  for (const key of path.slice(0, -1)) {
    if (typeof at[key] !== 'object' || at[key] === null) return changed
    at = at[key] as Record<string | number, unknown>
  }
  at[path.at(-1) as string] = value
  return changed
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`
const addressOf = ({ path }: Endpoint) =>
  path
    .replace(':id', path.startsWith('/api/pheno-hunts/') ? world.hunt : (world.ids[path.split('/')[2] as string] ?? world.hunt))
    .replace(':personId', world.person)
    .replace(':stage', 'flower')
    .replace(':measure', 'vpdKpa')

/** Excludes imports of hunts and readings, calls with the token of a tester's card, and calls without a body, such as deletions. */
const writes = endpoints.filter(
  (each) => each.body && nameOf(each) in huntMatrix && !each.path.includes('import') && !each.path.includes(':token'),
)

test.each(writes.map((each) => [nameOf(each), each] as const))(
  'responds to nonsense in the body of %s without a server error',
  async (name, endpoint) => {
    const schema = z.toJSONSchema(endpoint.body as z.ZodMiniType, { io: 'input', unrepresentable: 'any' }) as Schema
    const body = (huntMatrix[name]?.body?.(world) ?? {}) as Json
    const wrong: string[] = []
    for (const { path, type } of placesIn(schema)) {
      for (const value of nonsenseFor(type)) {
        const sent = withPart(body, path, value)
        const answer = await t.request(endpoint.method, addressOf(endpoint), owner, sent)
        if (answer.statusCode >= 500) wrong.push(`${path.join('.')} = ${JSON.stringify(value)?.slice(0, 60)}: ${answer.statusCode}`)
      }
    }
    expect(wrong).toEqual([])
  },
  60_000,
)

const reads = endpoints.filter((each) => each.method === 'GET' && each.query && nameOf(each) in huntMatrix && !each.path.includes(':token'))

test.each(reads.map((each) => [nameOf(each), each] as const))(
  'responds to nonsense in the query of %s without a server error',
  async (_name, endpoint) => {
    const schema = z.toJSONSchema(endpoint.query as z.ZodMiniType, { io: 'input', unrepresentable: 'any' }) as Schema
    const wrong: string[] = []
    for (const name of Object.keys(schema.properties ?? {})) {
      const cursors = [[], ['0001-01-01T00:00:00.000Z', foreign.hunt], [1e300], [-1.5], ['x'], [null]].map((key) =>
        btoa(JSON.stringify(key)),
      )
      for (const value of [
        ...texts.slice(0, 5),
        ...texts.slice(6),
        ...times,
        ...numbers,
        ...cursors,
        foreign.hunt,
        ...Object.values(foreign.ids),
      ]) {
        // Can't be encoded in a URL.
        if (value === '\uD800') continue
        const query = new URLSearchParams({ ...(endpoint.path === '/api/grow-logs' ? { huntId: world.hunt } : {}), [name]: String(value) })
        const answer = await t.request('GET', `${addressOf(endpoint)}?${query}`, owner)
        if (answer.statusCode >= 500) wrong.push(`${query}: ${answer.statusCode}`)
      }
    }
    expect(wrong).toEqual([])
  },
  60_000,
)

test('never links one hunt’s data to another’s', async () => {
  const inside: [table: string, column: string, target: string][] = [
    ['genotypes', 'seed_lot_id', 'seed_lots'],
    ['seed_lots', 'mother_genotype_id', 'genotypes'],
    ['seed_lots', 'father_genotype_id', 'genotypes'],
    ['plants', 'genotype_id', 'genotypes'],
    ['plants', 'cut_from_id', 'plants'],
    ['plants', 'ended_by_decision_id', 'decisions'],
    ['decisions', 'genotype_id', 'genotypes'],
    ['runs', 'check_genotype_id', 'genotypes'],
    ['observations', 'trait_id', 'traits'],
    ['observations', 'plant_id', 'plants'],
    ['observations', 'run_id', 'runs'],
    ['observations', 'corrects_id', 'observations'],
    ['grow_logs', 'plant_id', 'plants'],
    ['harvests', 'plant_id', 'plants'],
    ['harvests', 'run_id', 'runs'],
    ['lab_results', 'plant_id', 'plants'],
    ['hunt_tasks', 'genotype_id', 'genotypes'],
    ['hunt_events', 'genotype_id', 'genotypes'],
    ['hunt_events', 'plant_id', 'plants'],
    ['climate_imports', 'sensor_id', 'climate_sensors'],
    ['awaited_photos', 'log_id', 'grow_logs'],
    ['awaited_photos', 'trait_id', 'traits'],
    ['awaited_photos', 'plant_id', 'plants'],
    ['awaited_photos', 'run_id', 'runs'],
  ]
  for (const [table, column, target] of inside) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} as own join ${sql.table(target)} as other on other.id = own.${sql.ref(column)}
      where other.hunt_id <> own.hunt_id`.execute(t.db)
    expect(rows.length, `${table}.${column}`).toBe(0)
  }
  const between: [table: string, through: [string, string], to: [string, string]][] = [
    ['placements', ['run_id', 'runs'], ['plant_id', 'plants']],
    ['panel_traits', ['panel_id', 'blind_panels'], ['trait_id', 'traits']],
    ['panel_jars', ['panel_id', 'blind_panels'], ['plant_id', 'plants']],
  ]
  for (const [table, [from, own], [to, target]] of between) {
    const { rows } = await sql`
      select 1 from ${sql.table(table)} as row join ${sql.table(own)} as own on own.id = row.${sql.ref(from)}
        join ${sql.table(target)} as other on other.id = row.${sql.ref(to)}
      where other.hunt_id <> own.hunt_id`.execute(t.db)
    expect(rows.length, table).toBe(0)
  }
})
