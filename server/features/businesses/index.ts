export { requireBusiness } from './businesses.queries.ts'
export { registerBusinesses } from './businesses.routes.ts'
export { loadSummaries } from './list-businesses.ts'
export { cityOfZip } from './location.ts'
export { setBusinessPicture } from './picture.ts'
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
export { nextSlugNumber } from './slugs.queries.ts'
export { numberedSlug, slugBase } from './slugs.ts'
export { lockSubscriberCount, setSubscriberCount } from './subscriber-count.ts'
export { foldText, searchTextOf } from './text-filter.ts'
