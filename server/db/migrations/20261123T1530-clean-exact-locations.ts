import { type Kysely, sql } from 'kysely'

/**
 * People, posts and farms have no location more precise than a city. Reduces what was stored before that rule to the city it names,
 * or clears it. The patterns are a copy of those in contracts/place-name.ts at that time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isChanged = [
    await cleanColumn(db, 'users', 'location'),
    await cleanColumn(db, 'posts', 'place'),
    await cleanColumn(db, 'post_drafts', 'place'),
  ].some(Boolean)

  // Coordinates were read as a ZIP code, so everything derived from them is wrong.
  await sql`
    update businesses set location = null, city = null, state = null, country = null, zip = null, latitude = null, longitude = null,
      geo_precision = null, pin_latitude = null, pin_longitude = null, pin_precision = null
    where location ~ ${coordinates}`.execute(db)
  await sql`
    update businesses set location = case when city is not null and state is not null then city || ', ' || state end
    where type = 'farm' and location ~ '[0-9]'`.execute(db)
  await sql`update businesses set zip = null where type = 'farm' and zip is not null`.execute(db)
  await sql`alter table businesses add constraint farms_have_no_zip check (type <> 'farm' or zip is null)`.execute(db)
  if (isChanged) await sql`update search_state set is_pass_wanted = true`.execute(db)
}

const coordinates = String.raw`\d[.,]\d{4,}|\d{1,3}[.,]\d{2,}\D{0,14}\d{1,3}[.,]\d{2,}|\d\s*°\s*\d|geo:|https?://|///`
const streetWords =
  'street|st|avenue|ave|road|rd|boulevard|blvd|drive|dr|lane|ln|court|ct|circle|cir|parkway|pkwy|highway|hwy|terrace|ter|trail|trl|way|square|plaza|loop|route|broadway'
const address = String.raw`\m\d{1,6}\s?[a-z]?\s+([[:alpha:]0-9.'’-]+\s+){0,5}(${streetWords})\M|#\s?\d|\m(apt|apartment|unit|suite|ste|box|highway|hwy|mile)\.?\s*\d|(stra(ß|ss)e|str\.|weg|platz|allee|gasse)\s+\d`

/** @returns whether anything was changed */
async function cleanColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const [t, c] = [sql.table(table), sql.ref(column)]
  const { numAffectedRows: emptied } = await sql`update ${t} set ${c} = null where ${c} ~ ${coordinates}`.execute(db)
  // "1234 Larimer St Apt 5, Denver, CO 80202" ends with the city; anything that doesn't is cleared.
  const { numAffectedRows: shortened } = await sql`
    update ${t} set ${c} = (
      select match[1] || ', ' || match[2]
      from regexp_match(${c}, ${String.raw`,\s*([^,0-9]+),\s*([A-Za-z]{2}|[A-Za-z ]{4,20}?)(?:\s+\d{5}(?:-\d{4})?)?\s*$`}) as match
    )
    where ${c} ~* ${address}`.execute(db)
  return (emptied ?? 0n) + (shortened ?? 0n) > 0n
}
