import { sql } from 'kysely'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { refreshFigures } from './variant-rows.queries.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /**
     * Updates the figures of items whose sale has started or ended. Prices are right without this job, because they're computed when read.
     */
    'sales.start-and-end': Record<string, never>
    /** Updates the figures of all sales of a business whose time zone has changed. */
    'sales.refresh': { businessId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'events'>

export const menuJobs = (ctx: Ctx): Pick<JobHandlers, Extract<JobName, `sales.${string}`>> => ({
  'sales.start-and-end': () => startAndEndSales(ctx),
  async 'sales.refresh'({ businessId }) {
    await ctx.db
      .updateTable('products')
      .set({ sale_changes_at: ctx.clock.now() })
      .where('business_id', '=', businessId)
      .where(
        sql<boolean>`exists (select from product_variants where product_variants.product_id = products.id
          and (sale_starts_on is not null or sale_ends_on is not null))`,
      )
      .execute()
    await startAndEndSales(ctx)
  },
})

export const menuSchedules: readonly JobSchedule[] = [{ name: 'sales.start-and-end', cron: '* * * * *', data: {} }]

const batchSize = 500

async function startAndEndSales(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  while ((await startAndEndBatch(ctx, now)) === batchSize);
}

/** Items that are being edited wait for the next run. Returns how many items it handled. */
function startAndEndBatch({ db, events }: Ctx, now: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await tx
      .selectFrom('products')
      .select(['id', 'is_on_sale'])
      .where('sale_changes_at', '<=', now)
      .orderBy('sale_changes_at')
      .orderBy('id')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
      .execute()
    if (due.length === 0) return 0
    const ids = due.map(({ id }) => id)
    await refreshFigures(tx, ids, now)
    const regular = due.flatMap(({ id, is_on_sale }) => (is_on_sale ? [] : [id]))
    const started = await tx
      .selectFrom('products')
      .select('business_id')
      .distinct()
      .where(sql<boolean>`id = any(${regular}::uuid[])`)
      .where('is_on_sale', '=', true)
      .where('moderation', 'is', null)
      .execute()
    for (const { business_id } of started) await events.publish(tx, 'menu.product-changed', { businessId: business_id })
    return due.length
  })
}
