import { connect } from './server/db/connect.ts'
import { listBusinesses } from './server/features/businesses/list-businesses.ts'
import { mapBusinesses } from './server/features/businesses/map-businesses.ts'
const { db, close } = connect('postgres://app@127.0.0.1:5599/dir_big', { databasePoolSize: 4, statementTimeoutMs: 20000, lockTimeoutMs: 1000 }, console)
const base = { limit: 20, sort: 'highest_rated' as const }
const cases: [string, () => Promise<unknown>][] = [
  ['default', () => listBusinesses(db, base)],
  ['type dispensary', () => listBusinesses(db, { ...base, type: 'dispensary' })],
  ['type glass_shop (12)', () => listBusinesses(db, { ...base, type: 'glass_shop' })],
  ['state CO', () => listBusinesses(db, { ...base, state: 'CO' })],
  ['state WY + farm', () => listBusinesses(db, { ...base, state: 'WY', type: 'farm' })],
  ['verified', () => listBusinesses(db, { ...base, verified: true })],
  ['near Denver', () => listBusinesses(db, { ...base, near: 'Denver, CO' })],
  ['near New York', () => listBusinesses(db, { ...base, near: 'New York, NY' })],
  ['near Denver dist', () => listBusinesses(db, { ...base, near: 'Denver, CO', sort: 'distance' })],
  ['q Denver', () => listBusinesses(db, { ...base, q: 'Denver' })],
  ['q green leaf', () => listBusinesses(db, { ...base, q: 'green leaf' })],
  ['q 99123', () => listBusinesses(db, { ...base, q: 'house 991' })],
  ['q nothing', () => listBusinesses(db, { ...base, q: 'xyzzy' })],
  ['q ab (2 letters)', () => listBusinesses(db, { ...base, q: 'zq' })],
  ['q New York', () => listBusinesses(db, { ...base, q: 'New York' })],
  ['q Colorado', () => listBusinesses(db, { ...base, q: 'Colorado' })],
  ['name', () => listBusinesses(db, { ...base, sort: 'name' })],
  ['name glass', () => listBusinesses(db, { ...base, sort: 'name', type: 'glass_shop' })],
  ['newest', () => listBusinesses(db, { ...base, sort: 'newest' })],
  ['newest CO farm', () => listBusinesses(db, { ...base, sort: 'newest', state: 'CO', type: 'farm' })],
  ['bbox Denver', () => listBusinesses(db, { ...base, bbox: [-105.1, 39.6, -104.8, 39.9] })],
  ['map US', () => mapBusinesses(db, { zoom: 4 })],
  ['map US bbox', () => mapBusinesses(db, { zoom: 4, bbox: [-125, 24, -66, 50] })],
  ['map US dispensary', () => mapBusinesses(db, { zoom: 4, type: 'dispensary', bbox: [-125, 24, -66, 50] })],
  ['map city', () => mapBusinesses(db, { zoom: 11, bbox: [-105.1, 39.6, -104.8, 39.9] })],
  ['map near Denver', () => mapBusinesses(db, { zoom: 10, near: 'Denver, CO' })],
]
const only = process.argv[2]
for (const [name, run] of cases) {
  if (only && !name.includes(only)) continue
  const times: number[] = []
  try { for (let i = 0; i < 9; i++) { const t = performance.now(); await run(); times.push(performance.now() - t) } } catch (e) { console.log(name, String(e)); continue }
  const sorted = [...times].sort((a, b) => a - b)
  console.log(name.padEnd(24), 'first', times[0]!.toFixed(1).padStart(8), 'p50', sorted[4]!.toFixed(1).padStart(8), 'last', times.at(-1)!.toFixed(1).padStart(8))
}
await close()
