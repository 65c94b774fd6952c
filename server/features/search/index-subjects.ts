import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inSavepoint, inTransaction, sqlState } from '#server/db/transaction.ts'
import { allStrains, nameKey, type Strain } from '#server/features/strains/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { hashedId } from '#server/kernel/ids.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { type IndexedSubject, markForSearch, requestFullReindex, type SearchDocument, type SearchIndex } from '#server/kernel/search.ts'
import { idsAfter, loadDocuments, strainQuality, withBrevity } from './documents.queries.ts'

/**
 * Keeps the index in sync with the tables. A lock on the row of `search_state` serializes writers across processes. Each reads its subjects
 * again, so stale data never overwrites newer data and every step can be repeated.
 */

type IndexParts = Pick<Context, 'db' | 'clock' | 'log'> & { index: SearchIndex }

const batch = 500

/** The order of a pass: well-known names first, because they help recognize typos. */
const passKinds = ['strain', 'business', 'community', 'person', 'product', 'post'] as const
type PassKind = (typeof passKinds)[number]

type State = { is_pass_wanted: boolean; pass_kind: PassKind | null; pass_after: string | null }

/** Locks the state; undefined if another transaction has the lock. */
const takeTurn = (tx: Tx): Promise<State | undefined> =>
  tx.selectFrom('search_state').select(['is_pass_wanted', 'pass_kind', 'pass_after']).forUpdate().skipLocked().executeTakeFirst()

/** `more`: there is more to do, so call again immediately; `busy`: another process is indexing. */
type Step = 'more' | 'busy' | 'idle'

async function indexNext(parts: IndexParts): Promise<Step> {
  // Avoids the lock when there is nothing to do, which is the usual case.
  const { waits } = await parts.db
    .selectNoFrom(
      sql<boolean>`exists (select from search_changes)
        or exists (select from search_state where is_pass_wanted or pass_kind is not null)`.as('waits'),
    )
    .executeTakeFirstOrThrow()
  if (!waits) return 'idle'
  const work = inTransaction(parts.db, async (tx): Promise<Step> => {
    const state = await takeTurn(tx)
    if (!state) return 'busy'
    // Recent changes are indexed before the full pass continues.
    const hasDone = (await indexChanges(tx, parts)) || (await passOn(tx, parts, state))
    return hasDone ? 'more' : 'idle'
  })
  return work.catch((error: unknown) => {
    // A subject was deleted between reading it and writing its document; retry.
    if (sqlState(error) === foreignKeyViolation) return 'more'
    throw error
  })
}

const foreignKeyViolation = '23503'

async function indexChanges(tx: Tx, parts: IndexParts): Promise<boolean> {
  const changes = await tx.selectFrom('search_changes').select(['id', 'kind', 'subject_id']).orderBy('id').limit(batch).execute()
  if (changes.length === 0) return false
  for (const kind of new Set(changes.map((change) => change.kind))) {
    const ids = changes.filter((change) => change.kind === kind).map((change) => change.subject_id)
    await indexSubjects(tx, parts, kind, [...new Set(ids)])
  }
  const done = changes.map(({ id }) => id)
  await tx.deleteFrom('search_changes').where(sql<boolean>`id = any(${done}::uuid[])`).execute()
  return true
}

/** Indexes subjects as they are now. Removes subjects that search no longer shows or that the index rejects. */
async function indexSubjects(tx: Tx, parts: IndexParts, kind: IndexedSubject, ids: readonly string[]): Promise<void> {
  const documents = (await loadDocuments[kind](tx, ids, parts.clock.now())).map((each) => ({
    ...each,
    quality: withBrevity(each.quality, each.title),
  }))
  const { put, moved } = await putDocuments(tx, parts, documents)
  const found = new Set(put)
  const gone = ids.filter((id) => !found.has(id))
  if (gone.length > 0) await parts.index.remove(tx, kind, gone)
  if (kind === 'business') for (const id of moved) await markContents(tx, id)
}

type Put = { put: string[]; moved: string[] }

/**
 * Bisects to find documents that the database rejects, then logs and skips them. Otherwise, one would block all others on every attempt.
 */
async function putDocuments(tx: Tx, parts: IndexParts, documents: readonly SearchDocument[]): Promise<Put> {
  try {
    const moved = await inSavepoint(tx, () => parts.index.put(tx, documents))
    return { put: documents.map(({ id }) => id), moved }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [first, ...others] = documents
    if (first && others.length === 0) {
      parts.log.error({ err: error, kind: first.kind, id: first.id }, 'the search index can’t hold this entry; skipping it')
      return { put: [], moved: [] }
    }
    const middle = Math.ceil(documents.length / 2)
    const one = await putDocuments(tx, parts, documents.slice(0, middle))
    const other = await putDocuments(tx, parts, documents.slice(middle))
    return { put: [...one.put, ...other.put], moved: [...one.moved, ...other.moved] }
  }
}

/** Whether the row itself caused the error: invalid values, violated constraints other than foreign keys, or exceeded limits. */
function isRefusal(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && state !== foreignKeyViolation && /^(22|23|54)/.test(state)
}

