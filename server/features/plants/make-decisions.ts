import { sql } from 'kysely'
import type { Parsed, ResponseOf } from '#contracts/endpoint.ts'
import type {
  listDecisions as contract,
  Decision,
  Known,
  makeDecisions as makeContract,
  undoDecision as undoContract,
} from '#contracts/plants.endpoints.ts'
import { plantName } from '#contracts/plants.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { recordHuntEvents, requireDayPassed, requireHunt, requireHuntWords, today } from '#server/features/hunts/index.ts'
import { visiblePeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { endLockedPlants, endWords, reviveLockedPlants } from './end-plants.ts'
import { plantRoom } from './read-plants.ts'
import { genotypeIdsOf, type LockedGenotype, lockGenotypes, lockPlants, requireHuntOf } from './require-plant-things.ts'

type Input = Parsed<(typeof makeContract)['body']>

export type RankGenotypes = (
  db: Db,
  huntId: Authorized<'hunts'>,
) => Promise<ReadonlyMap<string, Pick<Known, 'rank' | 'rankedOf' | 'chanceBest'>>>

/**
 * Makes decisions about genotypes, all or nothing, and records what was known at the time.
 * @throws AppError not_found, forbidden, muted, invalid_input, last_copy, conflict if the IDs belong to other decisions
 */
export async function makeDecisions(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  huntId: string,
  input: Input,
  rankGenotypes: RankGenotypes,
): Promise<Decision[]> {
  const now = ctx.clock.now()
  const decidedOn = input.decidedOn ?? today(now)
  requireDayPassed('decidedOn', decidedOn, now)
  requireFitting(input)
  // Ranking is slow, so it runs before any lock is taken.
  const seen = await requireHunt(ctx.db, actor, huntId, 'write')
  const ids = input.decisions.map(({ id }) => id)
  const ranks = (await areMade(ctx.db, huntId, input))
    ? new Map<string, never>()
    : await rankOnce(ids, () => rankGenotypes(ctx.db, seen.id))
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await requireHuntWords(tx, actor, huntId, input)
    const genotypeIds = input.decisions.map(({ genotypeId }) => genotypeId)
    const genotypes = await lockGenotypes(tx, huntId, genotypeIds)
    if (await areMade(tx, huntId, input)) return readDecisions(tx, actor, hunt.id, ids)
    const check = genotypes.find(({ kind }) => kind === 'check')
    if (check) throw invalidField('decisions', `#${check.number} is a check clone, so there’s nothing to decide about it`)
    const plants = (await lockPlantsToEnd(tx, huntId, genotypeIds, input.endPlantIds)).filter((plant) => plant.ended_on === null)
    const counts = await countWhatIsKnown(tx, genotypeIds)
    await retryOn(
      'decisions_pkey',
      tx
        .insertInto('decisions')
        .values(
          input.decisions.map(({ id, genotypeId }) => ({
            id,
            hunt_id: huntId,
            genotype_id: genotypeId,
            kind: input.kind,
            reason: input.reason,
            known: JSON.stringify({ ...counts.get(genotypeId), ...(ranks.get(genotypeId) ?? unranked) }),
            ended_plant_ids: plants.filter((plant) => plant.genotype_id === genotypeId).map((plant) => plant.id),
            decided_by: actor.id,
            decided_on: decidedOn,
            created_at: now,
          })),
        )
        .execute(),
    )
    const happened = { huntId, recordedBy: actor.id, now }
    await endByDecisions(tx, genotypes, plants, input, { ...happened, dayOf: () => decidedOn })
    await settleStandings(tx, genotypeIds)
    await recordHuntEvents(
      tx,
      input.decisions.map(({ id, genotypeId }) => ({
        ...happened,
        kind: 'decision.made',
        genotypeId,
        subjectId: id,
        detail: { kind: input.kind },
        happenedOn: decidedOn,
      })),
    )
    return readDecisions(tx, actor, hunt.id, ids)
  })
}

const running = new Map<string, ReturnType<RankGenotypes>>()

/** Ranking a large hunt takes seconds. A page that stops waiting sends the same decisions again, which must not double the work. */
function rankOnce(decisionIds: readonly string[], rank: () => ReturnType<RankGenotypes>): ReturnType<RankGenotypes> {
  const key = decisionIds.join()
  const ranks = running.get(key) ?? rank().finally(() => running.delete(key))
  running.set(key, ranks)
  return ranks
}

