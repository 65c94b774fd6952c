import * as contract from '../../../contracts/search.ts'
import { type Api, route } from '../../kernel/route.ts'
import type { SearchIndex } from '../../kernel/search.ts'
import { countFacets } from './facets.ts'
import { search, suggest } from './search.ts'

export { createSearchIndexer, indexAll, searchSchedules } from './search.jobs.ts'

/**
 * Search over all that can be found by name or words. The index keeps no word of anybody longer than its subject is there: each document
 * has a foreign key to its subject with `on delete cascade`, so that deleting a person, a post, a business, a product or a community takes
 * its document along in the same transaction. What remains are ids in `search_changes`, for the second until they are looked at;
 * `search_words` holds words of public names of businesses, products, strains and communities, never of people or posts.
 */
export function registerSearch(api: Api, index: SearchIndex): void {
  const parts = { db: api.ctx.db, clock: api.ctx.clock, index }
  route(api, contract.search, ({ actor, query }) => search(parts, actor, query))
  route(api, contract.getSearchFacets, ({ actor, query }) => countFacets(parts, actor, query))
  route(api, contract.suggestHits, ({ actor, query }) => suggest(parts, actor, query.q))
}