/** A business's products and posts are indexed with its name, state, type and place. */
async function markContents(tx: Tx, businessId: string): Promise<void> {
  for (const [kind, table] of [
    ['product', 'products'],
    ['post', 'posts'],
  ] as const) {
    const rows = await tx.selectFrom(table).select('id').where('business_id', '=', businessId).execute()
    for (let from = 0; from < rows.length; from += batch) {
      await markForSearch(tx, kind, idsOf(rows.slice(from, from + batch)))
    }
  }
}

/** One step of a full pass. The position is stored, so that a restarted process can resume. */
async function passOn(tx: Tx, parts: IndexParts, state: State): Promise<boolean> {
  if (state.pass_kind === null) {
    if (!state.is_pass_wanted) return false
    await tx.updateTable('search_state').set({ is_pass_wanted: false, pass_kind: passKinds[0], pass_after: null }).execute()
    return true
  }
  const last =
    state.pass_kind === 'strain' ? await indexStrains(tx, parts, state.pass_after) : await indexAfter(tx, parts, state.pass_kind, state)
  if (last !== null) {
    await tx.updateTable('search_state').set({ pass_after: last }).execute()
    return true
  }
  const next = passKinds[passKinds.indexOf(state.pass_kind) + 1] ?? null
  const end = next === null ? { passed_at: parts.clock.now() } : {}
  await tx
    .updateTable('search_state')
    .set({ pass_kind: next, pass_after: null, ...end })
    .execute()
  return true
}

async function indexAfter(tx: Tx, parts: IndexParts, kind: IndexedSubject, { pass_after }: State): Promise<string | null> {
  const ids = (await idsAfter(tx, kind, pass_after, batch)).map(({ id }) => id)
  if (ids.length > 0) await indexSubjects(tx, parts, kind, ids)
  return ids.at(-1) ?? null
}

/** Strains ship with the program: strains no longer listed leave the index when the pass starts. */
async function indexStrains(tx: Tx, parts: IndexParts, after: string | null): Promise<string | null> {
  const all = strainDocuments().sort((one, other) => (one.id < other.id ? -1 : 1))
  if (after === null) await parts.index.removeAllBut(tx, 'strain', idsOf(all))
  const step = all.filter(({ id }) => after === null || id > after).slice(0, batch)
  await putDocuments(tx, parts, step)
  return step.at(-1)?.id ?? null
}

/** Strains have no table, so their IDs are derived from the name. */
const strainId = (name: string): string => hashedId(`strain ${nameKey(name)}`)

let strains: ReadonlyMap<string, Strain> | null = null

export function strainsById(): ReadonlyMap<string, Strain> {
  strains ??= new Map(allStrains().map((strain) => [strainId(strain.name), strain]))
  return strains
}

const strainDocuments = (): SearchDocument[] =>
  [...strainsById()].map(([id, { name, type, breeder }]) => ({
    id,
    kind: 'strain',
    title: name,
    names: breeder === null ? [] : [breeder],
    text: type ?? '',
    quality: withBrevity(strainQuality, name),
    state: null,
    businessType: null,
    pin: null,
    isCommonKnowledge: true,
  }))

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'search.index': Record<string, never>
    'search.refresh': Record<string, never>
  }
}

const busyMs = 100

/** Processes everything pending, including a full pass, or waits until another process has. */
export async function indexAll(parts: IndexParts, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const step = await indexNext(parts)
    if (step === 'idle') return
    if (step === 'busy') await sleep(busyMs)
  }
}

const searchJobs = (parts: IndexParts, signal: AbortSignal) =>
  ({
    'search.index': () => indexAll(parts, signal),
    /** A nightly pass, because time changes ranks without marking anything (`markForSearch`). It also makes up for missed marks. */
    async 'search.refresh'() {
      await inTransaction(parts.db, requestFullReindex)
      await parts.index.prune()
    },
  }) satisfies Partial<JobHandlers>

export const searchSchedules: JobSchedule[] = [
  // A fallback; normally the indexer is much faster.
  { name: 'search.index', cron: '*/10 * * * *', data: {} },
  { name: 'search.refresh', cron: '17 9 * * *', data: {} },
]

const idleMs = 1000
/** A pause between the steps of a pass, to yield the CPU. */
const breathMs = 20

type SearchIndexer = {
  /** Stopping the indexer ends these jobs between two steps. */
  jobs: ReturnType<typeof searchJobs>
  start(): void
  stop(): Promise<void>
}

/** Indexes changes within about a second. On first start, it fills the index while the server is already running. */
export function createSearchIndexer(parts: IndexParts): SearchIndexer {
  const end = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    while (!end.signal.aborted) {
      const step = await indexNext(parts).catch((error: unknown) => {
        parts.log.error({ err: error }, 'the search index could not be updated; retrying')
        return 'idle' as const
      })
      await sleep(step === 'more' ? breathMs : idleMs, undefined, { signal: end.signal }).catch(() => {})
    }
  }
  return {
    jobs: searchJobs(parts, end.signal),
    start() {
      running = run()
    },
    async stop() {
      end.abort()
      await running
    },
  }
}
