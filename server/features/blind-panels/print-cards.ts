import { sql } from 'kysely'
import type { printCards as contract } from '../../../contracts/blind-panels.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOfCard, newCardToken } from './card-tokens.ts'
import { holdPanel, requireOpen } from './change-panel.ts'
import { drawCards } from './draw-cards.ts'
import { cardsOf } from './panels.queries.ts'
import { readPanel } from './panels.view.ts'

type Ctx = Pick<Context, 'db' | 'config' | 'brand' | 'rateLimiter'>
type Options = { cards: 'new' | 'unanswered'; paper: 'Letter' | 'A4' }

/**
 * Gives cards their codes. Only their hashes are kept, so this is the one time that they can be printed; what gets a second code loses
 * the first. It is not repeatable by a key: the answer would have to be kept.
 * @throws AppError not_found, forbidden, conflict once it is closed or where there is nothing to print, too_many_requests
 */
export async function printCards(
  ctx: Ctx,
  actor: Actor,
  panelId: string,
  { cards: which, paper }: Options,
): Promise<ResponseOf<typeof contract>> {
  await ctx.rateLimiter.consume('drawing', `account:${actor.id}`)
  const { panel, printed } = await inTransaction(ctx.db, async (tx) => {
    const { hunt, panel: held } = await holdPanel(tx, actor, panelId)
    requireOpen(held)
    const cards = (await cardsOf(tx, panelId)).filter(
      ({ answered_at, token_hash }) => answered_at === null && (which === 'unanswered' || token_hash === null),
    )
    if (cards.length === 0) {
      throw new AppError('conflict', { message: which === 'new' ? 'Every card is printed already.' : 'Every card is answered already.' })
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