const unranked: Pick<Known, 'rank' | 'rankedOf' | 'chanceBest'> = { rank: null, rankedOf: null, chanceBest: null }

function requireFitting({ decisions, kind, endPlantIds }: Input): void {
  if (new Set(decisions.map(({ id }) => id)).size < decisions.length) throw invalidField('decisions', 'List each ID only once')
  if (new Set(decisions.map(({ genotypeId }) => genotypeId)).size < decisions.length)
    throw invalidField('decisions', 'List each pheno only once')
  if (kind !== 'cull' && endPlantIds.length > 0) throw invalidField('endPlantIds', 'Only culling ends plants')
}

async function areMade(db: Db, huntId: string, { decisions, kind }: Input): Promise<boolean> {
  const rows = await db
    .selectFrom('decisions')
    .select(['id', 'hunt_id', 'genotype_id', 'kind'])
    .where(sql<boolean>`id = any(${decisions.map(({ id }) => id)}::uuid[])`)
    .execute()
  if (rows.length === 0) return false
  const made = new Map(rows.map((row) => [row.id, row]))
  const isSame = decisions.every(({ id, genotypeId }) => {
    const row = made.get(id)
    return row?.hunt_id === huntId && row.genotype_id === genotypeId && row.kind === kind
  })
  if (!isSame) throw new AppError('conflict', { message: 'These IDs belong to other decisions. Send new ones.' })
  return true
}

/** @throws AppError not_found, invalid_input for a plant whose genotype isn't among `genotypeIds` */
async function lockPlantsToEnd(tx: Tx, huntId: string, genotypeIds: readonly string[], plantIds: readonly string[]) {
  const owners = await genotypeIdsOf(tx, huntId, plantIds)
  if (owners.some((id) => !genotypeIds.includes(id))) throw invalidField('endPlantIds', 'Choose plants of the phenos you’re culling')
  return lockPlants(tx, huntId, plantIds)
}

type LockedPlants = Awaited<ReturnType<typeof lockPlants>>

/** Checks last copies across all plants together, then ends each genotype's plants by its own decision. */
async function endByDecisions(
  tx: Tx,
  genotypes: readonly LockedGenotype[],
  plants: LockedPlants,
  { decisions, confirmLastCopies }: Input,
  end: { huntId: string; dayOf: () => string; recordedBy: string; now: Date },
): Promise<void> {
  if (plants.length === 0 && confirmLastCopies.length === 0) return
  const decisionIds = new Map(decisions.map(({ id, genotypeId }) => [genotypeId, id]))
  await endLockedPlants(tx, genotypes, plants, {
    ...end,
    endedHow: 'culled',
    confirmed: confirmLastCopies,
    decisionOf: (genotypeId) => decisionIds.get(genotypeId) ?? null,
  })
}

async function countWhatIsKnown(tx: Tx, genotypeIds: readonly string[]) {
  const { rows } = await sql<{ genotype_id: string } & Pick<Known, 'livingCopies' | 'plants' | 'logs' | 'observations'>>`
    select plants.genotype_id, count(*)::integer as "plants", (count(*) filter (where plants.ended_on is null))::integer as "livingCopies",
      coalesce(sum(logs.count), 0)::integer as "logs", coalesce(sum(scores.count), 0)::integer as "observations"
    from plants
      cross join lateral (
        select count(*) from grow_logs where grow_logs.plant_id = plants.id and grow_logs.deleted_at is null) as logs
      cross join lateral (
        select count(*) from observations
        where observations.plant_id = plants.id and observations.is_current and not observations.is_withdrawn) as scores
    where plants.genotype_id = any(${genotypeIds}::uuid[])
    group by plants.genotype_id`.execute(tx)
  return new Map(rows.map(({ genotype_id, ...counts }) => [genotype_id, counts]))
}

/** Sets each genotype's `standing` to its latest decision, by date, that wasn't undone. */
async function settleStandings(tx: Tx, genotypeIds: readonly string[]): Promise<void> {
  await sql`
    update genotypes set standing = (
      select decisions.kind from decisions
      where decisions.genotype_id = genotypes.id and decisions.undone_at is null
      order by decisions.decided_on desc, decisions.created_at desc, decisions.id desc limit 1)
    where genotypes.id = any(${genotypeIds}::uuid[])`.execute(tx)
}

