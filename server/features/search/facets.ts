import { type SearchFacets, type SearchKind, searchCountCap, searchKinds } from '#contracts/search.ts'
import type { Db } from '#server/db/connect.ts'
import { type Viewer, viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { SearchIndex, SearchQuestion, SearchSample } from '#server/kernel/search.ts'
import { countBusinesses, countVisible } from './hits.queries.ts'
import { strainsById } from './index-subjects.ts'
import { type Filters, kindsLeft, type SearchParts, toQuestion } from './search.ts'

type BusinessGroup = Awaited<ReturnType<typeof countBusinesses>>[number]
type Counted = { kind: SearchKind; count: number; isCapped: boolean; businesses: BusinessGroup[] }

/**
 * Counts per kind of what the viewer would find. Things they can't see don't count, so each count checks a limited sample.
 */
export async function countFacets({ db, clock, index }: SearchParts, actor: Actor, filters: Filters): Promise<SearchFacets> {
  const viewer = viewerOf(actor, clock.now())
  const question = toQuestion(filters)
  const count = async (samples: readonly SearchSample[]): Promise<Counted[]> => {
    const counted: Counted[] = []
    // Sequential, so that one request doesn't use every connection.
    for (const { kind, ids, hasMore } of samples) counted.push({ kind, isCapped: hasMore, ...(await countOf(db, viewer, kind, ids)) })
    return counted
  }
  const kinds = kindsLeft(question)
  const byWords = await count(await sampleByWords(index, question, kinds))
  // Same fallback as the list: see search.ts.
  const isFound = byWords.some(({ count: found }) => found > 0)
  const counted = isFound ? byWords : await count(await firstOf(index.findAlike, question, kinds))
  const { businesses = [], isCapped = false } = counted.find(({ kind }) => kind === 'business') ?? {}
  return {
    kinds: searchKinds.map((kind) => {
      const of = counted.find((each) => each.kind === kind)
      return { kind, count: of?.count ?? 0, isCapped: of?.isCapped ?? false }
    }),
    states: totals(businesses, ({ state }) => state).map(([state, count]) => ({ state, count, isCapped })),
    businessTypes: totals(businesses, ({ type }) => type).map(([businessType, count]) => ({ businessType, count, isCapped })),
  }
}

/**
 * Only businesses have state and type counts, so they use the top matches: an arbitrary thousand might be the oldest rows, all from one
 * state. Other kinds only need a count.
 */
async function sampleByWords(index: SearchIndex, question: SearchQuestion, kinds: readonly SearchKind[]): Promise<SearchSample[]> {
  const businesses = await firstOf(
    index.find,
    question,
    kinds.filter((kind) => kind === 'business'),
  )
  const others = kinds.filter((kind) => kind !== 'business')
  return [...businesses, ...(await index.sampleOfEach(question, others, searchCountCap))]
}

async function firstOf(find: SearchIndex['find'], question: SearchQuestion, kinds: readonly SearchKind[]): Promise<SearchSample[]> {
  const samples: SearchSample[] = []
  for (const kind of kinds) {
    const { matches, hasMore } = await find({ ...question, kinds: [kind] }, null, searchCountCap)
    samples.push({ kind, ids: matches.map(({ id }) => id), hasMore })
  }
  return samples
}

async function countOf(db: Db, viewer: Viewer, kind: SearchKind, ids: readonly string[]): Promise<Pick<Counted, 'count' | 'businesses'>> {
  if (ids.length === 0) return { count: 0, businesses: [] }
  if (kind === 'strain') return { count: ids.filter((id) => strainsById().has(id)).length, businesses: [] }
  if (kind !== 'business') return { count: await countVisible(db, viewer, kind, ids), businesses: [] }
  const businesses = await countBusinesses(db, viewer, ids)
  return { count: businesses.reduce((sum, { count }) => sum + count, 0), businesses }
}

/** Most frequent first. */
function totals<Value extends string>(groups: readonly BusinessGroup[], keyOf: (group: BusinessGroup) => Value | null): [Value, number][] {
  const found = new Map<Value, number>()
  for (const group of groups) {
    const value = keyOf(group)
    if (value !== null) found.set(value, (found.get(value) ?? 0) + group.count)
  }
  return [...found].sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
}
