export { requireBusiness } from './businesses.queries.ts'
export { registerBusinesses } from './businesses.routes.ts'
export { lockRatingCounts, lockSubscriberCount, setRatingCounts, setSubscriberCount } from './counts.ts'
export { claimPath, listingsNamed } from './create-business.ts'
export { correctName } from './edit-business.ts'
export { lockBusiness, setClaimed, setLicenseVerified } from './licensed-state.ts'
export { type Pin, readLocation, setBusinessPlace } from './location.ts'
export { isBusinessPictureShown, setBusinessPicture } from './picture.ts'
export { getBusiness, getShownBusiness, licensesOfAll, listBusinesses, loadSummaries } from './read-businesses.ts'
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
export { containsWord, defaultRadiusMiles, nearArea, searchTextOf, searchWords } from './search.ts'
export { nextSlugNumber } from './slugs.queries.ts'
export { numberedSlug, slugBase } from './slugs.ts'
