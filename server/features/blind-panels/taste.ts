import { isDeepStrictEqual } from 'node:util'
import { type ScoreValue, scoreValueOf, type TasteAnswer, type TasteCard } from '../../../contracts/blind-panels.ts'
import type { TraitOption } from '../../../contracts/traits.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidInput, notFound } from '../../kernel/errors.ts'
import { valueIssue } from '../traits/index.ts'
import { hashOfCard } from './card-tokens.ts'
import { traitsOfPanels } from './panels.queries.ts'

/** The same for a code that never was, one that was printed anew, and one of a panel that is gone. */
const unknown = () => notFound('This card is not known. Ask whoever gave it to you for another one.')

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
 * Of two at once one is the answer, and the other one is refused where it says something else.
 * @throws AppError not_found, invalid_input about scores, conflict when it is answered otherwise already, or closed
 */
export async function answerTasteCard(ctx: Pick<Context, 'db' | 'clock'>, token: string, answer: TasteAnswer): Promise<TasteCard> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const found = await cardByToken(tx, token).executeTakeFirst()
    if (!found) throw unknown()
    // The panel before the card, as whoever closes it or prints anew does.
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
      throw new AppError('conflict', { message: 'This card was answered already. Each card takes one answer.' })
    }
    if (!card.is_open) throw new AppError('conflict', { message: 'This panel is closed. It takes no more answers.' })
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

/** By trait. Options in the order of their values: the same choice is the same answer. @throws AppError invalid_input that names each */
function readScores(traits: readonly Question[], { scores }: TasteAnswer): Map<string, ScoreValue> {
  const read = new Map<string, ScoreValue>()
  const issues: { path: PropertyKey[]; message: string }[] = []
  for (const [i, { question, value }] of scores.entries()) {
    const trait = traits.find(({ position }) => position === question)
    const issue = !trait
      ? 'This is not asked'
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
