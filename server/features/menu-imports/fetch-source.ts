import { createHash } from 'node:crypto'
import type { ExpressionBuilder } from 'kysely'
import { figure } from '#contracts/fields.ts'
import { maxSyncItems } from '#contracts/limits.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import type { DB } from '#server/db/schema.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import { failureReason } from '#server/features/webhooks/index.ts'
import type { Context, OutsideAnswer } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { requireShallow } from '#server/kernel/json-body.ts'
import { unseal } from '#server/kernel/secrets.ts'
import { importRow } from './imports.queries.ts'
import { leaseMs, nextFetch, type SourceRow, sealOf, selectSource } from './menu-source.ts'
import { insertSync, saveItems } from './syncs.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'brand' | 'jobs' | 'events' | 'outside' | 'log'>
export type FetchedFile = {
  businessId: string
  fileName: string
  bytes: Buffer
  sourceId: string | null
  userId: string | null
  /** A file with fewer rows is refused. */
  minRows: number
}

/** Injected because `run-import.ts` imports this file. */
type Engine = {
  runImport(ctx: Ctx, importId: string): Promise<void>
  importMenuFile(ctx: Ctx, file: FetchedFile): Promise<MenuImport>
}

const timeLimitMs = 60_000
const maxBytes = 10 * 1024 * 1024
/** Even an unchanged menu is read again once a day, which confirms its items. */
const wholeAgainMs = 20 * hourMs
const stopAfterMs = 3 * dayMs
const busyMs = 5 * minuteMs

/** The menu can't be fetched or read. The message is for the team. */
class FetchFailed extends Error {
  override readonly name = 'FetchFailed'
}

class MenuBusy extends Error {
  override readonly name = 'MenuBusy'
}

/** `isAsked`: a person requested the fetch, so a shrunken menu is intended. */
export type FetchJob = { sourceId: string; isAsked?: boolean }

/** A menu with fewer than half as many rows as the last one was probably cut off, if the last one had at least this many. */
const minRowsToCompare = 20

