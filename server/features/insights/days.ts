import { type RawBuilder, sql } from 'kysely'
import { addDays, dayMs, weekdayOf } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { guessTimeZone, statesWithSeveralZones } from '#server/kernel/time-zones.ts'

/** A calendar date in PostgreSQL's format, "2026-11-21", in any time zone. */
export type Day = string

const msOf = (day: Day) => Date.parse(`${day}T00:00:00Z`)

export const daysFrom = (first: Day, last: Day): number => Math.round((msOf(last) - msOf(first)) / dayMs)

export type Step = 'day' | 'week' | 'month'

/** First day of the step that contains `day`. Weeks begin on Monday. */
export function stepOf(day: Day, by: Step): Day {
  if (by === 'day') return day
  if (by === 'month') return `${day.slice(0, 7)}-01`
  return addDays(day, -weekdayOf(day))
}

export function stepsBetween(from: Day, to: Day, by: Step): Day[] {
  const steps: Day[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const step = stepOf(day, by)
    if (steps.at(-1) !== step) steps.push(step)
  }
  return steps
}

export const yearStart = (day: Day): Day => `${day.slice(0, 4)}-01-01`

/** The time zone of a business's main location, which shares the business's ID, or the one guessed from the business's place if none is set. */
export async function timeZoneOf(db: Db, businessId: string): Promise<string> {
  const row = await db
    .selectFrom('businesses')
    .leftJoin('locations', 'locations.id', 'businesses.id')
    .select(['businesses.country', 'businesses.state', 'businesses.city', 'businesses.zip', 'locations.time_zone'])
    .where('businesses.id', '=', businessId)
    .executeTakeFirst()
  if (!row) return 'UTC'
  const [own] = row.time_zone === null ? [] : await usable(db, [row.time_zone])
  return own ?? guessTimeZone(row)
}

export type Zones = { own: string[]; places: string[]; guesses: string[] }

/** What a time zone is guessed from. Without cities and ZIP codes where they make no difference, which is almost everywhere. */
const placeParts = sql<string[]>`array[coalesce(businesses.country, ''), coalesce(businesses.state, '')] ||
  case when businesses.state = any(${statesWithSeveralZones}::text[])
    then array[coalesce(businesses.city, ''), coalesce(businesses.zip, '')] else '{}' end`
const placeKey = sql<string>`array_to_string(${placeParts}, '|')`

/** `own` includes only names that both PostgreSQL and this process accept: one unknown name must not stop the roll-up. */
export async function readZones(db: Db): Promise<Zones> {
  const rows = await db.selectFrom('locations').select('time_zone').distinct().whereRef('id', '=', 'business_id').execute()
  const places = await db
    .selectFrom('businesses')
    .select([placeParts.as('parts'), placeKey.as('key')])
    .distinct()
    .execute()
  const guesses = new Map(
    places.map(({ key, parts: [country = '', state = '', city = '', zip = ''] }) => [key, guessTimeZone({ country, state, city, zip })]),
  )
  return {
    own: await usable(
      db,
      rows.map((row) => row.time_zone),
    ),
    places: [...guesses.keys()],
    guesses: [...guesses.values()],
  }
}

/** Joins to `businesses` that `zoneOfRow` needs. */
export const zoneJoins = ({ places, guesses }: Zones): RawBuilder<unknown> => sql`
  left join locations on locations.id = businesses.id
  left join unnest(${places}::text[], ${guesses}::text[]) as guessed (place, zone)
    on guessed.place = ${placeKey}`

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
