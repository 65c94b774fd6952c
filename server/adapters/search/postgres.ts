import { sql } from 'kysely'
import { searchKinds } from '#contracts/choices.ts'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction, sqlState } from '#server/db/transaction.ts'
import { AppError } from '#server/kernel/errors.ts'
import {
  firstAlikeStage,
  nearest,
  queryWordsOf,
  type SearchIndex,
  type SearchMatches,
  type SearchPosition,
  type SearchQuery,
  type SearchSample,
  shortestTypo,
} from '#server/kernel/search.ts'
import { pruneWords, putDocuments, removeAllBut, removeDocuments } from './documents.queries.ts'
import { both, conditionsOf, excluding, type Queries, queriesOf, similarWordsQuery } from './lexemes.ts'
import {
  type Area,
  anyOfKind,
  bestOfStage,
  estimate,
  findSimilarPeople,
  hasTrigrams,
  type Limits,
  prepare,
  type Row,
  sortedMatches,
  stemsOf,
  usualLimits,
} from './matches.queries.ts'

/**
 * Matches by whole title, then whole words of names, their prefixes, words anywhere, similarly spelled words, and names of people that
 * resemble the query.
 */
const stage = { exact: 0, whole: 1, names: 2, words: 3, alike: firstAlikeStage, person: firstAlikeStage + 1 } as const

const queryCanceled = '57014'

/** Searches full text in one index, and uses trigrams for typos if the database has them. */
export function createPostgresSearch(db: Db, given?: Limits): SearchIndex {
  /** Read-only. The transaction provides the timeout. */
  const reading = async <Answer>(wanted: number, read: (tx: Tx, limits: Limits) => Promise<Answer>): Promise<Answer> => {
    try {
      return await inTransaction(db, async (tx) => {
        const documents = await prepare(tx)
        return read(tx, given ?? usualLimits(documents, wanted))
      })
    } catch (error) {
      if (sqlState(error) !== queryCanceled) throw error
      throw new AppError('unavailable', { message: 'This search took too long. Add a word, or choose what to search for.' })
    }
  }
  return {
    put: putDocuments,
    remove: async (tx, kind, ids) => void (await removeDocuments(tx, kind, ids)),
    removeAllBut: async (tx, kind, ids) => void (await removeAllBut(tx, kind, ids)),
    prune: () => pruneWords(db),
    find: (question, after, limit) => reading(limit, (tx, limits) => find(tx, question, after, limit, limits)),
    findAlike: (question, after, limit) => reading(limit, (tx, limits) => findAlike(tx, question, after, limit, limits)),
    findOfEach: (question, kinds, limit) => reading(limit, (tx, limits) => findOfEach(tx, question, kinds, limit, limits)),
    sampleOfEach: (question, kinds, limit) => reading(limit, (tx) => sampleOfEach(tx, question, kinds, limit)),
  }
}

type ParsedSearch = { words: string[]; queries: Queries; question: SearchQuery }

async function parseSearch(tx: Tx, question: SearchQuery): Promise<ParsedSearch | null> {
  if (question.kinds?.length === 0) return null
  const words = queryWordsOf(question.text)
  const queries = words.length === 0 ? null : queriesOf({ words, stems: await stemsOf(tx, words) })
  return queries && { words, queries, question }
}

const noMatches: SearchMatches = { matches: [], alikeWords: [], hasMore: false }

async function find(tx: Tx, question: SearchQuery, after: SearchPosition | null, limit: number, limits: Limits): Promise<SearchMatches> {
  const parsed = await parseSearch(tx, question)
  if (!parsed) return noMatches
  const rows = await nearFirst(question, limit + 1, (area) => findByWords(tx, parsed, area, after, limit + 1, limits))
  return toMatches(rows.slice(0, limit), rows.length > limit)
}

/**
 * Within each stage, matches near the person come first. Near and distant matches are read separately, because only the distant ones can
 * be too many to sort.
 */
async function nearFirst({ area, home }: SearchQuery, maxRows: number, read: (area: Area | null) => Promise<Row[]>): Promise<Row[]> {
  if (area) return read({ ...area, are: 'inside' })
  if (!home) return read(null)
  const inside = await read({ ...home, are: 'inside', comeFirst: true })
  const outside = await read({ ...home, are: 'outside' })
  return [...inside, ...outside].sort(bestFirst).slice(0, maxRows)
}

