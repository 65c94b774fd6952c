import * as contract from '../../../contracts/people.ts'
import { type Api, route } from '../../kernel/route.ts'
import { getProfile } from './get-profile.ts'

export { bylineColumns, givenName, hiddenName, toPerson } from './byline.ts'
export { changeFollowersCount, changeFollowingCount, lockPeople } from './follow-counts.ts'
export { ensureFormerMember } from './former-member.ts'
export { isAcquainted, isNamed, sortName } from './name-search.ts'
export { peopleById } from './people-by-id.ts'
export { isPortraitShown, mayReadPortrait } from './portrait-access.ts'
export {
  businessNotBlocked,
  isNotBlocked,
  isShutOut,
  notBlocked,
  notBlockedBy,
  requireOpenProfile,
  requireVisiblePerson,
  type VisiblePerson,
} from './visibility.ts'
export { visiblePeople } from './visible-people.ts'

export function registerPeople(api: Api): void {
  route(api, contract.getProfile, ({ ctx, actor, params }) => getProfile(ctx.db, actor.id, params.id))
}
