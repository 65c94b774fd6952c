import type { MenuSync } from '#contracts/integrations.endpoints.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { MenuSource, NewMenuSource } from '#contracts/menu-sources.ts'
import { dayMs, hourMs, minuteMs } from '#contracts/time.ts'
import type * as z from '#contracts/zod.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { ProgramAccess } from '#server/features/accounts/index.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { mayCreatorConnect } from '#server/features/keys/index.ts'
import { loadLocations } from '#server/features/locations/index.ts'
import { bylineColumns, toPerson } from '#server/features/people/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import { requirePublic } from '#server/features/webhooks/index.ts'
import { type Actor, requireNotMuted } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type Seal, seal } from '#server/kernel/secrets.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'
import { columnName } from './check-file.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'jobs' | 'outside'>
type Reading = Pick<Context, 'clock' | 'config'>
type Answer = { source: MenuSource | null }

export const sealOf = ({ sessionSecret }: Pick<Context['config'], 'sessionSecret'>, id: string): Seal => ({
  serverSecret: sessionSecret,
  purpose: 'menu source secrets 1',
  about: id,
})

export const selectSource = (db: Db, ctx: Reading) =>
  db
    .selectFrom('menu_sources')
    .leftJoin('users', 'users.id', 'menu_sources.created_by')
    .selectAll('menu_sources')
    .select(['users.muted_until', mayCreatorConnect('menu_sources', ctx).as('is_connected')])

export type SourceRow = NonNullable<Awaited<ReturnType<ReturnType<typeof selectSource>['executeTakeFirst']>>>

/** @throws AppError not_found, forbidden */
export async function readSource(ctx: Pick<Context, 'db' | 'clock' | 'config'>, actor: Actor, idOrSlug: string): Promise<Answer> {
  const business = await requirePermission(ctx.db, actor, idOrSlug, 'connections')
  return { source: await sourceOf(ctx.db, ctx, business.id) }
}

async function sourceOf(db: Db, ctx: Reading, businessId: string): Promise<MenuSource | null> {
  const row = await selectSource(db, ctx).where('menu_sources.business_id', '=', businessId).executeTakeFirst()
  if (!row) return null
  const by =
    row.created_by === null
      ? undefined
      : await db.selectFrom('users').select(bylineColumns).where('id', '=', row.created_by).executeTakeFirst()
  const now = ctx.clock.now()
  const stopReason = row.stopped_at !== null ? 'failing' : row.is_connected ? null : 'creator'
  return {
    id: row.id,
    url: row.url,
    auth: row.auth,
    authName: row.auth_name,
    schedule: row.schedule,
    state: stopReason !== null ? 'stopped' : row.failing_since !== null ? 'failing' : 'working',
    stopReason,
    isFetching: row.fetching_until !== null && row.fetching_until > now,
    fetchedAt: row.fetched_at?.toISOString() ?? null,
    outcome: row.outcome,
    error: row.error,
    failingSince: row.failing_since?.toISOString() ?? null,
    nextFetchAt: stopReason === null ? (row.next_fetch_at?.toISOString() ?? null) : null,
    createdBy: by ? toPerson(by).name : null,
    lastMenu: await lastMenuOf(db, row.id),
  }
}

const maxErrors = 100

async function lastMenuOf(db: Db, sourceId: string): Promise<MenuSource['lastMenu']> {
  const row = await db
    .selectFrom('menu_imports')
    .select([
      'id',
      'status',
      'items_added',
      'items_changed',
      'items_confirmed',
      'items_missing',
      'rows_refused',
      'columns',
      'row_errors',
      'item_errors',
    ])
    .select('created_at')
    .where('source_id', '=', sourceId)
    .where('status', 'in', ['running', 'done', 'failed', 'undone'])
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  // Only this feature writes these columns, in these forms.
  const columns = row.columns as MenuImport['columns']
  const ofRows = (row.row_errors as MenuImport['rowErrors']).map(({ row: at, field, message }) => ({
    where: `Row ${at}`,
    field: field && columnName(columns, field),
    message,
  }))
  const ofItems = (row.item_errors as MenuSync['errors']).map(({ index, id, ...error }) => ({ where: id ?? `Item ${index + 1}`, ...error }))
  return {
    importId: row.id,
    status: row.status as NonNullable<MenuSource['lastMenu']>['status'],
    itemsAdded: row.items_added,
    itemsChanged: row.items_changed,
    itemsConfirmed: row.items_confirmed,
    itemsMissing: row.items_missing,
    itemsRejected: row.rows_refused,
    errors: [...ofRows, ...ofItems].slice(0, maxErrors),
    at: row.created_at.toISOString(),
  }
}

/** Nightly fetches start at this local hour and are spread over this many minutes, so that businesses don't all fetch at the same time. */
const nightHour = 3
const nightMinutes = 120

/** Returns null if the menu is only fetched manually. A failed fetch is retried in an hour. */
export async function nextFetch(
  db: Db,
  row: Pick<SourceRow, 'id' | 'business_id' | 'schedule'>,
  now: Date,
  hasFailed: boolean,
): Promise<Date | null> {
  if (row.schedule === 'manual') return null
  if (row.schedule === 'hourly' || hasFailed) return new Date(now.getTime() + hourMs)
  const [main] = await loadLocations(db, row.business_id, now)
  const zone = main?.timeZone ?? 'UTC'
  const minute = nightHour * 60 + (Number.parseInt(row.id.slice(-4), 16) % nightMinutes)
  const tonight = momentOf(zone, localTime(zone, now).date, minute)
  return new Date(tonight > now.getTime() ? tonight : momentOf(zone, localTime(zone, new Date(now.getTime() + dayMs)).date, minute))
}

