import { type SearchFacets, type SearchKind, searchCountCap, searchKinds } from '../../../contracts/search.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { SearchIndex, SearchQuestion, SearchSample } from '../../kernel/search.ts'
import { type Viewer, viewerOf } from '../posts/index.ts'
import { countBusinesses, countVisible } from './hits.queries.ts'
import { type Filters, kindsLeft, toQuestion } from './question.ts'
import type { SearchParts } from './search.ts'
import { strainsById } from './strain-documents.ts'

type BusinessGroup = Awaited<ReturnType<typeof countBusinesses>>[number]
type Counted = { kind: SearchKind; count: number; isCapped: boolean; businesses: BusinessGroup[] }

/**
 * How much of each kind the viewer would find. What they may not see is not in the numbers either: each is of things that were looked at,
 * and so of no more than some.
 */
export async function countFacets({ db, clock, index }: SearchParts, actor: Actor, filters: Filters): Promise<SearchFacets> {
  const viewer = viewerOf(actor, clock.now())
  const question = toQuestion(filters)
  const count = async (samples: readonly SearchSample[]): Promise<Counted[]> => {
    const counted: Counted[] = []
    // One after another: the counts of one question must not take every connection.
    for (const { kind, ids, hasMore } of samples) counted.push({ kind, isCapped: hasMore, ...(await countOf(db, viewer, kind, ids)) })
    return counted
  }
  const kinds = kindsLeft(question)
  const byWords = await count(await sampleByWords(index, question, kinds))
  // As the list does: see search.ts.
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
 * States and types are told of businesses alone, and so these are the first of the list: any thousand might be those that were entered
 * first, all of one state. Of the others nothing is told but how many.
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

/** The most frequent first. */
function totals<Value extends string>(groups: readonly BusinessGroup[], keyOf: (group: BusinessGroup) => Value | null): [Value, number][] {
  const found = new Map<Value, number>()
  for (const group of groups) {
    const value = keyOf(group)
    if (value !== null) found.set(value, (found.get(value) ?? 0) + group.count)
  }
  return [...found].sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
}