async function fewestRows(db: Db, sourceId: string): Promise<number> {
  const last = await db
    .selectFrom('menu_imports')
    .select('rows_total')
    .where('source_id', '=', sourceId)
    .where('status', 'in', ['done', 'undone'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last && last.rows_total >= minRowsToCompare ? Math.ceil(last.rows_total / 2) : 0
}

export const shrunk = (rows: number): string =>
  `This menu has fewer than half as many rows as the last one (${rows}), so it may have been cut off. Nothing was changed. If it’s right, choose “Fetch now”.`

/** Fetches a menu and applies it like a file or a sync. Only one fetch of a menu runs at a time, across processes. */
export async function fetchSource(ctx: Ctx, engine: Engine, { sourceId, isAsked = false }: FetchJob): Promise<void> {
  const source = await lease(ctx, sourceId)
  if (!source) return
  try {
    const fetched = await fetchMenu(ctx, source)
    const hash = fetched === null ? source.content_hash : createHash('sha256').update(fetched.body).digest('base64url')
    const isUnchanged = fetched === null || (hash === source.content_hash && isRecentlyApplied(ctx, source))
    const appliedAt = ctx.clock.now()
    const minRows = isAsked ? 0 : await fewestRows(ctx.db, source.id)
    if (!(await isLeased(ctx.db, source))) return
    if (!isUnchanged) await applyMenu(ctx, engine, { source, body: fetched.body, minRows })
    await settle(ctx, source, {
      outcome: isUnchanged ? 'unchanged' : 'imported',
      error: null,
      failing_since: null,
      content_hash: hash,
      ...(fetched === null ? {} : { etag: fetched.headers.etag ?? null, last_modified: fetched.headers['last-modified'] ?? null }),
      ...(isUnchanged ? {} : { applied_at: appliedAt }),
    })
  } catch (error) {
    if (error instanceof MenuBusy) return putOff(ctx, source, isAsked)
    if (!(error instanceof FetchFailed)) throw error
    await fail(ctx, source, error.message)
  }
}

async function lease(ctx: Ctx, sourceId: string): Promise<SourceRow | null> {
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + leaseMs)
  const { numUpdatedRows } = await ctx.db
    .updateTable('menu_sources')
    .set({ fetching_until: until })
    .where('id', '=', sourceId)
    .where('stopped_at', 'is', null)
    .where((eb) => eb.or([eb('fetching_until', 'is', null), eb('fetching_until', '<=', now)]))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return null
  const row = await selectSource(ctx.db, ctx).where('menu_sources.id', '=', sourceId).where('fetching_until', '=', until).executeTakeFirst()
  if (!row) return null
  if (row.is_connected) return row
  // The schedule stays, because its creator may regain the right to connect.
  const next_fetch_at = await nextFetch(ctx.db, row, now, false)
  await ctx.db.updateTable('menu_sources').set({ fetching_until: null, next_fetch_at }).where(leaseOf(row)).execute()
  return null
}

/** Matches nothing if the address was saved, or another fetch requested, during this fetch: the next fetch then writes the outcome. */
const leaseOf =
  ({ id, fetching_until }: SourceRow) =>
  (eb: ExpressionBuilder<DB, 'menu_sources'>) =>
    eb.and({ id, fetching_until })

const isLeased = async (db: Db, source: SourceRow): Promise<boolean> =>
  (await db.selectFrom('menu_sources').select('id').where(leaseOf(source)).executeTakeFirst()) !== undefined

const isRecentlyApplied = ({ clock }: Ctx, { applied_at }: SourceRow): boolean =>
  applied_at !== null && clock.now().getTime() - applied_at.getTime() < wholeAgainMs

/** Null if the menu hasn't changed since it was last applied. @throws FetchFailed */
async function fetchMenu(ctx: Ctx, source: SourceRow): Promise<OutsideAnswer | null> {
  if (source.muted_until !== null && source.muted_until > ctx.clock.now()) {
    throw new FetchFailed('The person who set up this address can’t publish right now.')
  }
  const isKnown = isRecentlyApplied(ctx, source)
  const answer = await ctx.outside
    .call({
      url: source.url,
      headers: {
        'user-agent': `${ctx.brand.slug}-menus`,
        accept: 'application/json, text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, */*;q=0.5',
        ...(isKnown && source.etag !== null ? { 'if-none-match': source.etag } : {}),
        ...(isKnown && source.last_modified !== null ? { 'if-modified-since': source.last_modified } : {}),
        ...credentials(ctx, source),
      },
      secretHeader: source.auth === 'header' ? (source.auth_name ?? undefined) : undefined,
      maxBytes,
      timeLimitMs,
      maxRedirects: 3,
    })
    .catch((error: unknown) => {
      throw new FetchFailed(failureReason(error, timeLimitMs), { cause: error })
    })
  if (answer.status === 304 && isKnown) return null
  if (answer.status === 401 || answer.status === 403) {
    throw new FetchFailed(`The server denied access (${answer.status}). Check the username, the password or the header.`)
  }
  if (answer.status !== 200) throw new FetchFailed(`The server responded with ${answer.status}.`)
  if (answer.body.length === 0) throw new FetchFailed('The file at this address is empty.')
  return answer
}

function credentials({ config }: Ctx, source: SourceRow): Record<string, string> {
  if (source.auth === 'none' || source.auth_name === null || source.sealed_secret === null) return {}
  const secret = unseal(sealOf(config, source.id), source.sealed_secret)
  if (secret === null) throw new FetchFailed('The stored password or header can’t be read anymore. Enter it again.')
  if (source.auth === 'header') return { [source.auth_name]: secret }
  return { authorization: `Basic ${Buffer.from(`${source.auth_name}:${secret}`).toString('base64')}` }
}

/** @throws FetchFailed, MenuBusy */
async function applyMenu(ctx: Ctx, engine: Engine, fetched: { source: SourceRow; body: Buffer; minRows: number }): Promise<void> {
  const { source, body, minRows } = fetched
  const text = body
    .subarray(0, 100)
    .toString()
    .replace(/^\ufeff/, '')
    .trimStart()
  const { status, error } = /^[[{]/.test(text)
    ? await applyItems(ctx, engine, source, readItems(body, minRows))
    : await applyFile(ctx, engine, fetched)
  // If the process dies, its import stays marked as running until the sweep of imports recovers it.
  if (status === 'failed') throw new FetchFailed(error ?? 'The menu couldn’t be imported.')
}

/** @throws FetchFailed */
function readItems(body: Buffer, minRows: number): unknown[] {
  let sent: unknown
  try {
    requireShallow(body)
    sent = JSON.parse(body.toString().replace(/^\ufeff/, ''))
  } catch (error) {
    throw new FetchFailed('The JSON at this address can’t be read.', { cause: error })
  }
  const items = Array.isArray(sent) ? sent : (sent as { items?: unknown }).items
  if (!Array.isArray(items)) throw new FetchFailed('The JSON must be a list of items, or have one named “items”.')
  if (items.length > maxSyncItems) throw new FetchFailed(`The menu has more than ${figure(maxSyncItems)} items.`)
  if (items.length < minRows) throw new FetchFailed(shrunk(items.length))
  return items
}

async function applyItems(ctx: Ctx, { runImport }: Engine, source: SourceRow, items: readonly unknown[]) {
  const id = await beginItems(ctx, source, items)
  await runImport(ctx, id)
  return importRow(ctx.db, source.business_id, id)
}

/** @throws MenuBusy */
async function applyFile(
  ctx: Ctx,
  { importMenuFile }: Engine,
  { source, body: bytes, minRows }: { source: SourceRow; body: Buffer; minRows: number },
): Promise<MenuImport> {
  const { pathname, host } = new URL(source.url)
  const file = { businessId: source.business_id, fileName: (pathname.split('/').at(-1) || host).slice(0, 200), bytes }
  return importMenuFile(ctx, { ...file, sourceId: source.id, userId: source.created_by, minRows }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'conflict') throw new MenuBusy(error.message, { cause: error })
    throw error
  })
}

function beginItems({ db, clock }: Ctx, source: SourceRow, items: readonly unknown[]): Promise<string> {
  const id = newId()
  const { host } = new URL(source.url)
  return unlessBusy(
    inTransaction(db, async (tx) => {
      const by = { sourceId: source.id, keyId: null, keyName: null }
      await insertSync(
        tx,
        { id, businessId: source.business_id, ...by, fileName: host, kind: 'full_sync', itemCount: items.length },
        clock.now(),
      )
      await saveItems(tx, id, items)
      return id
    }),
  )
}

async function unlessBusy<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error, 'menu_imports_one_at_a_time')) throw new MenuBusy('Another import is running.', { cause: error })
    throw error
  }
}