async function findByWords(
  tx: Tx,
  parsed: ParsedSearch,
  area: Area | null,
  after: SearchPosition | null,
  maxRows: number,
  limits: Limits,
): Promise<Row[]> {
  const { queries, question } = parsed
  const query = both(queries.words, conditionsOf(question))
  if ((await estimate(tx, query)) <= limits.sorted) {
    const all = await sortedMatches(tx, query, queries, { area, after, limit: maxRows }, limits)
    if (all) return all
  }
  if (area?.are === 'inside') return stageByStage(tx, parsed, area, after, maxRows, limits)
  const rows: Row[] = []
  for (const step of [stage.exact, stage.whole, stage.names, stage.words]) {
    if (step < (after?.stage ?? 0) || rows.length >= maxRows) continue
    rows.push(
      ...(await bestOfKinds(
        tx,
        question,
        { query: queryOfStage(queries, step), stage: step, area, after, limit: maxRows - rows.length },
        limits,
      )),
    )
  }
  return rows
}

/**
 * Around a place, distance is part of the score, so all matches of a stage must be read before the best is known. Usually the matches by
 * words in names are enough.
 */
async function stageByStage(
  tx: Tx,
  { queries, question }: ParsedSearch,
  area: Area,
  after: SearchPosition | null,
  maxRows: number,
  limits: Limits,
): Promise<Row[]> {
  const rows: Row[] = []
  // Exact titles are a small subset of the whole-word matches.
  for (const [last, query] of [
    [stage.whole, queries.whole],
    [stage.names, queryOfStage(queries, stage.names)],
    [stage.words, queryOfStage(queries, stage.words)],
  ] as const) {
    if (last < (after?.stage ?? 0) || rows.length >= maxRows) continue
    const within = both(query, conditionsOf(question))
    rows.push(...((await sortedMatches(tx, within, queries, { area, after, limit: maxRows - rows.length }, limits)) ?? []))
  }
  return rows
}

type Step = { query: string; stage: number; area: Area | null; after: SearchPosition | null; limit: number }

async function bestOfKinds(tx: Tx, question: SearchQuery, step: Step, limits: Limits): Promise<Row[]> {
  const query = both(step.query, conditionsOf({ ...question, kinds: null }))
  const best: Row[] = []
  for (const kind of question.kinds ?? searchKinds) {
    best.push(...(await bestOfStage(tx, { ...step, query, kind }, step.stage === stage.exact ? 'few' : 'many', limits)))
  }
  return best.sort(bestFirst).slice(0, step.limit)
}

/** Excludes matches of the previous stage, which this stage's query would include. */
function queryOfStage({ exact, whole, names, words }: Queries, step: number): string {
  if (step === stage.exact) return exact
  if (step === stage.whole) return excluding(whole, exact)
  return step === stage.names ? excluding(names, whole) : excluding(words, names)
}

const bestFirst = (one: Row, other: Row) => one.stage - other.stage || other.score - one.score || (one.id < other.id ? 1 : -1)

async function findAlike(
  tx: Tx,
  question: SearchQuery,
  after: SearchPosition | null,
  limit: number,
  limits: Limits,
): Promise<SearchMatches> {
  const words = question.kinds?.length === 0 ? [] : queryWordsOf(question.text)
  const trigrams = await hasTrigrams(tx)
  const others = await findSimilarWords(tx, words, trigrams)
  const maxRows = limit + 1
  const rows: Row[] = []
  const query = others.size > 0 ? similarWordsQuery(words, others) : null
  if (query && (after?.stage ?? 0) <= stage.alike) {
    rows.push(...(await nearFirst(question, maxRows, (area) => findBySimilarWords(tx, question, area, query, after, maxRows, limits))))
  }
  const isForPeople = (question.kinds?.includes('person') ?? true) && !question.area && !question.state && !question.businessType
  if (trigrams && isForPeople && rows.length < maxRows && words.join('').length >= shortestName) {
    rows.push(...(await findSimilarPeople(tx, words.join(' '), query, stage.person, after, maxRows - rows.length)))
  }
  return toMatches(rows.slice(0, limit), rows.length > limit, [...others.values()].flat())
}

/** Shorter texts are similar to half of all names. */
const shortestName = 4

