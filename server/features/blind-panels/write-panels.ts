import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { panelTraitKinds } from '#contracts/blind-panels.rules.ts'
import { type FilledJar, maxPanels, type NewPanel, type Panel } from '#contracts/blind-panels.ts'
import type { Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction, retryOn } from '#server/db/transaction.ts'
import { type AccessibleHunt, recordHuntEvents, requireHunt, requireHuntWords, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { cardsOf, jarsOfPanels, requirePanelHunt } from './panels.queries.ts'
import { plantOf, readPanel } from './read-panels.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Returns the existing panel if the ID is already in use.
 * @throws AppError not_found, forbidden, muted, invalid_input about traits, plants and refused text, conflict if at the limit or if the
 * ID is in another hunt
 */
export async function createPanel(ctx: Ctx, actor: Actor, huntId: string, { id = newId(), ...input }: NewPanel): Promise<Panel> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    // Serializes concurrent creation, because the number of panels is limited.
    const hunt = await requireHunt(tx, actor, huntId, 'write', { lock: 'update' })
    await requireHuntWords(tx, actor, huntId, input)
    const there = await tx.selectFrom('blind_panels').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (there?.hunt_id === huntId) return readPanel(tx, actor, hunt, id)
    if (there) throw new AppError('conflict', { message: 'This ID belongs to another panel. Use a new one.' })
    await requireRoom(tx, huntId)
    await requireTraits(tx, huntId, input.traitIds)
    await requirePlants(
      tx,
      huntId,
      input.jars.map(({ plantId }) => plantId),
    )
    const { name, instructions, hidesJars: hides_jars } = input
    await retryOn(
      'blind_panels_pkey',
      tx
        .insertInto('blind_panels')
        .values({ id, hunt_id: huntId, name, instructions, hides_jars, created_by: actor.id, created_at: now })
        .execute(),
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
    return readPanel(tx, actor, hunt, id)
  })
}

async function requireRoom(tx: Tx, huntId: string): Promise<void> {
  if ((await countRows(tx.selectFrom('blind_panels').where('hunt_id', '=', huntId))) >= maxPanels)
    throw new AppError('conflict', { message: `A hunt can have up to ${maxPanels} panels. Delete one first.` })
}

