import type { Parsed } from '../../../contracts/endpoint.ts'
import type { GuideProgress, putGuideProgress } from '../../../contracts/guide.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { readAccount, readFacts, readMarks } from './progress.queries.ts'
import { checklistOf, stepsFor } from './steps.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'brand' | 'ai'>

/** The checklist of somebody, with all that is kept about it. */
export async function getProgress({ db, clock, brand, ai }: Ctx, actor: Pick<Actor, 'id'>): Promise<GuideProgress> {
  const [account, facts, marks] = await Promise.all([
    readAccount(db, actor.id),
    readFacts(db, actor.id, clock.now()),
    readMarks(db, actor.id),
  ])
  const steps = stepsFor({ userType: account.user_type, businessType: account.business_type }, brand.slug)
  return {
    ...checklistOf(steps, facts, { marked: marks?.marked ?? [], current: marks?.current_step ?? null }),
    isDismissed: marks?.is_dismissed ?? false,
    usesModel: marks?.uses_model ?? false,
    modelHost: ai?.host ?? null,
  }
}

/** Keeps it whole, so that the same write again changes nothing; ids that are no step are dropped. */
export async function putProgress(
  ctx: Ctx,
  actor: Pick<Actor, 'id'>,
  body: Parsed<(typeof putGuideProgress)['body']>,
): Promise<GuideProgress> {
  const account = await readAccount(ctx.db, actor.id)
  const known = new Set(stepsFor({ userType: account.user_type, businessType: account.business_type }, ctx.brand.slug).map(({ id }) => id))
  const values = {
    marked: [...new Set(body.completed)].filter((id) => known.has(id)),
    current_step: body.current !== null && known.has(body.current) ? body.current : null,
    is_dismissed: body.isDismissed,
    uses_model: body.usesModel,
    updated_at: ctx.clock.now(),
  }
  await ctx.db
    .insertInto('guide_progress')
    .values({ user_id: actor.id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
  return getProgress(ctx, actor)
}
