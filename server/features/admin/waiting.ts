import type { Waiting } from '../../../contracts/admin.ts'
import type { Context } from '../../kernel/context.ts'
import { isStillAsked } from '../claims/index.ts'
import { inQueueOf } from '../moderation/index.ts'

/** What each queue holds. Whose own matter is among it sees one less in the queue itself. */
export async function getWaiting({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Waiting> {
  const now = clock.now()
  const inQueue = inQueueOf({ actsFor: 'site' }, now)
  const { claims, licenses, cases, overdue, appeals } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('claims')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'open')
        .where('method', '!=', 'email')
        .where(isStillAsked)
        .where((e) => e.or([e('code_expires_at', 'is', null), e('code_expires_at', '>', now)]))
        .as('claims'),
      eb
        .selectFrom('license_verifications')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'pending')
        .where('document_id', 'is not', null)
        .as('licenses'),
      eb
        .selectFrom('moderation_cases')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'open')
        .where(inQueue)
        .as('cases'),
      eb
        .selectFrom('moderation_cases')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'open')
        .where(inQueue)
        .where('due_at', '<', now)
        .as('overdue'),
      eb
        .selectFrom('moderation_appeals')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('decided_at', 'is', null)
        .as('appeals'),
    ])
    .executeTakeFirstOrThrow()
  return { claims: claims ?? 0, licenses: licenses ?? 0, cases: cases ?? 0, overdue: overdue ?? 0, appeals: appeals ?? 0 }
}
