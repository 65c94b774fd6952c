import type { Correction, NewCorrection } from '#contracts/corrections.endpoints.ts'
import type { Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { correctListing, lockFacts, requireBusiness, restoreListing } from '#server/features/businesses/index.ts'
import { loadLocations, setMainHours } from '#server/features/locations/index.ts'
import { mergeBusinesses } from '#server/features/merges/index.ts'
import { requirePermission, roleOf } from '#server/features/team/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { permissionFor } from './corrections.policy.ts'
import { type CorrectionRow, correctionRow, type LockedCorrection, lockCorrection, type Replaced } from './corrections.queries.ts'
import { viewCorrection } from './corrections.view.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'correction.settled': { correctionId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events' | 'config'>
type Settler = NonNullable<CorrectionRow['settled_as']>

/** @throws AppError not_found */
export async function requireCorrection({ db }: Pick<Context, 'db'>, viewer: Pick<Actor, 'id'>, id: string): Promise<CorrectionRow> {
  const found = await correctionRow(db, id)
  if (!found) throw notFound('Suggestion not found.')
  await requireBusiness(db, found.business_id, viewer.id)
  return found
}

/** @throws AppError not_found, forbidden, conflict if the correction was settled differently, invalid_input if it can't be applied */
export async function acceptCorrection(ctx: Ctx, actor: Actor, id: string, keep: 'other' | 'this'): Promise<Correction> {
  const found = await requireCorrection(ctx, actor, id)
  if (found.value.kind === 'duplicate') {
    const [fromId, intoId] = keep === 'other' ? [found.business_id, found.value.of] : [found.value.of, found.business_id]
    return acceptDuplicate(ctx, actor, found, { fromId, intoId })
  }
  const answer = await settle(ctx, actor, id, 'applied', (tx, correction, as, now) =>
    applyCorrection(tx, ctx, { correction, as, actorId: actor.id, now }),
  )
  ctx.cache.invalidate('businesses')
  return answer
}

/** @throws AppError not_found, forbidden, conflict if the correction was settled differently */
export function rejectCorrection(ctx: Ctx, actor: Actor, id: string): Promise<Correction> {
  return settle(ctx, actor, id, 'rejected', async (tx, correction, as, now) => {
    await tx
      .updateTable('corrections')
      .set({ state: 'rejected', settled_as: as, settled_by: actor.id, settled_at: now })
      .where('id', '=', id)
      .execute()
    await ctx.events.publish(tx, 'correction.settled', { correctionId: id })
    const rejected = await lockCorrection(tx, correction.business_id, id)
    await recordAudit(tx, { ...entryOf(correction, actor.id, now), action: 'correction.rejected', details: { as } })
    return rejected
  })
}

type Settle = (tx: Tx, correction: LockedCorrection, as: Settler, now: Date) => Promise<CorrectionRow>

async function settle(ctx: Ctx, actor: Actor, id: string, state: CorrectionRow['state'], write: Settle): Promise<Correction> {
  const now = ctx.clock.now()
  const found = await requireCorrection(ctx, actor, id)
  const row = await inTransaction(ctx.db, async (tx) => {
    const listing = await lockFacts(tx, found.business_id)
    const as = await requireSettler(tx, actor, found)
    const correction = await lockCorrection(tx, listing.id, id)
    if (correction.state === state) return correction
    requireOpen(correction.state)
    return write(tx, correction, as, now)
  })
  return viewCorrection(ctx.db, actor, row, now)
}

/** The team decides about its own business; otherwise, a moderator who didn't suggest the correction decides. @throws AppError forbidden */
async function requireSettler(tx: Tx, actor: Actor, { business_id, user_id, value }: CorrectionRow): Promise<Settler> {
  const isTeam = (await roleOf(tx, business_id, actor.id)) !== null
  if (isTeam || !hasRole(actor, 'moderator')) {
    await requirePermission(tx, actor, business_id, permissionFor(value.kind), { lock: true })
    return 'owner'
  }
  if (user_id === actor.id) throw new AppError('forbidden', { message: 'You suggested this. Another moderator has to decide.' })
  return 'moderators'
}

/** The merge settles the correction. @throws AppError forbidden, conflict */
async function acceptDuplicate(
  ctx: Ctx,
  actor: Actor,
  { id, business_id, user_id, state }: CorrectionRow,
  { fromId, intoId }: { fromId: string; intoId: string },
): Promise<Correction> {
  if (state !== 'applied') {
    requireOpen(state)
    if (user_id === actor.id) throw new AppError('forbidden', { message: 'You suggested this. Another moderator has to decide.' })
    await mergeBusinesses(ctx, actor, fromId, intoId, async (tx, both) => {
      const locked = both.fromId === business_id ? both.fromId : both.intoId
      requireOpen((await lockCorrection(tx, locked, id)).state)
    })
  }
  return viewCorrection(ctx.db, actor, await requireCorrection(ctx, actor, id), ctx.clock.now())
}

/** @throws AppError conflict */
function requireOpen(state: CorrectionRow['state']): void {
  if (state !== 'open') throw new AppError('conflict', { message: 'This suggestion was already settled.' })
}

type Application = { correction: LockedCorrection; as: Settler; actorId: string; now: Date }

/** @throws AppError invalid_input if the value can't be applied */
export async function applyCorrection(
  tx: Tx,
  { events }: Pick<Context, 'events'>,
  { correction, as, actorId, now }: Application,
): Promise<CorrectionRow> {
  const { id, business_id: businessId, value } = correction
  const replaced = await replace(tx, businessId, value, as, now)
  const settled = { settled_as: as, settled_by: actorId, settled_at: now } as const
  await tx
    .updateTable('corrections')
    .set({ ...settled, state: 'applied', replaced: JSON.stringify(replaced) })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('corrections')
    .set({ ...settled, state: 'superseded' })
    .where('business_id', '=', businessId)
    .where('kind', '=', value.kind)
    .where('state', '=', 'open')
    .execute()
  await events.publish(tx, 'correction.settled', { correctionId: id })
  if (value.kind === 'closed') await events.publish(tx, 'business.closed', { businessId })
  const applied = await lockCorrection(tx, businessId, id)
  await recordAudit(tx, { ...entryOf(correction, actorId, now), action: 'correction.applied', details: { as, kind: value.kind } })
  return applied
}

async function replace(tx: Tx, businessId: Locked<'businesses'>, value: NewCorrection, as: Settler, now: Date): Promise<Replaced> {
  if (value.kind === 'hours') {
    return { hours: { before: await setMainHours(tx, businessId, value.hours, now), after: value.hours } }
  }
  if (value.kind === 'duplicate') throw new Error('To accept a duplicate, merge it.')
  const fact = value.kind === 'closed' ? { ...value, by: as } : value
  return { facts: await correctListing(tx, businessId, fact, now) }
}

/** @throws AppError not_found, conflict if the correction wasn't applied or the listing has changed since */
export async function undoCorrection(ctx: Ctx, actor: Actor, id: string): Promise<Correction> {
  const now = ctx.clock.now()
  const found = await requireCorrection(ctx, actor, id)
  const row = await inTransaction(ctx.db, async (tx) => {
    const listing = await lockFacts(tx, found.business_id)
    const correction = await lockCorrection(tx, listing.id, id)
    if (correction.state === 'undone') return correction
    if (correction.state !== 'applied' || !correction.replaced) {
      throw new AppError('conflict', { message: 'Only a change that was made can be undone.' })
    }
    if (!(await restore(tx, correction.business_id, correction.replaced, now))) {
      throw new AppError('conflict', { message: 'The listing has changed since. There’s nothing left to undo.' })
    }
    await tx.updateTable('corrections').set({ state: 'undone', undone_by: actor.id, undone_at: now }).where('id', '=', id).execute()
    const undone = await lockCorrection(tx, listing.id, id)
    await recordAudit(tx, { ...entryOf(correction, actor.id, now), action: 'correction.undone' })
    return undone
  })
  ctx.cache.invalidate('businesses')
  return viewCorrection(ctx.db, actor, row, now)
}

async function restore(tx: Tx, businessId: Locked<'businesses'>, replaced: Replaced, now: Date): Promise<boolean> {
  if ('facts' in replaced) return restoreListing(tx, businessId, replaced.facts, now)
  const { before, after } = replaced.hours
  const [main] = await loadLocations(tx, businessId, now)
  if (JSON.stringify(main?.hours ?? null) !== JSON.stringify(after)) return false
  await setMainHours(tx, businessId, before, now)
  return true
}

const entryOf = ({ id, business_id: businessId }: CorrectionRow, actorId: string, now: Date) => ({
  ...{ at: now, actorId, subjectType: 'correction', subjectId: id, businessId },
})
