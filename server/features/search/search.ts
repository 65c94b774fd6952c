import { sql } from 'kysely'
import { searchKinds } from '#contracts/choices.ts'
import type { Parsed } from '#contracts/endpoint.ts'
import { homeRadiusMiles } from '#contracts/limits.ts'
import type { MentionSuggestion } from '#contracts/search.endpoints.ts'
import {
  type getSearchFacets,
  maxSuggestions,
  type SearchFacets,
  type SearchHit,
  type SearchKind,
  type search as searchCall,
  searchCountCap,
  type suggestHits,
} from '#contracts/search.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf, pageIds } from '#server/db/page-ids.ts'
import { defaultRadiusMiles, nearArea } from '#server/features/businesses/index.ts'
import { closedCommunity } from '#server/features/communities/index.ts'
import { openPlacesFor, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { isDemoIfWriterIs, mentionableBusinesses } from '#server/features/mentions/index.ts'
import { bylineColumns, isNamed, isNotBlocked, sortName, toPerson } from '#server/features/people/index.ts'
import { type Viewer, viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, encodeCursor, type Page } from '#server/kernel/keyset.ts'
import {
  firstAlikeStage,
  queryWordsOf,
  type SearchIndex,
  type SearchMatch,
  type SearchMatches,
  type SearchPosition,
  type SearchQuery,
  type SearchSample,
} from '#server/kernel/search.ts'
import { countBusinesses, countVisible, placesTooYoungFor, readHits } from './hits.ts'
import { strainsById } from './index-subjects.ts'

type SearchParts = Pick<Context, 'db' | 'clock'> & { index: SearchIndex }

/** Maximum index queries per page. A page may be short if the viewer can't see many of the matches. */
const maxRounds = 4
/** Matches requested beyond the page size. */
const extra = 10

export async function search(
  { db, clock, index }: SearchParts,
  actor: Actor,
  { kind, limit, cursor, near, ...filters }: Parsed<(typeof searchCall)['query']>,
): Promise<Page<SearchHit>> {
  const question = toQuestion(filters, kind, near)
  const key = decodeCursor(cursor, ['integer', 'number', 'id'])
  const hasShown = key !== null && key[0] >= 0
  let after: SearchPosition | null = key && { stage: hasShown ? key[0] : ~key[0], score: key[1], id: key[2] }
  const viewer = viewerOf(actor, clock.now())
  const read = async (find: SearchIndex['find']): Promise<Page<SearchHit>> => {
    const found: Found[] = []
    for (let round = 0; round < maxRounds; round++) {
      const { matches, alikeWords, hasMore } = await find(question, after, limit + extra)
      found.push(...(await readHits(db, viewer, matches, [...queryWordsOf(filters.q), ...alikeWords], filters.q)))
      after = matches.at(-1) ?? after
      if (found.length > limit || !hasMore) return pageOf(found, limit, null, hasShown)
    }
    return pageOf(found, limit, after, hasShown)
  }
  if (after && after.stage >= firstAlikeStage) return read(index.findAlike)
  const page = await read(index.find)
  if (hasShown || page.items.length > 0 || page.nextCursor !== null) return page
  // Nothing visible matches the words as typed, so similar words are tried.
  after = null
  return read(index.findAlike)
}

type Found = { hit: SearchHit; match: SearchMatch }

/** Until something has been shown, the cursor has the complement of the stage, which tells a later page that it may try similar words. */
function pageOf(found: Found[], limit: number, readUpTo: SearchPosition | null, hasShown: boolean): Page<SearchHit> {
  const items = found.slice(0, limit)
  const openFirst = [...items.filter(({ hit }) => !hit.isClosed), ...items.filter(({ hit }) => hit.isClosed)]
  const last = found.length > limit ? (items.at(-1)?.match ?? null) : readUpTo
  return {
    items: openFirst.map(({ hit }) => hit),
    nextCursor: last && encodeCursor([hasShown || items.length > 0 ? last.stage : ~last.stage, last.score, last.id]),
  }
}

/** Matches requested per kind. The viewer may not be allowed to see all of them. */
const requestedPerKind = maxSuggestions
/** Keeps one kind from filling the list while others have matches. */
const shownOfEach = 3

export async function suggest(
  { db, clock, index }: SearchParts,
  actor: Actor,
  { q, near }: Parsed<(typeof suggestHits)['query']>,
): Promise<SearchHit[]> {
  const question = toQuestion({ q }, undefined, near)
  const read = ({ matches, alikeWords }: SearchMatches) =>
    readHits(db, viewerOf(actor, clock.now()), matches, [...queryWordsOf(q), ...alikeWords])
  const named = await read(await index.findOfEach(question, searchKinds, requestedPerKind))
  const hits = named.length > 0 ? named : await read(await index.findAlike(question, null, maxSuggestions + extra))
  const shown = new Map<SearchKind, number>()
  const isAmongFirst = hits.map(({ hit }) => {
    const count = (shown.get(hit.kind) ?? 0) + 1
    shown.set(hit.kind, count)
    return count <= shownOfEach
  })
  const first = hits.filter((_, i) => isAmongFirst[i])
  const others = hits.filter((_, i) => !isAmongFirst[i])
  const chosen = new Set([...first, ...others].slice(0, maxSuggestions))
  return hits.filter((hit) => chosen.has(hit)).map(({ hit }) => hit)
}

type Filters = Parsed<(typeof getSearchFacets)['query']>

/** @throws AppError invalid_input if `place` or `near` is unknown */
function toQuestion({ q, place, radius, state, businessType }: Filters, kind?: SearchKind, from?: string): SearchQuery {
  const home = from ? nearArea(from, homeRadiusMiles, 'near') : null
  const question = {
    text: q,
    kinds: kind ? [kind] : null,
    state: state ?? null,
    businessType: businessType ?? null,
    area: null,
    home: home?.radiusMiles ? { center: home.center, radiusMiles: home.radiusMiles } : null,
  }
  if (!place) return question
  const near = nearArea(place, radius ?? defaultRadiusMiles, 'place')
  if (near.radiusMiles !== null) return { ...question, area: { center: near.center, radiusMiles: near.radiusMiles } }
  // Two different states can't match.
  if (question.state !== null && question.state !== near.state) return { ...question, kinds: [] }
  return { ...question, state: near.state }
}

/** The kinds left after filtering by place, state or business type; the other kinds don't have these properties. */
export function kindsLeft({ kinds, area, state, businessType }: SearchQuery): readonly SearchKind[] {
  if (kinds !== null) return kinds
  if (area) return ['business', 'product']
  return state !== null || businessType !== null ? ['business', 'product', 'post'] : searchKinds
}

type BusinessGroup = Awaited<ReturnType<typeof countBusinesses>>[number]
type Counted = { kind: SearchKind; count: number; isCapped: boolean; businesses: BusinessGroup[]; productAge?: number | null }

/** Counts, per kind, how many results the viewer would find. Matches they can't see don't count, so each count checks a limited sample. */
export async function countFacets({ db, clock, index }: SearchParts, actor: Actor, filters: Filters): Promise<SearchFacets> {
  const viewer = viewerOf(actor, clock.now())
  const question = toQuestion(filters)
  const count = async (samples: readonly SearchSample[]): Promise<Counted[]> => {
    const counted: Counted[] = []
    // Kinds are counted one after another, so that one request doesn't use every connection.
    for (const { kind, ids, hasMore } of samples)
      counted.push({ kind, isCapped: hasMore, ...(await countOf(db, viewer, kind, ids, filters.q)) })
    return counted
  }
  const kinds = kindsLeft(question)
  const byWords = await count(await sampleByWords(index, question, kinds))
  const found = byWords.filter((each) => each.count > 0)
  // Like `search` for one kind, tries similar words if nothing visible of that kind matches the words as typed.
  const missing = kinds.filter((kind) => !found.some((each) => each.kind === kind))
  const alike = await count(await sampleAlike(index, question, missing))
  const counted = [...found, ...alike]
  const productAge = [...byWords, ...alike].find((each) => each.productAge)?.productAge ?? null
  const { businesses = [], isCapped = false } = counted.find(({ kind }) => kind === 'business') ?? {}
  return {
    kinds: searchKinds.map((kind) => {
      const of = counted.find((each) => each.kind === kind)
      return { kind, count: of?.count ?? 0, isCapped: of?.isCapped ?? false, isAlike: alike.some((each) => each === of && each.count > 0) }
    }),
    states: totals(businesses, ({ state }) => state).map(([state, count]) => ({ state, count, isCapped })),
    businessTypes: totals(businesses, ({ type }) => type).map(([businessType, count]) => ({ businessType, count, isCapped })),
    productAge,
  }
}

/**
 * Only businesses have state and type counts, so they use the top matches: an arbitrary thousand might be the oldest rows, all from one
 * state. Other kinds only need a count.
 */
async function sampleByWords(index: SearchIndex, question: SearchQuery, kinds: readonly SearchKind[]): Promise<SearchSample[]> {
  const businesses = await firstOf(
    index.find,
    question,
    kinds.filter((kind) => kind === 'business'),
  )
  const others = kinds.filter((kind) => kind !== 'business')
  return [...businesses, ...(await index.sampleOfEach(question, others, searchCountCap))]
}

/** Usually no words are similar, so one query for all kinds comes first. */
async function sampleAlike(index: SearchIndex, question: SearchQuery, kinds: readonly SearchKind[]): Promise<SearchSample[]> {
  if (kinds.length === 0) return []
  const { matches } = await index.findAlike({ ...question, kinds }, null, 1)
  return matches.length === 0 ? [] : firstOf(index.findAlike, question, kinds)
}

async function firstOf(find: SearchIndex['find'], question: SearchQuery, kinds: readonly SearchKind[]): Promise<SearchSample[]> {
  const samples: SearchSample[] = []
  for (const kind of kinds) {
    const { matches, hasMore } = await find({ ...question, kinds: [kind] }, null, searchCountCap)
    samples.push({ kind, ids: matches.map(({ id }) => id), hasMore })
  }
  return samples
}

async function countOf(
  db: Db,
  viewer: Viewer,
  kind: SearchKind,
  ids: readonly string[],
  q: string,
): Promise<Omit<Counted, 'kind' | 'isCapped'>> {
  if (ids.length === 0) return { count: 0, businesses: [] }
  if (kind === 'strain') return { count: ids.filter((id) => strainsById().has(id)).length, businesses: [] }
  if (kind === 'product') {
    const count = await countVisible(db, viewer, kind, ids)
    const places = count < ids.length && !openPlacesFor(viewer.age).everywhere ? await placesTooYoungFor(db, viewer, ids) : []
    const ages = places.map((place) => productAgeOf(place).minimumAge)
    return { count, businesses: [], productAge: ages.length > 0 ? Math.min(...ages) : null }
  }
  if (kind !== 'business') return { count: await countVisible(db, viewer, kind, ids), businesses: [] }
  const businesses = await countBusinesses(db, viewer, ids, q)
  return { count: businesses.reduce((sum, { count }) => sum + count, 0), businesses }
}

function totals<Value extends string>(groups: readonly BusinessGroup[], keyOf: (group: BusinessGroup) => Value | null): [Value, number][] {
  const found = new Map<Value, number>()
  for (const group of groups) {
    const value = keyOf(group)
    if (value !== null) found.set(value, (found.get(value) ?? 0) + group.count)
  }
  return [...found].sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
}

const maxSuggested = 8
/** More than are shown, because the writer may not see all of them and can't mention themselves. */
const requestedMentions = 12

/**
 * People and businesses with a name like `q` whom the writer can mention. In a community that not everyone can read, suggests only its
 * members, so that no one learns of it through a mention.
 * @throws AppError not_found, forbidden if the writer can't read the community
 */
export async function suggestMentions(
  { db, clock, index }: Pick<Context, 'db' | 'clock'> & { index: SearchIndex },
  actor: Actor,
  { q, communityId }: { q: string; communityId?: string | undefined },
): Promise<MentionSuggestion[]> {
  const now = clock.now()
  const closedId = await closedCommunity(db, actor, communityId ?? null, now)
  if (closedId !== null) return members(db, actor.id, closedId, q)
  const question = { text: q, kinds: null, state: null, businessType: null, area: null }
  const { matches } = await index.findOfEach(question, ['person', 'business'], requestedMentions)
  const hits = await readHits(db, viewerOf(actor, now), matches, [])
  const people = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`users.id = ${pageIds(hits.filter(({ hit }) => hit.kind === 'person').flatMap(({ hit }) => hit.id ?? []))}`)
    .where(isDemoIfWriterIs(actor.id, 'users.is_demo'))
    .execute()
  const businesses = hits.filter(({ hit }) => hit.kind === 'business').flatMap(({ hit }) => hit.id ?? [])
  const mentionable = new Set([...idsOf(people), ...idsOf(await mentionableBusinesses(db, actor.id, businesses))])
  return hits
    .flatMap(({ hit }) =>
      (hit.kind === 'person' || hit.kind === 'business') && hit.id !== actor.id && mentionable.has(hit.id)
        ? [{ kind: hit.kind, id: hit.id, name: hit.title, imageUrl: hit.imageUrl, businessType: hit.businessType, detail: hit.location }]
        : [],
    )
    .slice(0, maxSuggested)
}

async function members(db: Db, actorId: string, communityId: string, q: string): Promise<MentionSuggestion[]> {
  const rows = await db
    .selectFrom('community_members')
    .innerJoin('users', 'users.id', 'community_members.user_id')
    .select(bylineColumns)
    .where('community_members.community_id', '=', communityId)
    .where('users.id', '<>', actorId)
    .where(isNotBlocked(sql`${actorId}::uuid`, sql`users.id`))
    .where(isDemoIfWriterIs(actorId, 'users.is_demo'))
    .where(isNamed(q))
    .orderBy(sortName)
    .orderBy('users.id')
    .limit(maxSuggested)
    .execute()
  return rows.map((row) => {
    const { id, name, imageUrl } = toPerson(row)
    return { kind: 'person', id, name, imageUrl, businessType: null, detail: null }
  })
}
