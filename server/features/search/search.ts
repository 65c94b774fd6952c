import type { Parsed } from '../../../contracts/endpoint.ts'
import { maxSuggestions, type SearchHit, type SearchKind, type search as searchCall, searchKinds } from '../../../contracts/search.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, encodeCursor, type Page } from '../../kernel/keyset.ts'
import { alikeFrom, type SearchIndex, type SearchMatch, type SearchMatches, type SearchPlace } from '../../kernel/search.ts'
import { wordsAsked } from '../../kernel/search-words.ts'
import { viewerOf } from '../posts/index.ts'
import { readHits } from './hits.ts'
import { toQuestion } from './question.ts'

export type SearchParts = Pick<Context, 'db' | 'clock'> & { index: SearchIndex }

/** The index is asked so many times for one page; one of which much was not for the viewer may then be short. */
const mostRounds = 4
/** So many more than fit on the page are asked for at once. */
const extra = 10

/** One page: matches of the index in their order, of which the viewer sees those that they may see. */
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
    for (let round = 0; round < mostRounds; round++) {
      const { matches, alikeWords, hasMore } = await find(question, after, limit + extra)
      found.push(...(await readHits(db, viewer, matches, [...wordsAsked(filters.q), ...alikeWords])))
      after = matches.at(-1) ?? after
      if (found.length > limit || !hasMore) return pageOf(found, limit, null)
    }
    return pageOf(found, limit, after)
  }
  if (after && after.stage >= alikeFrom) return read(index.findAlike)
  const page = await read(index.find)
  // As they were typed, the words find nothing that the viewer may see.
  return key === null && page.items.length === 0 && page.nextCursor === null ? read(index.findAlike) : page
}

type Found = { hit: SearchHit; match: SearchMatch }

function pageOf(found: Found[], limit: number, readUpTo: SearchPlace | null): Page<SearchHit> {
  const items = found.slice(0, limit)
  const last = found.length > limit ? (items.at(-1)?.match ?? null) : readUpTo
  return { items: items.map(({ hit }) => hit), nextCursor: last && encodeCursor([last.stage, last.score, last.id]) }
}

/** So many are asked for of each kind, some of which may not be for the viewer. */
const askedOfEach = maxSuggestions
/** No kind takes all the room while others have something to show. */
const shownOfEach = 3

/** The best by their names, of several kinds. */
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