/** Undoes a decision. Revives the plants it ended unless they have changed since, and returns the reason for each one it can't revive. */
export async function undoDecision(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string): Promise<ResponseOf<typeof undoContract>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'decisions', id, 'write', { lock: 'share' })
    const { genotype_id: genotypeId } = await tx
      .selectFrom('decisions')
      .select('genotype_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await lockGenotypes(tx, hunt.id, [genotypeId])
    const decision = await tx.selectFrom('decisions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const plants = await lockPlants(tx, hunt.id, decision.ended_plant_ids)
    const isUndone = decision.undone_at !== null
    const back = plants.filter((plant) => plant.ended_by_decision_id === id)
    if (!isUndone) {
      const happened = { huntId: hunt.id, recordedBy: actor.id, now }
      await tx.updateTable('decisions').set({ undone_at: now, undone_by: actor.id }).where('id', '=', id).execute()
      await reviveLockedPlants(tx, back, { ...happened, decisionId: id })
      await settleStandings(tx, [genotypeId])
      const detail = { kind: decision.kind }
      await recordHuntEvents(tx, [{ ...happened, kind: 'decision.undone', genotypeId, subjectId: id, detail, happenedOn: today(now) }])
    }
    const revived = isUndone ? plants.filter((plant) => plant.ended_how === null) : back
    const [undone] = await readDecisions(tx, actor, hunt.id, [id])
    if (!undone) throw notFound('Decision not found.')
    return {
      decision: undone,
      revivedPlantIds: revived.map((plant) => plant.id),
      left: plants
        .filter((plant) => !revived.includes(plant))
        .map((plant) => ({ plantId: plant.id, name: plantName(plant.number, plant.copy), reason: reasonFor(plant) })),
      room: await plantRoom(tx, hunt.id),
    }
  })
}

const reasonFor = ({ ended_how, ended_on }: { ended_how: keyof typeof endWords | null; ended_on: string | null }): string =>
  ended_how === null ? 'It was already marked as living again.' : `It has since ended another way: ${endWords[ended_how]} on ${ended_on}.`

const batch = 200

/** Decisions in other people's hunts remain, but without the person's text or name. */
export const eraseDecisions: EraseStep = {
  name: 'decisions',
  async eraseSome({ db }, { id: userId }) {
    const { numAffectedRows = 0n } = await sql`
      update decisions set reason = '', decided_by = null
      where id in (select id from decisions where decided_by = ${userId}::uuid limit ${batch}::int)`.execute(db)
    return Number(numAffectedRows)
  },
}

async function readDecisions(db: Db, viewer: Pick<Actor, 'id'>, huntId: Authorized<'hunts'>, ids: readonly string[]): Promise<Decision[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('decisions')
    .innerJoin('genotypes', 'genotypes.id', 'decisions.genotype_id')
    .selectAll('decisions')
    .select(['genotypes.number', 'genotypes.label'])
    .where('decisions.hunt_id', '=', huntId)
    .where(sql<boolean>`decisions.id = any(${ids}::uuid[])`)
    .execute()
  const personIds = rows.flatMap(({ decided_by, undone_by }) => [decided_by, undone_by])
  const people = await visiblePeople(db, viewer.id, personIds)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    if (!row) return []
    return {
      id,
      huntId: row.hunt_id,
      genotypeId: row.genotype_id,
      number: row.number,
      label: row.label,
      kind: row.kind,
      reason: row.reason,
      known: row.known as Known,
      endedPlantIds: row.ended_plant_ids,
      decidedBy: people.get(row.decided_by ?? '') ?? null,
      decidedOn: row.decided_on,
      createdAt: row.created_at.toISOString(),
      undoneAt: row.undone_at?.toISOString() ?? null,
      undoneBy: people.get(row.undone_by ?? '') ?? null,
    }
  })
}

export async function listDecisions(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor, genotypeId }: Parsed<(typeof contract)['query']>,
): Promise<Page<Decision>> {
  const hunt = await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['id'])?.[0] ?? null
  const keys = await db
    .selectFrom('decisions')
    .select('id')
    .where('hunt_id', '=', huntId)
    .$if(genotypeId !== undefined, (query) => query.where('genotype_id', '=', genotypeId as string))
    .$if(after !== null, (query) => query.where('id', '<', after))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { items, nextCursor } = toPage(keys, limit, ({ id }) => [id])
  return {
    items: await readDecisions(db, actor, hunt.id, idsOf(items)),
    nextCursor,
  }
}
