import { type RawBuilder, sql } from 'kysely'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import type { Tx } from '#server/db/connect.ts'
import { boxAround, distanceInSql, isInBox } from '#server/kernel/geo/distance.ts'
import type { SearchArea, SearchPosition } from '#server/kernel/search.ts'
import { both, conditionsOf } from './lexemes.ts'

/** Matches inside the area or all others, with their distance from its center. `comeFirst` ranks matches inside before all others. */
export type Area = SearchArea & { are: 'inside' | 'outside'; comeFirst?: boolean }
export type Row = { id: string; kind: SearchKind; stage: number; score: number; distance: number | null }

/**
 * Up to `sorted` matches are read and sorted. If there are more, a walk down the index of best scores quickly finds the first of them. Each
 * method is fast where the other is slow. The limits don't affect the results.
 */
export type Limits = {
  sorted: number
  /** Rows that a walk reads before it checks whether matches are rare. */
  walked: number
}
const leastLimits: Limits = { sorted: 2000, walked: 2000 }

/**
 * Among n documents with m matches, sorting reads m rows, and a walk to the first `wanted` matches reads about `wanted` × n / m. The two
 * are equal if m is the square root of `wanted` × n.
 */
export const usualLimits = (documents: number, wanted: number): Limits => ({
  ...leastLimits,
  sorted: Math.max(leastLimits.sorted, Math.ceil(Math.sqrt(wanted * documents))),
})

const pin = { latitude: 'latitude', longitude: 'longitude' }

/** In miles to a document's pin. */
const distanceTo = ({ center }: SearchArea) => distanceInSql(center, pin)

const isInBoxOf = ({ center, radiusMiles }: SearchArea) => isInBox(boxAround(center, radiusMiles), pin)

/** Documents without a pin are outside every area. */
const isIn = (area: Area | null): RawBuilder<boolean> => {
  if (!area) return sql<boolean>`true`
  if (area.are === 'inside') return isInBoxOf(area)
  return sql<boolean>`(latitude is null or not ${isInBoxOf(area)} or ${distanceTo(area)} > ${area.radiusMiles}::float8)`
}

const distanceFrom = (area: Area | null): RawBuilder<number | null> =>
  area ? sql<number | null>`case when latitude is null then null else ${distanceTo(area)} end` : sql<null>`null::float8`

/** Subtracted from the quality at the area's edge. It is about as much as the best ratings add. */
const weightOfDistance = 1.5
/** The bonus exceeds any quality. Distance weighs less than a license, so it only breaks ties. */
const first = { bonus: 100, weightOfDistance: 0.005 }

function scoreIn(area: Area | null): RawBuilder<number> {
  if (area?.are !== 'inside') return sql<number>`quality`
  const [bonus, weight] = area.comeFirst ? [first.bonus, first.weightOfDistance] : [0, weightOfDistance]
  return sql<number>`quality + ${bonus}::float8 - ${weight / area.radiusMiles}::float8 * distance`
}

/** By stage, then highest score, then highest ID. */
const isAfter = (place: SearchPosition | null) =>
  place ? sql<boolean>`(-stage, score, id) < (${-place.stage}::integer, ${place.score}::float8, ${place.id}::uuid)` : sql<boolean>`true`

export type Stages = { exact: string; whole: string; names: string }

/** The first `limit` matches in order. Null if there are too many to sort and they aren't limited to an area. */
export async function sortedMatches(
  tx: Tx,
  query: string,
  stages: Stages,
  { area, after, limit, ofEach = limit }: { area: Area | null; after: SearchPosition | null; limit: number; ofEach?: number },
  { sorted: maxSorted }: Limits,
): Promise<Row[] | null> {
  const isInside = area?.are === 'inside'
  const { rows } = await sql<Row & { id: string | null; total: number }>`
    with matched as materialized (
      select id, kind, quality, ${distanceFrom(area)} as distance,
        case when words @@ ${stages.exact}::tsquery then 0 when words @@ ${stages.whole}::tsquery then 1
          when words @@ ${stages.names}::tsquery then 2 else 3 end as stage
      from search_documents
      where words @@ ${query}::tsquery and ${isIn(area)}
      limit ${isInside ? null : maxSorted + 1}
    ), counted as (
      select count(*) as total from matched
    ), placed as (
      select id, kind, distance, stage, ${scoreIn(area)} as score
      from matched where ${isInside ? sql`distance <= ${area.radiusMiles}::float8` : sql`(select total from counted) <= ${maxSorted}`}
    ), ranked as (
      select *, row_number() over (partition by kind order by stage, score desc, id desc) as rank from placed where ${isAfter(after)}
    )
    select total, id, kind, distance, score, stage
    from counted left join (select * from ranked where rank <= ${ofEach} order by stage, score desc, id desc limit ${limit}) as first on true
    order by stage, score desc, id desc`.execute(tx)
  if (!isInside && (rows[0]?.total ?? 0) > maxSorted) return null
  return rows.filter(({ id }) => id !== null)
}

type StageQuery = { kind: SearchKind; query: string; stage: number; area: Area | null; after: SearchPosition | null; limit: number }

/**
 * The best matches of one kind and stage. Common words occur early among the best documents. For rare words, all matches are gathered and
 * sorted, or the walk continues to its end.
 */
export async function bestOfStage(tx: Tx, of: StageQuery, expects: 'few' | 'many', limits: Limits): Promise<Row[]> {
  if (expects === 'many') {
    const walked = await walk(tx, of, limits.walked)
    if (walked.length >= of.limit) return walked
    // Continuing the walk should read fewer rows than sorting all matches.
    if (walked.length * limits.sorted >= of.limit * limits.walked) return walk(tx, of, null)
  }
  return (await gatherAndSort(tx, of, limits.sorted)) ?? walk(tx, of, null)
}

