import { sql } from 'kysely'
import { maxPanels, type NewPanel, type Panel, panelTraitKinds } from '../../../contracts/blind-panels.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction, retryOn } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { recordHuntEvents, requireHunt, requireHuntWords, today } from '../hunts/index.ts'
import { drawJarNames, shuffled } from './jar-names.ts'
import { readPanel } from './panels.view.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * With an id that is there already, answers what is there.
 * @throws AppError not_found, forbidden, invalid_input about traits and plants, conflict for one panel too many or an id of another hunt
 */
export async function createPanel(ctx: Ctx, actor: Actor, huntId: string, { id = newId(), ...input }: NewPanel): Promise<Panel> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    // Held against another one at the same time: there is a most.
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, input)
    const there = await tx.selectFrom('blind_panels').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (there?.hunt_id === huntId) return readPanel(tx, hunt, id)
    if (there) throw new AppError('conflict', { message: 'This id is that of another panel. Make a new one.' })
    await requireRoom(tx, huntId)
    await requireTraits(tx, huntId, input.traitIds)
    await requirePlants(
      tx,
      huntId,
      input.jars.map(({ plantId }) => plantId),
    )
    const { name, instructions } = input
    await retryOn(
      'blind_panels_pkey',
      tx.insertInto('blind_panels').values({ id, hunt_id: huntId, name, instructions, created_by: actor.id, created_at: now }).execute(),
    )
    await tx
      .insertInto('panel_traits')
      .values(input.traitIds.map((traitId, position) => ({ panel_id: id, trait_id: traitId, position })))
      .execute()
    const names = drawJarNames(input.jars.length, input.jarNames)
    const jars = shuffled(input.jars).map(({ plantId, cureDays }, i) => ({
      id: newId(),
      panel_id: id,
      plant_id: plantId,
      jar_name: names[i] as string,
      cure_days: cureDays,
      last_card: input.cardsPerJar,
    }))
    await tx.insertInto('panel_jars').values(jars).execute()
    const cards = jars.flatMap((jar) =>
      Array.from({ length: input.cardsPerJar }, (_, i) => ({ id: newId(), jar_id: jar.id, card_number: i + 1 })),
    )
    if (cards.length > 0) await tx.insertInto('panel_cards').values(cards).execute()
    await recordHuntEvents(tx, [{ huntId, kind: 'panel.opened', subjectId: id, happenedOn: today(now), recordedBy: actor.id, now }])
    return readPanel(tx, hunt, id)
  })
}

async function requireRoom(tx: Tx, huntId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('blind_panels')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('hunt_id', '=', huntId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxPanels)
    throw new AppError('conflict', { message: `A hunt can have at most ${maxPanels} panels. Delete one first.` })
}

/** @throws AppError invalid_input */
async function requireTraits(tx: Tx, huntId: string, ids: readonly string[]): Promise<void> {
  if (new Set(ids).size < ids.length) throw invalidField('traitIds', 'A trait is asked for twice')
  const traits = await tx
    .selectFrom('traits')
    .select(['name', 'kind', 'source', 'is_archived'])
    .where('hunt_id', '=', huntId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    // Held against being deleted.
    .forShare()
    .execute()
  if (traits.length < ids.length) throw invalidField('traitIds', 'Choose traits of this hunt')
  for (const { name, kind, source, is_archived } of traits) {
    if (is_archived) throw invalidField('traitIds', `“${name}” is archived`)
    if (source !== 'observation' || !panelTraitKinds.some((each) => each === kind)) {
      throw invalidField('traitIds', `“${name}” is nothing that testers can score: it takes a scale, a number or options`)
    }
  }
}

/** @throws AppError invalid_input */
async function requirePlants(tx: Tx, huntId: string, ids: readonly string[]): Promise<void> {
  if (new Set(ids).size < ids.length) throw invalidField('jars', 'A plant is in two jars')
  const plants = await tx
    .selectFrom('plants')
    .select('id')
    .where('hunt_id', '=', huntId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  if (plants.length < ids.length) throw invalidField('jars', 'Choose plants of this hunt')
}
