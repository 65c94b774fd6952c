import { randomBytes } from 'node:crypto'
import { setImmediate as otherWork } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type PDFPage, rgb } from '@cantoo/pdf-lib'
import { sql } from 'kysely'
import type { printCards as contract } from '#contracts/blind-panels.endpoints.ts'
import { scoreValueOf } from '#contracts/blind-panels.rules.ts'
import type { ScoreValue, TasteAnswer, TasteCard } from '#contracts/blind-panels.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { labelSheets } from '#contracts/labels.rules.ts'
import type { TraitOption } from '#contracts/traits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { valueIssue } from '#server/features/traits/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidInput, notFound } from '#server/kernel/errors.ts'
import { drawLine, drawQrCode, fitText, ink, mm, muted, newPdf, type PdfFonts, widthOf } from '#server/kernel/pdf.ts'
import { hashOfSecret } from '#server/kernel/secrets.ts'
import { cardsOf, traitsOfPanels } from './panels.queries.ts'
import { readPanel } from './read-panels.ts'
import { lockPanel, requireOpen } from './write-panels.ts'

type Ctx = Pick<Context, 'db' | 'config' | 'brand' | 'rateLimiter'>
type Options = { cards: 'new' | 'unanswered'; paper: 'Letter' | 'A4' }

/**
 * Issues the codes of cards. Only hashes are stored, so the codes can be printed only once; a reissued card's old code stops
 * working. Not idempotent by key, because the response would have to be stored.
 * @throws AppError not_found, forbidden, conflict if closed or there is nothing to print, too_many_requests
 */
export async function printCards(
  ctx: Ctx,
  actor: Actor,
  panelId: string,
  { cards: which, paper }: Options,
): Promise<ResponseOf<typeof contract>> {
  await ctx.rateLimiter.consume('drawing', `account:${actor.id}`)
  const { panel, printed } = await inTransaction(ctx.db, async (tx) => {
    const { hunt, panel: locked } = await lockPanel(tx, actor, panelId)
    requireOpen(locked)
    const cards = (await cardsOf(tx, panelId)).filter(
      ({ answered_at, token_hash }) => answered_at === null && (which === 'unanswered' || token_hash === null),
    )
    if (cards.length === 0) {
      throw new AppError('conflict', { message: which === 'new' ? 'All cards have been printed.' : 'All cards have been answered.' })
    }
    const tokens = cards.map(newCardToken)
    await sql`
      update panel_cards set token_hash = given.hash
      from unnest(${cards.map(({ id }) => id)}::uuid[], ${tokens.map(hashOfSecret)}::text[]) as given (id, hash)
      where panel_cards.id = given.id`.execute(tx)
    return {
      panel: await readPanel(tx, actor, hunt, panelId),
      printed: cards.map(({ jar_name, card_number }, i) => ({
        jarName: jar_name,
        cardNumber: card_number,
        url: `${ctx.config.publicUrl}/taste/${tokens[i]}`,
      })),
    }
  })
  const pdf = await drawCards(printed, paper, ctx.brand.name)
  return { cards: printed, pdf: Buffer.from(pdf).toString('base64'), panel }
}

type Card = { jarName: string; cardNumber: number; url: string }

const papers = { Letter: labelSheets['cut-letter'], A4: labelSheets['cut-a4'] }
/** Large enough to spot next to a jar and to scan across a table. */
const columns = 2
const rows = 4
const height = 62

async function drawCards(cards: readonly Card[], paper: 'Letter' | 'A4', brandName: string): Promise<Uint8Array> {
  const { document, fonts } = await newPdf('Blind panel cards', brandName)
  const { paperWidth, paperHeight } = papers[paper]
  const margin = 10
  const width = (paperWidth - 2 * margin) / columns
  let page: PDFPage | null = null
  for (const [i, card] of cards.entries()) {
    const place = i % (columns * rows)
    if (page === null || place === 0) {
      await otherWork()
      page = document.addPage([paperWidth * mm, paperHeight * mm])
    }
    const x = margin + (place % columns) * width
    const y = paperHeight - (paperHeight - rows * height) / 2 - (Math.floor(place / columns) + 1) * height
    drawCard(page, card, { x: x * mm, y: y * mm, width: width * mm, height: height * mm }, fonts)
  }
  return document.save()
}

