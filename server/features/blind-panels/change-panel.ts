import { sql } from 'kysely'
import type { Panel } from '../../../contracts/blind-panels.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type AccessibleHunt, recordHuntEvents, requireHuntWords, today } from '../hunts/index.ts'
import { cardsOf, requirePanelHunt } from './panels.queries.ts'
import { readPanel } from './panels.view.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Held against answers, prints and being closed until the transaction ends. @throws AppError not_found, forbidden */
export async function holdPanel(tx: Tx, actor: Actor, panelId: string) {
  const hunt = await requirePanelHunt(tx, actor, panelId, 'write', { lock: 'share' })
  const panel = await tx
    .selectFrom('blind_panels')
    .select(['id', 'hunt_id', 'is_open', 'version', 'name', 'instructions'])
    .where('id', '=', panelId)
    .forUpdate()
    .executeTakeFirst()
  if (!panel) throw notFound('There is no such panel.')
  return { hunt, panel }
}

/** @throws AppError conflict */
export function requireOpen(panel: { is_open: boolean }): void {
  if (!panel.is_open) throw new AppError('conflict', { message: 'This panel is closed: what was scored is shown, and it cannot go on.' })
}

type Change = { name?: string | undefined; instructions?: string | undefined; version: number }

/** @throws AppError not_found, forbidden, conflict when somebody changed it meanwhile */
export async function changePanel(ctx: Ctx, actor: Actor, panelId: string, { version, name, instructions }: Change): Promise<Panel> {
  return inTransaction(ctx.db, async (tx) => {
    const { hunt, panel } = await holdPanel(tx, actor, panelId)
    const after = { name: name ?? panel.name, instructions: instructions ?? panel.instructions }
    // As when its answer was lost and it comes again.
    if (after.name === panel.name && after.instructions === panel.instructions) return readPanel(tx, hunt, panelId)
    if (panel.version !== version) {
      throw new AppError('conflict', { message: 'Somebody changed this panel meanwhile. Load it again to see what is new.' })
    }
    await requireHuntWords(tx, actor, hunt.id, after)
    await tx
      .updateTable('blind_panels')
      .set({ ...after, version: version + 1 })
      .where('id', '=', panelId)
      .execute()
    return readPanel(tx, hunt, panelId)
  })
}

/**
 * Adds cards to jars, or ends unanswered ones: those never printed first, then those with the highest numbers. A number is never given
 * twice, so that two cards on a table are never called the same.
 * @throws AppError not_found, forbidden, invalid_input, conflict once it is closed or below what is answered
 */
export async function setCards(
  ctx: Ctx,
  actor: Actor,
  panelId: string,
  wanted: readonly { jarId: string; cards: number }[],
): Promise<Panel> {
  return inTransaction(ctx.db, async (tx) => {
    const { hunt, panel } = await holdPanel(tx, actor, panelId)
    requireOpen(panel)
    const jars = await tx.selectFrom('panel_jars').select(['id', 'jar_name', 'last_card']).where('panel_id', '=', panelId).execute()
    const cards = await cardsOf(tx, panelId)
    for (const { jarId, cards: count } of wanted) {
      const jar = jars.find(({ id }) => id === jarId)
      if (!jar) throw invalidField('jars', 'Choose jars of this panel')
      const own = cards.filter((card) => card.jar_id === jarId)
      if (count > own.length) await addCards(tx, jar, count - own.length)
      else await endCards(tx, jar.jar_name, own, own.length - count)
    }
    return readPanel(tx, hunt, panelId)
  })
}

async function addCards(tx: Tx, jar: { id: string; last_card: number }, count: number): Promise<void> {
  await tx
    .insertInto('panel_cards')
    .values(Array.from({ length: count }, (_, i) => ({ id: newId(), jar_id: jar.id, card_number: jar.last_card + i + 1 })))
    .execute()
  await tx
    .updateTable('panel_jars')
    .set({ last_card: jar.last_card + count })
    .where('id', '=', jar.id)
    .execute()
}

async function endCards(tx: Tx, jarName: string, cards: Awaited<ReturnType<typeof cardsOf>>, count: number): Promise<void> {
  const unanswered = cards.filter(({ answered_at }) => answered_at === null)
  if (unanswered.length < count) {
    throw new AppError('conflict', {
      message: `${cards.length - unanswered.length} cards of jar ${jarName} are answered already and stay.`,
    })
  }
  const isPrinted = (card: { token_hash: string | null }) => Number(card.token_hash !== null)
  const ending = unanswered.toSorted((a, b) => isPrinted(a) - isPrinted(b) || b.card_number - a.card_number).slice(0, count)
  await tx
    .deleteFrom('panel_cards')
    .where(sql<boolean>`id = any(${ending.map(({ id }) => id)}::uuid[])`)
    .execute()
}

/** For good: once anybody has seen what was scored, nobody scores blind any more. @throws AppError not_found, forbidden */
export async function closePanel(ctx: Ctx, actor: Actor, panelId: string): Promise<Panel> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { hunt, panel } = await holdPanel(tx, actor, panelId)
    if (!panel.is_open) return readPanel(tx, hunt, panelId)
    await tx
      .updateTable('blind_panels')
      .set({ is_open: false, closed_at: now, version: panel.version + 1 })
      .where('id', '=', panelId)
      .execute()
    await recordClosed(tx, hunt, panelId, actor, now)
    return readPanel(tx, hunt, panelId)
  })
}

const recordClosed = (tx: Tx, hunt: AccessibleHunt, panelId: string, actor: Actor, now: Date) =>
  recordHuntEvents(tx, [{ huntId: hunt.id, kind: 'panel.closed', subjectId: panelId, happenedOn: today(now), recordedBy: actor.id, now }])

/** @throws AppError not_found, forbidden */
export async function deletePanel(ctx: Ctx, actor: Actor, panelId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await holdPanel(tx, actor, panelId)
    await tx.deleteFrom('blind_panels').where('id', '=', panelId).execute()
  })
}
