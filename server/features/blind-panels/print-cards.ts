import { createHash, randomBytes } from 'node:crypto'
import { setImmediate as otherWork } from 'node:timers/promises'
import { type PDFPage, rgb } from '@cantoo/pdf-lib'
import { sql } from 'kysely'
import type { printCards as contract } from '#contracts/blind-panels.endpoints.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { labelSheets } from '#contracts/labels.rules.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { drawCode, drawLine, fitted, ink, mm, muted, newPdf, type PdfFonts, widthOf } from '#server/kernel/pdf.ts'
import { cardsOf } from './panels.queries.ts'
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
      throw new AppError('conflict', { message: which === 'new' ? 'All cards are already printed.' : 'All cards are already answered.' })
    }
    const tokens = cards.map(newCardToken)
    await sql`
      update panel_cards set token_hash = given.hash
      from unnest(${cards.map(({ id }) => id)}::uuid[], ${tokens.map(hashOfCard)}::text[]) as given (id, hash)
      where panel_cards.id = given.id`.execute(tx)
    return {
      panel: await readPanel(tx, hunt, panelId),
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

/** Eight cards per sheet to cut out: the jar's name, and the code that its tester scans. */
async function drawCards(cards: readonly Card[], paper: 'Letter' | 'A4', brandName: string): Promise<Uint8Array> {
  const { document, fonts } = await newPdf('Cards of a blind panel', brandName)
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
  drawCode(page, url, x + width - side - 3 * mm, y + (height - side) / 2, side)
  const left = x + 7 * mm
  const room = width - side - 12 * mm
  const line = (words: string, size: number, at: number, color = ink) => drawLine(page, words, { x: left, y: at, size, fonts: text, color })
  line('Jar', 10, y + height - 17 * mm, muted)
  const name = fitted(jarName, { width: room, fonts: text, sizes: [44, 38, 32, 24], maxLines: 1 })
  line(name.lines[0] ?? jarName, name.size, y + height - 18 * mm - name.size * 0.9)
  const scan = 'Scan, taste, score'
  line(scan, widthOf(scan, text, 10) <= room ? 10 : 8, y + 16 * mm)
  line(`Card ${cardNumber}. One answer.`, 9, y + 11 * mm, muted)
}

/** 128 random bits, so it can't be guessed. */
const newCardToken = (): string => randomBytes(16).toString('base64url')

export const hashOfCard = (token: string): string => createHash('sha256').update(token).digest('base64url')
