import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { inSavepoint, inTransaction, sqlState } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { type IndexedSubject, markForSearch, type SearchDocument, type SearchIndex } from '../../kernel/search.ts'
import { idsAfter, loadDocuments } from './documents.queries.ts'
import { withBrevity } from './quality.ts'
import { strainDocuments } from './strain-documents.ts'

/**
 * How the index follows the tables. Its writers come one after another, whatever process they are in, by holding the row of
 * `search_state`: each reads its subjects anew and so never puts something old over something newer, and what it does can be done again.
 */
export type IndexParts = Pick<Context, 'db' | 'clock' | 'log'> & { index: SearchIndex }

const batch = 500

/** The order of a pass: names that everybody knows first, by which the mistyped ones are recognized. */
const passKinds = ['strain', 'business', 'community', 'person', 'product', 'post'] as const
type PassKind = (typeof passKinds)[number]

type State = { is_pass_wanted: boolean; pass_kind: PassKind | null; pass_after: string | null }

/** Holds the state until the transaction ends. Undefined where another one does. */
const takeTurn = (tx: Tx): Promise<State | undefined> =>
  tx.selectFrom('search_state').select(['is_pass_wanted', 'pass_kind', 'pass_after']).forUpdate().skipLocked().executeTakeFirst()

/** `more`: there may be more to do at once; `busy`: another process does it */
export type Step = 'more' | 'busy' | 'idle'

export async function indexNext(parts: IndexParts): Promise<Step> {
  // Nothing is locked to see that there is nothing, which is how it is most of the time.
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
    // What was written just now is waited for; a pass is not.
    const hasDone = (await indexChanges(tx, parts)) || (await passOn(tx, parts, state))
    return hasDone ? 'more' : 'idle'
  })
  return work.catch((error: unknown) => {
    // A subject was deleted between reading it and writing its document: the next reading knows.
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

/** As they are now: those that are not to be found leave the index, and so does what it cannot hold any more. */
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

/** One that the database refuses is found by halves, logged and left out: it would hold up all others, at every try. */
async function putDocuments(tx: Tx, parts: IndexParts, documents: readonly SearchDocument[]): Promise<Put> {
  try {
    const moved = await inSavepoint(tx, () => parts.index.put(tx, documents))
    return { put: documents.map(({ id }) => id), moved }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [first, ...others] = documents
    if (first && others.length === 0) {
      parts.log.error({ err: error, kind: first.kind, id: first.id }, 'the search index cannot hold this; it is left out')
      return { put: [], moved: [] }
    }
    const middle = Math.ceil(documents.length / 2)
    const one = await putDocuments(tx, parts, documents.slice(0, middle))
    const other = await putDocuments(tx, parts, documents.slice(middle))
    return { put: [...one.put, ...other.put], moved: [...one.moved, ...other.moved] }
  }
}

/** By its class an error about the row itself: what its values are, which constraint they break, which limit they pass. */
function isRefusal(error: unknown): boolean {
  const state = sqlState(error)
  return state !== undefined && state !== foreignKeyViolation && /^(22|23|54)/.test(state)
}

/** What a business offers and says carries its state, its type and its place. */
async function markContents(tx: Tx, businessId: string): Promise<void> {
  for (const [kind, table] of [
    ['product', 'products'],
    ['post', 'posts'],
  ] as const) {
    const rows = await tx.selectFrom(table).select('id').where('business_id', '=', businessId).execute()
    for (let from = 0; from < rows.length; from += batch) {
      await markForSearch(
        tx,
        kind,
        rows.slice(from, from + batch).map(({ id }) => id),
      )
    }
  }
}

/** One step of a pass over everything. Where it stands is kept, so that a process that ends goes on where it was. */
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

/** @returns the last id of the step, null where there is none */
async function indexAfter(tx: Tx, parts: IndexParts, kind: IndexedSubject, { pass_after }: State): Promise<string | null> {
  const ids = (await idsAfter(tx, kind, pass_after, batch)).map(({ id }) => id)
  if (ids.length > 0) await indexSubjects(tx, parts, kind, ids)
  return ids.at(-1) ?? null
}

/** Their list came with the program: what is in it no more leaves the index at the beginning. */
async function indexStrains(tx: Tx, parts: IndexParts, after: string | null): Promise<string | null> {
  const all = strainDocuments().sort((one, other) => (one.id < other.id ? -1 : 1))
  if (after === null)
    await parts.index.removeAllBut(
      tx,
      'strain',
      all.map(({ id }) => id),
    )
  const step = all.filter(({ id }) => after === null || id > after).slice(0, batch)
  await putDocuments(tx, parts, step)
  return step.at(-1)?.id ?? null
}