const columnsOf = (stage: number, area: Area | null) =>
  sql`id, kind, ${stage}::integer as stage, quality as score, ${distanceFrom(area)} as distance`
const isLater = ({ stage, after }: StageQuery) =>
  after?.stage === stage ? sql<boolean>`(quality, id) < (${after.score}::float8, ${after.id}::uuid)` : sql<boolean>`true`

/** Null if there are too many to sort. */
async function gatherAndSort(tx: Tx, of: StageQuery, maxSorted: number): Promise<Row[] | null> {
  const { query, kind, stage, area, limit } = of
  const { rows } = await sql<Row & { id: string | null; total: number }>`
    with matched as materialized (
      select id, kind, quality, latitude, longitude from search_documents
      where words @@ ${both(query, conditionsOf({ kinds: [kind], state: null, businessType: null }))}::tsquery and ${isIn(area)}
      limit ${maxSorted + 1}
    ), counted as (
      select count(*) as total from matched
    )
    select total, first.* from counted left join (
      select ${columnsOf(stage, area)} from matched where (select total from counted) <= ${maxSorted} and ${isLater(of)}
      order by quality desc, id desc limit ${limit}
    ) as first on true order by score desc, id desc`.execute(tx)
  return (rows[0]?.total ?? 0) > maxSorted ? null : rows.filter(({ id }) => id !== null)
}

async function walk(tx: Tx, of: StageQuery, maxRows: number | null): Promise<Row[]> {
  const { rows } = await bestFirstQuery(of, maxRows).execute(tx)
  return rows
}

/**
 * Calls the function behind `@@` directly. No index supports it, so the planner reads the best documents first instead of using the word
 * index.
 */
export function bestFirstQuery(of: StageQuery, maxRows: number | null): RawBuilder<Row> {
  const { query, kind, stage, area, limit } = of
  return sql<Row>`
    select ${columnsOf(stage, area)} from (
      select id, kind, quality, words, latitude, longitude from search_documents where kind = ${kind} and ${isLater(of)} order by quality desc, id desc limit ${maxRows}
    ) as best where ts_match_vq(words, ${query}::tsquery) and ${isIn(area)} order by quality desc, id desc limit ${limit}`
}

type KindQuery = { query: string; kind: SearchKind; area: SearchArea | null; limit: number }

/** A walk should find enough if it is this many times as long as the number of rows to find. */
const density = 8

/**
 * Up to `limit` matches of a kind, unordered. The word index must be read to its end before it returns the first match. When that takes too
 * long, as for a word in nearly every document, a short walk finds enough.
 */
export async function anyOfKind(tx: Tx, { query, kind, area, limit }: KindQuery): Promise<string[]> {
  const ofKind = conditionsOf({ kinds: [kind], state: null, businessType: null })
  const within = both(query, ofKind)
  const maxRows = density * limit
  const expected = area ? 0 : await estimate(tx, within)
  // If there are fewer matches than rows in a walk, reading all matches is faster.
  if (expected > maxRows && expected * density > (await estimate(tx, ofKind))) {
    const walked = await walk(tx, { query, kind, stage: 0, area: null, after: null, limit }, maxRows)
    if (walked.length >= limit) return walked.map(({ id }) => id)
  }
  const { rows } = await sql<{ id: string }>`
    select id from search_documents
    where words @@ ${within}::tsquery and ${area ? sql`${isInBoxOf(area)} and ${distanceTo(area)} <= ${area.radiusMiles}::float8` : sql`true`}
    limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function estimate(tx: Tx, query: string): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from search_documents where words @@ ${sql.lit(query)}::tsquery`.execute(tx)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/** People with similarly spelled names that a search by words doesn't find. */
export async function findSimilarPeople(
  tx: Tx,
  text: string,
  found: string | null,
  stage: number,
  after: SearchPosition | null,
  limit: number,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from (
      select id, kind, ${stage}::integer as stage, word_similarity(${text}, folded)::float8 as score, null::float8 as distance
      from search_documents
      where kind = 'person' and folded %> ${text} and ${found === null ? sql`true` : sql`not words @@ ${found}::tsquery`}
    ) as alike where ${isAfter(after)} order by score desc, id desc limit ${limit}`.execute(tx)
  return rows
}

/** The words' stems from PostgreSQL. Empty for stop words. */
export async function stemsOf(tx: Tx, words: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ stem: string }>`
    select plainto_tsquery('pg_catalog.english', word)::text as stem
    from unnest(${words}::text[]) with ordinality as asked (word, place) order by place`.execute(tx)
  return rows.map(({ stem }) => stem)
}

const timeoutMs = 1000

/**
 * Prepares the transaction's planner for searches, and returns its estimate of the number of documents. Plans depend on how common the words
 * are, so they aren't reused. With less `work_mem`, bitmaps of common words would be lossy, and each page would recheck every row.
 */
export async function prepare(tx: Tx): Promise<number> {
  const { rows } = await sql<{ documents: number }>`
  select (select greatest(reltuples, 0)::float8 from pg_class where oid = 'search_documents'::regclass) as documents,
    set_config('statement_timeout', ${String(timeoutMs)}, true), set_config('jit', 'off', true), set_config('work_mem', '16MB', true),
    set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true), set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('pg_trgm.similarity_threshold', '0.2', true), set_config('pg_trgm.word_similarity_threshold', '0.5', true)`.execute(tx)
  return rows[0]?.documents ?? 0
}

export async function hasTrigrams(tx: Tx): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'pg_trgm'`.execute(tx)
  return rows.length > 0
}
