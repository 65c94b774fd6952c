import type { MenuItem, NewMenuItem } from '../../../contracts/menus.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { locationsForOffers } from '../locations/index.ts'
import { businessWords } from '../screening/index.ts'
import { checkOffers, checkUploads, replaceOffers } from './item-attachments.ts'
import { checkTogether, itemWords, newRow } from './item-input.ts'
import { loadMenuItems } from './menu-items.view.ts'
import { changeMenu, requireRoom } from './menu-lock.ts'
import { insertItems, takenSkus } from './product-rows.queries.ts'

export const skuTaken = 'Another item of this menu has this SKU'

/** @throws AppError not_found, forbidden, muted, age_restricted, invalid_input, plan_limit */
export function addMenuItem(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  idOrSlug: string,
  input: NewMenuItem,
  idempotency: IdempotencyKey | null,
): Promise<MenuItem> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, (tx, business) =>
    once(tx, actor.id, idempotency, now, async () => {
      await requireRoom(tx, business.id, 1, now)
      const row = newRow(newId(), input)
      const errors = {
        ...checkTogether(row),
        ...(await businessWords(tx, ctx, actor, 'menu_item', business.id))(itemWords(row)),
        ...(row.sku !== null && (await takenSkus(tx, business.id, [row.sku], [])).size > 0 ? { sku: skuTaken } : {}),
        ...(await checkUploads(tx, actor.id, { before: null, after: row })),
        ...checkOffers(
          input.offers,
          await locationsForOffers(
            tx,
            business.id,
            input.offers.map(({ locationId }) => locationId),
            now,
          ),
        ),
      }
      if (Object.keys(errors).length > 0) throw new AppError('invalid_input', { fields: errors })
      await insertItems(tx, business.id, [row], now)
      await replaceOffers(tx, [{ id: row.id, offers: input.offers }])
      await ctx.events.publish(tx, 'menu.product-added', { businessId: business.id })
      const [item] = await loadMenuItems(tx, [row.id])
      return item as MenuItem
    }),
  )
}