async function findBySimilarWords(
  tx: Tx,
  question: SearchQuery,
  area: Area | null,
  query: string,
  after: SearchPosition | null,
  maxRows: number,
  limits: Limits,
): Promise<Row[]> {
  // All rows here are in the stage `alike`, but the query sorts them as `exact`, so the cursor is converted.
  const asFirst = after?.stage === stage.alike ? { ...after, stage: stage.exact } : null
  const within = both(query, conditionsOf(question))
  const all = await sortedMatches(
    tx,
    within,
    { exact: within, whole: within, names: within },
    { area, after: asFirst, limit: maxRows },
    limits,
  )
  if (all) return all.map((row) => ({ ...row, stage: stage.alike }))
  return bestOfKinds(tx, question, { query, stage: stage.alike, area, after, limit: maxRows }, limits)
}

async function sampleOfEach(tx: Tx, question: SearchQuery, kinds: readonly SearchKind[], limit: number): Promise<SearchSample[]> {
  const parsed = await parseSearch(tx, question)
  if (!parsed) return []
  const query = both(parsed.queries.words, conditionsOf({ ...question, kinds: null }))
  const samples: SearchSample[] = []
  for (const kind of kinds) {
    const ids = await anyOfKind(tx, { query, kind, area: question.area, limit: limit + 1 })
    samples.push({ kind, ids: ids.slice(0, limit), hasMore: ids.length > limit })
  }
  return samples
}

/** The result isn't paginated, so any good order is enough: exact titles, then the best matches by name prefix. */
async function findOfEach(
  tx: Tx,
  question: SearchQuery,
  kinds: readonly SearchKind[],
  limit: number,
  limits: Limits,
): Promise<SearchMatches> {
  const parsed = await parseSearch(tx, question)
  if (!parsed) return noMatches
  const rows = await nearFirst(question, 2 * limit * kinds.length, (area) => findByNames(tx, parsed, area, kinds, limit, limits))
  const counts = new Map<SearchKind, number>()
  const best = rows.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count <= limit
  })
  return toMatches(best, false)
}

async function findByNames(
  tx: Tx,
  { queries, question }: ParsedSearch,
  area: Area | null,
  kinds: readonly SearchKind[],
  limit: number,
  limits: Limits,
): Promise<Row[]> {
  const query = both(queries.names, conditionsOf({ ...question, kinds: null }))
  if (area?.are === 'inside' || (await estimate(tx, query)) <= limits.sorted) {
    const all = await sortedMatches(tx, query, queries, { area, after: null, limit: limit * kinds.length, ofEach: limit }, limits)
    if (all) return all
  }
  const found = new Map<string, Row>()
  for (const kind of kinds) {
    const ofKind = { kind, area, after: null, limit }
    const exact = await bestOfStage(tx, { ...ofKind, query: queries.exact, stage: stage.exact }, 'few', limits)
    const named = await bestOfStage(tx, { ...ofKind, query, stage: stage.names }, 'many', limits)
    for (const row of [...named, ...exact]) found.set(row.id, row)
  }
  return [...found.values()].sort(bestFirst)
}

const toMatches = (rows: Row[], hasMore: boolean, alikeWords: string[] = []): SearchMatches => ({
  matches: rows.map(({ id, kind, stage: step, score, distance }) => ({
    id,
    kind,
    stage: step,
    score,
    isAlike: step >= stage.alike,
    distanceMiles: distance,
  })),
  alikeWords,
  hasMore,
})

const maxExamined = 40

async function findSimilarWords(db: Db, words: readonly string[], hasTrigrams: boolean): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < shortestTypo) continue
    const others = nearest(word, hasTrigrams ? await bySpelling(db, word) : await byBeginning(db, word))
    if (others.length > 0) found.set(word, others)
  }
  return found
}

const bySpelling = async (db: Db, word: string): Promise<string[]> => {
  const { rows } = await sql<{ word: string }>`
    select word from search_words where word % ${word} order by similarity(word, ${word}) desc, word limit ${maxExamined}`.execute(db)
  return rows.map((row) => row.word)
}

/** Used if the database has no trigrams: finds words with the same first letter and a similar length. */
const byBeginning = async (db: Db, word: string): Promise<string[]> => {
  const first = [...word][0] as string
  const rows = await db
    .selectFrom('search_words')
    .select('word')
    .where('word', '>=', first)
    .where('word', '<', `${first}\u{10FFFF}`)
    .where(sql<boolean>`length(word) between ${word.length - 2} and ${word.length + 2}`)
    .execute()
  return rows.map((row) => row.word)
}