type Box = { x: number; y: number; width: number; height: number }

function drawCard(page: PDFPage, { jarName, cardNumber, url }: Card, { x, y, width, height }: Box, { text }: PdfFonts): void {
  page.drawRectangle({ x, y, width, height, borderWidth: 0.25, borderColor: rgb(0.75, 0.75, 0.75) })
  const side = 46 * mm
  drawQrCode(page, url, x + width - side - 3 * mm, y + (height - side) / 2, side)
  const left = x + 7 * mm
  const room = width - side - 12 * mm
  const line = (words: string, size: number, at: number, color = ink) => drawLine(page, words, { x: left, y: at, size, fonts: text, color })
  line('Jar', 10, y + height - 17 * mm, muted)
  const name = fitText(jarName, { width: room, fonts: text, sizes: [44, 38, 32, 24], maxLines: 1 })
  line(name.lines[0] ?? jarName, name.size, y + height - 18 * mm - name.size * 0.9)
  const scan = 'Scan, taste, score'
  line(scan, widthOf(scan, text, 10) <= room ? 10 : 8, y + 16 * mm)
  line(`Card ${cardNumber}. One answer.`, 9, y + 11 * mm, muted)
}

/** 128 random bits, so it can't be guessed. */
const newCardToken = (): string => randomBytes(16).toString('base64url')

/** The same error for a code that is unknown, was replaced by a reprint, or belongs to a deleted panel. */
const unknown = () => notFound('We don’t recognize this card. Ask the person who gave it to you for a new one.')

const cardByToken = (db: Db, token: string) =>
  db
    .selectFrom('panel_cards')
    .innerJoin('panel_jars', 'panel_jars.id', 'panel_cards.jar_id')
    .innerJoin('blind_panels', 'blind_panels.id', 'panel_jars.panel_id')
    .select(['panel_cards.id', 'panel_id', 'jar_name', 'is_open', 'instructions', 'answered_at', 'taster', 'comment'])
    .where('token_hash', '=', hashOfSecret(token))

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
 * Of two concurrent answers, the first wins, and a different second one is refused.
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
    // The traits' options must not change before the scores are stored.
    const ofPanel = tx.selectFrom('panel_traits').select('trait_id').where('panel_id', '=', card.panel_id)
    await tx.selectFrom('traits').select('id').where('id', 'in', ofPanel).orderBy('id').forShare().execute()
    const traits = await traitsOfPanels(tx, [card.panel_id])
    const scores = readScores(traits, answer)
    if (card.answered_at !== null) {
      const isSame =
        card.taster === answer.taster && card.comment === answer.comment && isDeepStrictEqual(await scoresOf(tx, card.id), scores)
      if (isSame) return viewOf(tx, card)
      throw new AppError('conflict', { message: 'This card was already answered. Each card can be answered once.' })
    }
    if (!card.is_open) throw new AppError('conflict', { message: 'This panel is closed and no longer accepts answers.' })
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

/**
 * Keyed by trait. Options are sorted by value, so equal choices compare equal.
 * @throws AppError invalid_input that names every invalid score
 */
function readScores(traits: readonly Question[], { scores }: TasteAnswer): Map<string, ScoreValue> {
  const read = new Map<string, ScoreValue>()
  const issues: { path: PropertyKey[]; message: string }[] = []
  for (const [i, { question, value }] of scores.entries()) {
    const trait = traits.find(({ position }) => position === question)
    const issue = !trait
      ? 'This question isn’t on the card'
      : read.has(trait.id)
        ? 'This question is answered twice'
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