/**
 * Replaces the address of a menu and fetches it.
 * @throws AppError not_found, forbidden, muted, invalid_input if the address isn't on the public web or its secret is missing, unavailable
 */
export async function saveSource(ctx: Ctx, actor: Actor, idOrSlug: string, input: z.output<typeof NewMenuSource>): Promise<Answer> {
  await requirePermission(ctx.db, actor, idOrSlug, 'connections')
  requireNotMuted(actor)
  await requirePublic(ctx, input.url)
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    const before = await tx.selectFrom('menu_sources').selectAll().where('business_id', '=', business.id).forUpdate().executeTakeFirst()
    const id = before?.id ?? newId()
    const isAtSamePlace =
      before !== undefined &&
      new URL(before.url).origin === new URL(input.url).origin &&
      before.auth === input.auth &&
      before.auth_name === input.authName
    const stored = isAtSamePlace ? before.sealed_secret : null
    if (input.auth !== 'none' && input.secret === '' && stored === null) {
      throw invalidField('secret', input.auth === 'basic' ? 'Enter the password' : 'Enter the header’s value')
    }
    const values = {
      created_by: actor.id,
      url: input.url,
      auth: input.auth,
      auth_name: input.auth === 'none' ? null : input.authName,
      sealed_secret: input.auth === 'none' ? null : input.secret === '' ? stored : seal(sealOf(ctx.config, id), input.secret),
      schedule: input.schedule,
      ...restarted(now),
    }
    await tx
      .insertInto('menu_sources')
      .values({ id, business_id: business.id, created_at: now, ...values })
      .onConflict((conflict) => conflict.column('business_id').doUpdateSet(values))
      .execute()
    await ctx.jobs.enqueue('menus.fetch-source', { sourceId: id, isAsked: true }, { tx })
    const answer = { source: await sourceOf(tx, ctx, business.id) }
    await audit(tx, actor, 'menu_source.saved', { id, businessId: business.id, now })
    return answer
  })
}

/** Longer than a fetch and its import can take. If a process dies midway, the address isn't fetched for this long. */
export const leaseMs = 10 * minuteMs

/**
 * Clears the state of the address, so that its whole menu is read again, and ends the lease of a running fetch. A job fetches it now;
 * `next_fetch_at` only matters if that job is lost.
 */
const restarted = (now: Date) => ({
  next_fetch_at: new Date(now.getTime() + leaseMs),
  fetching_until: null,
  stopped_at: null,
  failing_since: null,
  outcome: null,
  error: null,
  etag: null,
  last_modified: null,
  content_hash: null,
})

/** @throws AppError not_found, forbidden, muted */
export async function fetchSourceNow(ctx: Ctx, actor: Actor, idOrSlug: string): Promise<Answer> {
  requireNotMuted(actor)
  return inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    const before = await selectSource(tx, ctx)
      .where('menu_sources.business_id', '=', business.id)
      .forUpdate('menu_sources')
      .executeTakeFirst()
    if (!before) throw notFound('No address is set up for this menu.')
    const by = before.is_connected ? before.created_by : actor.id
    await tx
      .updateTable('menu_sources')
      .set({ ...restarted(ctx.clock.now()), created_by: by })
      .where('id', '=', before.id)
      .execute()
    await ctx.jobs.enqueue('menus.fetch-source', { sourceId: before.id, isAsked: true }, { tx })
    return { source: await sourceOf(tx, ctx, business.id) }
  })
}

/** @throws AppError not_found, forbidden */
export async function deleteSource({ db, clock }: Ctx, actor: Actor, idOrSlug: string): Promise<void> {
  const now = clock.now()
  await inTransaction(db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'connections', { lock: true })
    const deleted = await tx.deleteFrom('menu_sources').where('business_id', '=', business.id).returning('id').executeTakeFirst()
    if (deleted) await audit(tx, actor, 'menu_source.deleted', { id: deleted.id, businessId: business.id, now })
  })
}

/** Called when a business's team is dissolved. */
export const deleteSourceOf = (tx: Tx, businessId: string) => tx.deleteFrom('menu_sources').where('business_id', '=', businessId).execute()

const audit = (
  tx: Tx,
  actor: Actor,
  action: `menu_source.${string}`,
  { id, businessId, now }: { id: string; businessId: string; now: Date },
) => recordAudit(tx, { at: now, actorId: actor.id, action, subjectType: 'menu_source', subjectId: id, businessId })

/** Stops fetches from an address saved since then until someone on the team resumes them. That address replaced any earlier one. */
export const menuSourceAccess: ProgramAccess = {
  async endSince(tx, { userId, since }) {
    await tx
      .updateTable('menu_sources')
      .set({ created_by: null })
      .where('created_by', '=', userId)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('audit_log')
            .select('audit_log.id')
            .whereRef('audit_log.subject_id', '=', 'menu_sources.id')
            .where('audit_log.action', '=', 'menu_source.saved')
            .where('audit_log.actor_id', '=', userId)
            .where('audit_log.at', '>=', since),
        ),
      )
      .execute()
  },
}
