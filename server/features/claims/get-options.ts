import type { ClaimOptions } from '../../../contracts/claims.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { getShownBusiness } from '../businesses/index.ts'
import { ownerOf, roleOf } from '../team/index.ts'
import { latestClaim, listedContacts } from './claims.queries.ts'
import { toClaim } from './claims.view.ts'
import { emailDomainsOf } from './domains.ts'

/** @throws AppError not_found */
export async function getClaimOptions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Pick<Actor, 'id'>,
  idOrSlug: string,
): Promise<ClaimOptions> {
  const now = clock.now()
  const business = await getShownBusiness(db, idOrSlug, now)
  const { websites, phone } = await listedContacts(db, business.id)
  const isOwned = (await ownerOf(db, business.id)) !== null
  const claim = await latestClaim(db, actor.id, business.id)
  // With an owner there is only one way, and whoever asks must not try the others.
  const isOpen = !(business.isDemo || isOwned)
  return {
    business,
    licenses: business.licenses,
    isOwned,
    isOwnTeam: (await roleOf(db, business.id, actor.id)) !== null,
    isClosed: business.isDemo,
    emailDomains: isOpen ? emailDomainsOf(websites) : [],
    phone: isOpen ? phone : null,
    claim: claim ? toClaim(claim, now) : null,
  }
}
