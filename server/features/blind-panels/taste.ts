import { isDeepStrictEqual } from 'node:util'
import { scoreValueOf } from '#contracts/blind-panels.rules.ts'
import type { ScoreValue, TasteAnswer, TasteCard } from '#contracts/blind-panels.ts'
import type { TraitOption } from '#contracts/traits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { valueIssue } from '#server/features/traits/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidInput, notFound } from '#server/kernel/errors.ts'
import { traitsOfPanels } from './panels.queries.ts'
import { hashOfCard } from './print-cards.ts'

/** The same error for an unknown code, a reissued one, and one of a deleted panel. */
const unknown = () => notFound("We don't recognize this card. Ask the person who gave it to you for another one.")

const cardByToken = (db: Db, token: string) =>
  db
    .selectFrom('panel_cards')
    .innerJoin('panel_jars', 'panel_jars.id', 'panel_cards.jar_id')
    .innerJoin('blind_panels', 'blind_panels.id', 'panel_jars.panel_id')
    .select(['panel_cards.id', 'panel_id', 'jar_name', 'is_open', 'instructions', 'answered_at', 'taster', 'comment'])
    .where('token_hash', '=', hashOfCard(token))

/** @throws AppError not_found */
export async function getTasteCard(db: Db, token: string): Promise<TasteCard> {
  const card = await cardByToken(db, token).executeTakeFirst()
  if (!card) throw unknown()
  return viewOf(db, card)
}

type CardRow = { panel_id: string; jar_name: string; is_open: boolean; instructions: string; answered_at: Date | null }

async function viewOf(db: Db, card: CardRow): Promise<TasteCard> {
  const state = card.answered_at !== null ? 'answered' : card.is_open ? 'open' : 'closed'
  if (state !== 'open') return { state, jarName: card.jar_name, instructions: '', questions: [] }
  const questions = (await traitsOfPanels(db, [card.panel_id])).map(({ position, name, kind, unit, options }) => ({
    question: position,
    name,
    kind,
    unit,
    options: options as TraitOption[],
  }))
  return { state, jarName: card.jar_name, instructions: card.instructions, questions }
}

/**
 * Saves an answer. Of two concurrent answers, the first wins, and a different second one is refused.
 * @throws AppError not_found, invalid_input about scores, conflict if already answered differently or closed
 */
export async function answerTasteCard(ctx: Pick<Context, 'db' | 'clock'>, token: string, answer: TasteAnswer): Promise<TasteCard> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const found = await cardByToken(tx, token).executeTakeFirst()
    if (!found) throw unknown()
    // Lock the panel before the card, as closing and reprinting do.
    await tx.selectFrom('blind_panels').select('id').where('id', '=', found.panel_id).forShare().execute()
    await tx.selectFrom('panel_cards').select('id').where('id', '=', found.id).forUpdate().execute()
    const card = await cardByToken(tx, token).executeTakeFirst()
    if (!card) throw unknown()
    const traits = await traitsOfPanels(tx, [card.panel_id])
    const scores = readScores(traits, answer)
    if (card.answered_at !== null) {
      const isSame =
        card.taster === answer.taster && card.comment === answer.comment && isDeepStrictEqual(await scoresOf(tx, card.id), scores)
      if (isSame) return viewOf(tx, card)
      throw new AppError('conflict', { message: 'This card was already answered. Each card takes one answer.' })
    }
    if (!card.is_open) throw new AppError('conflict', { message: 'This panel is closed and takes no more answers.' })
    await tx
      .updateTable('panel_cards')
      .set({ answered_at: now, taster: answer.taster, comment: answer.comment })
      .where('id', '=', card.id)
      .execute()
    await tx
      .insertInto('panel_scores')
      .values([...scores].map(([trait_id, value]) => ({ card_id: card.id, trait_id, ...columnsOf(value) })))
      .execute()
    return viewOf(tx, { ...card, answered_at: now })
  })
}

type Question = Awaited<ReturnType<typeof traitsOfPanels>>[number]

/** Keyed by trait. Options are sorted by value, so equal choices compare equal. @throws AppError invalid_input naming each */
function readScores(traits: readonly Question[], { scores }: TasteAnswer): Map<string, ScoreValue> {
  const read = new Map<string, ScoreValue>()
  const issues: { path: PropertyKey[]; message: string }[] = []
  for (const [i, { question, value }] of scores.entries()) {
    const trait = traits.find(({ position }) => position === question)
    const issue = !trait
      ? "The card doesn't ask this"
      : read.has(trait.id)
        ? 'This is answered twice'
        : valueIssue({ kind: trait.kind, options: trait.options as TraitOption[] }, value)
    if (issue || !trait) issues.push({ path: ['scores', i], message: issue ?? '' })
    else read.set(trait.id, value.kind === 'options' ? { kind: 'options', options: value.options.toSorted((a, b) => a - b) } : value)
  }
  if (issues.length > 0) throw invalidInput(issues)
  return new Map([...read].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const columnsOf = (value: ScoreValue) =>
  value.kind === 'number' ? { value_number: value.number, value_options: null } : { value_number: null, value_options: value.options }

async function scoresOf(tx: Tx, cardId: string): Promise<Map<string, ScoreValue>> {
  const rows = await tx
    .selectFrom('panel_scores')
    .select(['trait_id', 'value_number', 'value_options'])
    .where('card_id', '=', cardId)
    .orderBy('trait_id')
    .execute()
  return new Map(rows.map((row) => [row.trait_id, scoreValueOf({ number: row.value_number, options: row.value_options })]))
}
