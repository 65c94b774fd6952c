import * as contract from '#contracts/businesses.endpoints.ts'
import { readLastWrite } from '#server/kernel/replica-reads.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { businessesOfMember, readStatus } from './businesses.queries.ts'
import { closeBusiness, reopenBusiness } from './close-business.ts'
import { createBusiness } from './create-business.ts'
import { getOwnBusiness, getShownBusiness, listBusinesses, searchMap } from './read-businesses.ts'
import { updateBusiness } from './update-business.ts'

export {
  type CountedBusiness,
  disambiguateNames,
  labelForMember,
  lockRatingCounts,
  lockSubscriberCount,
  nextSlugNumber,
  requireBusiness,
  setRatingCounts,
  setSubscriberCount,
  wantedBusinessId,
} from './businesses.queries.ts'
export { requireInBusiness } from './close-business.ts'
export {
  type CorrectableListing,
  correctListing,
  isListed,
  lockFacts,
  type ReplacedFacts,
  restoreListing,
} from './correct-listing.ts'
export { claimPath, listingsNamed, numberedSlug, slugBase } from './create-business.ts'
export { lockAgainstDeletion, lockBusiness, requireLicensedState, setClaimed, setLicenseVerified, setUnclaimed } from './listing-state.ts'
export { type Pin, readLocation, setBusinessPlace } from './location.ts'
export { getBusiness, getShownBusiness, licensesOfAll, listBusinesses, loadSummaries } from './read-businesses.ts'
export {
  type ChangedListing,
  deleteUnused,
  factNames,
  insertListings,
  type Listing,
  type ListingFacts,
  listingsAround,
  mergedPlaces,
  type NewListing,
  takenSlugs,
  updateListings,
} from './register-listings.ts'
export { distanceOrFarthest, isInArea, isOpenAt, milesTo, minMiles } from './search.queries.ts'
export { type Area, containsWord, defaultRadiusMiles, nearArea, searchTextOf, searchWords } from './search.ts'
export { attachFetchedPicture, correctName, isBusinessPictureShown, setBusinessPicture, setLogo } from './update-business.ts'

export function registerBusinesses(api: Api): void {
  const cached = { cacheAs: 'businesses', replicaFor: 'anyone' } as const
  route(api, contract.listBusinesses, ({ ctx, query }) => listBusinesses(ctx.db, query, ctx.clock.now()), cached)
  route(
    api,
    contract.searchMap,
    ({ ctx, query, request }) => searchMap(ctx, query, ctx.clock.now(), readLastWrite(ctx, request).isRecent),
    cached,
  )
  route(api, contract.getBusiness, ({ ctx, params }) => getShownBusiness(ctx.db, params.id, ctx.clock.now()), {
    ...cached,
    ownAnswer: (actor, { ctx, params }) => getOwnBusiness(ctx.db, actor, params.id, ctx.clock.now()),
  })
  route(api, contract.getBusinessStatus, ({ ctx, actor, params }) => readStatus(ctx.db, actor.id, params.id))
  route(api, contract.listMyBusinesses, ({ ctx, actor }) => businessesOfMember(ctx.db, actor.id, ctx.clock.now()))
  route(api, contract.createBusiness, ({ ctx, actor, body, idempotency }) => createBusiness(ctx, actor, body, idempotency))
  route(api, contract.setUpBusiness, ({ ctx, actor, body, idempotency }) =>
    createBusiness(ctx, actor, { ...body, address: '', phone: '', website: '', imageUrl: '' }, idempotency),
  )
  route(api, contract.closeBusiness, ({ ctx, actor, params, body }) => closeBusiness(ctx, actor, params.id, body))
  route(api, contract.reopenBusiness, ({ ctx, actor, params }) => reopenBusiness(ctx, actor, params.id))
  route(api, contract.updateBusiness, ({ ctx, actor, params, body }) => updateBusiness(ctx, actor, params.id, body))
}
