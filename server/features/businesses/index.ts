export { requireBusiness } from './businesses.queries.ts'
export { registerBusinesses } from './businesses.routes.ts'
export { lockBusiness, setClaimed } from './claimed.ts'
export { correctName } from './correct-name.ts'
export { claimPath, listingsNamed } from './existing-listings.ts'
export { getBusiness, getShownBusiness, licensesOfAll } from './get-business.ts'
export { setLicenseVerified } from './license-verified.ts'
export { listBusinesses, loadSummaries } from './list-businesses.ts'
export { type Pin, readLocation } from './location.ts'
export { isBusinessPictureShown, setBusinessPicture } from './picture.ts'
export { lockRatingCounts, setRatingCounts } from './rating-counts.ts'
export {
  type ChangedListing,
  deleteUnused,
  factNames,
  insertListings,
  type Listing,
  type ListingFacts,
  listingsAround,
  type NewListing,
  takenSlugs,
  updateListings,
} from './register-listings.ts'
export { defaultRadiusMiles, nearArea } from './search.ts'
export { setBusinessPlace } from './set-place.ts'
export { nextSlugNumber } from './slugs.queries.ts'
export { numberedSlug, slugBase } from './slugs.ts'
export { lockSubscriberCount, setSubscriberCount } from './subscriber-count.ts'
export { containsWord, searchTextOf, searchWords } from './text-filter.ts'