type Settled = Partial<Pick<SourceRow, 'outcome' | 'error' | 'failing_since' | 'content_hash' | 'etag' | 'last_modified' | 'applied_at'>>

async function settle({ db, clock }: Ctx, source: SourceRow, values: Settled): Promise<void> {
  const now = clock.now()
  const next = await nextFetch(db, source, now, false)
  await db
    .updateTable('menu_sources')
    .set({ ...values, fetched_at: now, fetching_until: null, next_fetch_at: next })
    .where(leaseOf(source))
    .execute()
}

/** A fetch that a person requested is queued again as such, because a scheduled one would refuse a shrunken menu. */
async function putOff({ db, clock, jobs }: Ctx, source: SourceRow, isAsked: boolean): Promise<void> {
  const next_fetch_at = new Date(clock.now().getTime() + (isAsked ? leaseMs : busyMs))
  await inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('menu_sources')
      .set({ fetching_until: null, next_fetch_at })
      .where(leaseOf(source))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n || !isAsked) return
    await jobs.enqueue('menus.fetch-source', { sourceId: source.id, isAsked }, { tx, startAfterSeconds: busyMs / 1000 })
  })
}

/** Notifies the owner and managers of the first failure, and again when three days of failures stop the fetches. */
async function fail(ctx: Ctx, source: SourceRow, error: string): Promise<void> {
  const now = ctx.clock.now()
  const next = await nextFetch(ctx.db, source, now, true)
  const since = source.failing_since ?? now
  const isStopped = now.getTime() - since.getTime() >= stopAfterMs
  await inTransaction(ctx.db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('menu_sources')
      .set({ outcome: 'failed', error, fetched_at: now, fetching_until: null, failing_since: since })
      .set(isStopped ? { stopped_at: now, next_fetch_at: null } : { next_fetch_at: next })
      .where(leaseOf(source))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n || (source.failing_since !== null && !isStopped)) return
    const what = isStopped ? 'menu_fetch_stopped' : 'menu_fetch_failed'
    await ctx.events.publish(tx, 'connection.failed', { connectionId: source.id, what })
  })
}

export async function fetchDueSources({ db, clock, jobs }: Ctx): Promise<void> {
  const due = await db
    .selectFrom('menu_sources')
    .select('id')
    .where('next_fetch_at', '<=', clock.now())
    .orderBy('next_fetch_at')
    .limit(1000)
    .execute()
  for (const { id } of due) await jobs.enqueue('menus.fetch-source', { sourceId: id })
}
