import * as contract from '#contracts/people.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { getProfile } from './get-profile.ts'

export {
  bylineColumns,
  ensureFormerMember,
  givenName,
  hiddenName,
  isAcquainted,
  isNamed,
  peopleById,
  sortName,
  toPerson,
} from './byline.ts'
export { changeFollowersCount, changeFollowingCount, lockPeople, lockPerson } from './get-profile.ts'
export {
  businessNotBlocked,
  isNotBlocked,
  isPortraitShown,
  isShutOut,
  mayReadPortrait,
  notBlocked,
  notBlockedBy,
  requireOpenProfile,
  requireVisiblePerson,
  type VisiblePerson,
  visiblePeople,
} from './visibility.ts'

export function registerPeople(api: Api): void {
  route(api, contract.getProfile, ({ ctx, actor, params }) => getProfile(ctx.db, actor.id, params.id))
}
