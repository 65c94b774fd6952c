import type { Parsed } from '#contracts/endpoint.ts'
import {
  type getSearchFacets,
  maxSuggestions,
  type SearchHit,
  type SearchKind,
  type search as searchCall,
  searchKinds,
} from '#contracts/search.ts'
import { defaultRadiusMiles, nearArea } from '#server/features/businesses/index.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, encodeCursor, type Page } from '#server/kernel/keyset.ts'
import {
  alikeFrom,
  type SearchIndex,
  type SearchMatch,
  type SearchMatches,
  type SearchPlace,
  type SearchQuestion,
  wordsAsked,
} from '#server/kernel/search.ts'
import { readHits } from './hits.ts'

export type SearchParts = Pick<Context, 'db' | 'clock'> & { index: SearchIndex }

/** Maximum index queries per page. A page may be short if the viewer can't see many of the matches. */
const maxRounds = 4
/** Matches requested beyond the page size. */
const extra = 10

/** One page of the matches the viewer may see, in index order. */
export async function search(
  { db, clock, index }: SearchParts,
  actor: Actor,
  { kind, limit, cursor, ...filters }: Parsed<(typeof searchCall)['query']>,
): Promise<Page<SearchHit>> {
  const question = toQuestion(filters, kind)
  const key = decodeCursor(cursor, ['integer', 'number', 'id'])
  let after: SearchPlace | null = key && { stage: key[0], score: key[1], id: key[2] }
  const viewer = viewerOf(actor, clock.now())
  const read = async (find: SearchIndex['find']): Promise<Page<SearchHit>> => {
    const found: Found[] = []
    for (let round = 0; round < maxRounds; round++) {
      const { matches, alikeWords, hasMore } = await find(question, after, limit + extra)
      found.push(...(await readHits(db, viewer, matches, [...wordsAsked(filters.q), ...alikeWords])))
      after = matches.at(-1) ?? after
      if (found.length > limit || !hasMore) return pageOf(found, limit, null)
    }
    return pageOf(found, limit, after)
  }
  if (after && after.stage >= alikeFrom) return read(index.findAlike)
  const page = await read(index.find)
  // No visible match for the words as typed: retry with similar words.
  return key === null && page.items.length === 0 && page.nextCursor === null ? read(index.findAlike) : page
}

type Found = { hit: SearchHit; match: SearchMatch }

function pageOf(found: Found[], limit: number, readUpTo: SearchPlace | null): Page<SearchHit> {
  const items = found.slice(0, limit)
  const last = found.length > limit ? (items.at(-1)?.match ?? null) : readUpTo
  return { items: items.map(({ hit }) => hit), nextCursor: last && encodeCursor([last.stage, last.score, last.id]) }
}

/** Requested per kind; the viewer may not see all of them. */
const askedOfEach = maxSuggestions
/** Keeps one kind from filling the list while others have matches. */
const shownOfEach = 3

/** The best matches by name, mixed across kinds. */
export async function suggest({ db, clock, index }: SearchParts, actor: Actor, q: string): Promise<SearchHit[]> {
  const question = toQuestion({ q })
  const read = ({ matches, alikeWords }: SearchMatches) =>
    readHits(db, viewerOf(actor, clock.now()), matches, [...wordsAsked(q), ...alikeWords])
  const named = await read(await index.findOfEach(question, searchKinds, askedOfEach))
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

export type Filters = Parsed<(typeof getSearchFacets)['query']>

/** @throws AppError invalid_input if `place` is unknown */
export function toQuestion({ q, place, radius, state, businessType }: Filters, kind?: SearchKind): SearchQuestion {
  const question = { text: q, kinds: kind ? [kind] : null, state: state ?? null, businessType: businessType ?? null, area: null }
  if (!place) return question
  const near = nearArea(place, radius ?? defaultRadiusMiles, 'place')
  if (near.radiusMiles !== null) return { ...question, area: { center: near.center, radiusMiles: near.radiusMiles } }
  // Two different states can't match.
  if (question.state !== null && question.state !== near.state) return { ...question, kinds: [] }
  return { ...question, state: near.state }
}

/** The kinds left after filtering by place, state or business type; the other kinds don't have these properties. */
export function kindsLeft({ kinds, area, state, businessType }: SearchQuestion): readonly SearchKind[] {
  if (kinds !== null) return kinds
  if (area) return ['business', 'product']
  return state !== null || businessType !== null ? ['business', 'product', 'post'] : searchKinds
}
