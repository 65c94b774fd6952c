import { isbot } from 'isbot'
import type { recordVisits as contract } from '../../../contracts/insights.ts'
import { addressGroup } from '../../kernel/client-address.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Call } from '../../kernel/route.ts'
import type { VisitBuffer } from './visit-buffer.ts'
import { type createSalts, visitorKey } from './visitor.ts'
import { visitedBusiness } from './visits.queries.ts'

type Counting = { buffer: VisitBuffer; salts: ReturnType<typeof createSalts> }

/** Counts visits that are worth counting; what is not is no error. @throws AppError not_found */
export async function recordVisits(counting: Counting, { ctx, actor, params, body, request }: Call<typeof contract>): Promise<undefined> {
  const userAgent = request.headers['user-agent']
  const business = await visitedBusiness(ctx.db, params.id, actor?.id ?? null)
  if (!business) throw notFound('Business not found.')
  if (business.isOwn || business.isBlocked || isProgram(userAgent) || isAheadOfClick(request.headers)) return
  const at = ctx.clock.now()
  const identity = actor ? { accountId: actor.id } : { addressGroup: addressGroup(request.ip), userAgent: userAgent ?? '' }
  const visitor = visitorKey(await counting.salts.of(at), business.id, identity)
  counting.buffer.add(
    body.visits.map(({ kind, subject }) => ({
      at,
      businessId: business.id,
      kind,
      source: body.source,
      subjectId: subject ?? null,
      visitor,
    })),
  )
}

/** A crawler, a script, or something that does not say what it is. */
const isProgram = (userAgent: string | undefined): boolean => !userAgent || isbot(userAgent)

/** Loaded by the browser in case somebody might want it. */
const isAheadOfClick = (headers: Record<string, string | string[] | undefined>): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))
