import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { guessTimeZone } from '../locations/index.ts'

/** The time zone of a business's main location, which has the business's own id; while nobody said one, its state's. */
export async function timeZoneOf(db: Db, businessId: string): Promise<string> {
  const row = await db
    .selectFrom('businesses')
    .leftJoin('locations', 'locations.id', 'businesses.id')
    .select(['businesses.country', 'businesses.state', 'locations.time_zone'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirst()
  if (!row) return 'UTC'
  const [own] = row.time_zone === null ? [] : await usable(db, [row.time_zone])
  return own ?? guessTimeZone(row)
}

/** Which time zone each business is in, for queries over many. */
export type Zones = { own: string[]; places: string[]; guesses: string[] }

/** Names are those that both PostgreSQL and this process know: one wrong name must not stop the counting of all. */
export async function readZones(db: Db): Promise<Zones> {
  const rows = await db.selectFrom('locations').select('time_zone').distinct().whereRef('id', '=', 'business_id').execute()
  const places = await db.selectFrom('businesses').select(['country', 'state']).distinct().execute()
  return {
    own: await usable(
      db,
      rows.map((row) => row.time_zone),
    ),
    places: places.map(({ country, state }) => `${country ?? ''} ${state ?? ''}`),
    guesses: places.map(guessTimeZone),
  }
}

/** To join to `businesses`, so that `zoneOfRow` can be asked. */
export const zoneJoins = ({ places, guesses }: Zones): RawBuilder<unknown> => sql`
  left join locations on locations.id = businesses.id
  left join unnest(${places}::text[], ${guesses}::text[]) as guessed (place, zone)
    on guessed.place = coalesce(businesses.country, '') || ' ' || coalesce(businesses.state, '')`

export const zoneOfRow = ({ own }: Zones): RawBuilder<string> =>
  sql`coalesce(case when locations.time_zone = any(${own}::text[]) then locations.time_zone end, guessed.zone, 'UTC')`

const known = new Map<string, boolean>()

async function usable(db: Db, names: readonly string[]): Promise<string[]> {
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const { rows } = await sql<{ name: string }>`select name from pg_timezone_names where name = any(${unknown}::text[])`.execute(db)
    const found = new Set(rows.map((row) => row.name))
    if (known.size > 5000) known.clear()
    for (const name of unknown) known.set(name, found.has(name) && isKnownHere(name))
  }
  return names.filter((name) => known.get(name))
}

function isKnownHere(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return true
  } catch {
    return false
  }
}