/** @throws AppError invalid_input */
async function requireTraits(tx: Tx, huntId: string, ids: readonly string[]): Promise<void> {
  if (new Set(ids).size < ids.length) throw invalidField('traitIds', 'A trait is listed twice')
  const traits = await tx
    .selectFrom('traits')
    .select(['name', 'kind', 'source', 'is_archived'])
    .where('hunt_id', '=', huntId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    // Prevents deletion of the traits.
    .forShare()
    .execute()
  if (traits.length < ids.length) throw invalidField('traitIds', 'Choose traits from this hunt')
  for (const { name, kind, source, is_archived } of traits) {
    if (is_archived) throw invalidField('traitIds', `“${name}” is archived`)
    if (source !== 'observation' || !panelTraitKinds.some((each) => each === kind)) {
      throw invalidField('traitIds', `Testers can’t score “${name}”: choose traits with a scale, a number or options`)
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
  if (plants.length < ids.length) throw invalidField('jars', 'Choose plants from this hunt')
}

/** No vowels, so that no words appear, and no characters that are easily confused. */
const letters = 'BCDFGHJKMNPRSTVWXZ'

const draw = {
  letters: () => Array.from({ length: 3 }, () => letters[randomInt(letters.length)]).join(''),
  digits: () => String(randomInt(10, 100)),
}

export function drawJarNames(count: number, kind: keyof typeof draw): string[] {
  const names = new Set<string>()
  while (names.size < count) names.add(draw[kind]())
  return [...names]
}

/** Fisher–Yates shuffle. Sequential IDs would otherwise reveal the order in which the jars were listed. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[order[i], order[j]] = [order[j] as Item, order[i] as Item]
  }
  return order
}

/** Locks a panel against answers, printing and closing until the transaction ends. @throws AppError not_found, forbidden */
export async function lockPanel(tx: Tx, actor: Actor, panelId: string) {
  const hunt = await requirePanelHunt(tx, actor, panelId, 'write', { lock: 'share' })
  const panel = await tx
    .selectFrom('blind_panels')
    .select(['id', 'hunt_id', 'is_open', 'hides_jars', 'filled_by', 'filled_at', 'version', 'name', 'instructions'])
    .where('id', '=', panelId)
    .forUpdate()
    .executeTakeFirst()
  if (!panel) throw notFound('Panel not found.')
  return { hunt, panel }
}

/** @throws AppError conflict */
export function requireOpen(panel: { is_open: boolean }): void {
  if (!panel.is_open) throw new AppError('conflict', { message: 'This panel is closed. Its scores are shown, and it can’t be reopened.' })
}

type Change = { name?: string | undefined; instructions?: string | undefined; version: number }

/** @throws AppError not_found, forbidden, muted, invalid_input, conflict after a concurrent change */
export async function updatePanel(ctx: Ctx, actor: Actor, panelId: string, { version, name, instructions }: Change): Promise<Panel> {
  return inTransaction(ctx.db, async (tx) => {
    const { hunt, panel } = await lockPanel(tx, actor, panelId)
    const after = { name: name ?? panel.name, instructions: instructions ?? panel.instructions }
    // This is a retry whose first response was lost.
    if (after.name === panel.name && after.instructions === panel.instructions) return readPanel(tx, actor, hunt, panelId)
    if (panel.version !== version) {
      throw new AppError('conflict', { message: 'This panel was changed in the meantime. Reload it to see what’s new.' })
    }
    await requireHuntWords(tx, actor, hunt.id, after)
    await tx
      .updateTable('blind_panels')
      .set({ ...after, version: version + 1 })
      .where('id', '=', panelId)
      .execute()
    return readPanel(tx, actor, hunt, panelId)
  })
}

/**
 * Adds cards to jars or removes unanswered ones: unprinted ones first, then those with the highest numbers. Numbers are never
 * reused, so that no two cards of a jar have the same one.
 * @throws AppError not_found, forbidden, invalid_input, conflict if closed or below the number of answers
 */
export async function setCards(
  ctx: Ctx,
  actor: Actor,
  panelId: string,
  wanted: readonly { jarId: string; cards: number }[],
): Promise<Panel> {
  return inTransaction(ctx.db, async (tx) => {
    const { hunt, panel } = await lockPanel(tx, actor, panelId)
    requireOpen(panel)
    const jars = await tx.selectFrom('panel_jars').select(['id', 'jar_name', 'last_card']).where('panel_id', '=', panelId).execute()
    const cards = await cardsOf(tx, panelId)
    for (const { jarId, cards: count } of wanted) {
      const jar = jars.find(({ id }) => id === jarId)
      if (!jar) throw invalidField('jars', 'Choose jars from this panel')
      const own = cards.filter((card) => card.jar_id === jarId)
      if (count > own.length) await addCards(tx, jar, count - own.length)
      else await endCards(tx, jar.jar_name, own, own.length - count)
    }
    return readPanel(tx, actor, hunt, panelId)
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
    const answered = cards.length - unanswered.length
    const [noun, verb] = answered === 1 ? ['card', 'has'] : ['cards', 'have']
    throw new AppError('conflict', { message: `${answered} ${noun} for jar ${jarName} ${verb} been answered and can’t be removed.` })
  }
  const isPrinted = (card: { token_hash: string | null }) => Number(card.token_hash !== null)
  const ending = unanswered.toSorted((a, b) => isPrinted(a) - isPrinted(b) || b.card_number - a.card_number).slice(0, count)
  await tx
    .deleteFrom('panel_cards')
    .where(sql<boolean>`id = any(${ending.map(({ id }) => id)}::uuid[])`)
    .execute()
}

/** Permanent: once anyone has seen the scores, no one can score blind. @throws AppError not_found, forbidden */
export async function closePanel(ctx: Ctx, actor: Actor, panelId: string): Promise<Panel> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { hunt, panel } = await lockPanel(tx, actor, panelId)
    if (!panel.is_open) return readPanel(tx, actor, hunt, panelId)
    await tx
      .updateTable('blind_panels')
      .set({ is_open: false, closed_at: now, version: panel.version + 1 })
      .where('id', '=', panelId)
      .execute()
    await recordClosed(tx, hunt, panelId, actor, now)
    return readPanel(tx, actor, hunt, panelId)
  })
}

const recordClosed = (tx: Tx, hunt: AccessibleHunt, panelId: string, actor: Actor, now: Date) =>
  recordHuntEvents(tx, [{ huntId: hunt.id, kind: 'panel.closed', subjectId: panelId, happenedOn: today(now), recordedBy: actor.id, now }])

/**
 * The first person to request the contents of hidden jars becomes the one who fills them. If two people knew them, it would be unclear
 * whose scores aren't blind.
 * @throws AppError not_found, forbidden, conflict if closed, not hidden, or filled by someone else
 */
export async function listHiddenJars(ctx: Ctx, actor: Actor, panelId: string): Promise<FilledJar[]> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const { hunt, panel } = await lockPanel(tx, actor, panelId)
    requireOpen(panel)
    if (!panel.hides_jars) throw new AppError('conflict', { message: 'This panel shows its jars to everyone who can edit the hunt.' })
    if (panel.filled_at === null) {
      await tx.updateTable('blind_panels').set({ filled_by: actor.id, filled_at: now }).where('id', '=', panelId).execute()
      const filled = { huntId: hunt.id, subjectId: panelId, happenedOn: today(now), recordedBy: actor.id, now }
      await recordHuntEvents(tx, [{ ...filled, kind: 'panel.filled' }])
    } else if (panel.filled_by !== actor.id) {
      throw new AppError('conflict', { message: 'Someone else fills these jars, and only they can see the list.' })
    }
    const jars = await jarsOfPanels(tx, [panelId])
    return jars.map((jar) => ({ jarName: jar.jar_name, plant: plantOf(jar), cureDays: jar.cure_days }))
  })
}

/** @throws AppError not_found, forbidden */
export async function deletePanel(ctx: Ctx, actor: Actor, panelId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await lockPanel(tx, actor, panelId)
    await tx.deleteFrom('blind_panels').where('id', '=', panelId).execute()
  })
}
