import * as contract from '#contracts/search.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import type { SearchIndex } from '#server/kernel/search.ts'
import { countFacets, search, suggest, suggestMentions } from './search.ts'

export { createSearchIndexer, indexAll, searchSchedules } from './index-subjects.ts'

/**
 * Full-text and name search. The index never outlives its subjects: foreign keys with `on delete cascade` make deleting a person, post,
 * business, product or community delete its document in the same transaction. Only IDs remain in `search_changes` until they are processed
 * about a second later. `search_words` contains words of public names of businesses, products, strains and communities, never of people or
 * posts.
 */
export function registerSearch(api: Api, index: SearchIndex): void {
  const parts = { db: api.ctx.db, clock: api.ctx.clock, index }
  route(api, contract.search, ({ actor, query }) => search(parts, actor, query))
  route(api, contract.getSearchFacets, ({ actor, query }) => countFacets(parts, actor, query))
  route(api, contract.suggestMentions, ({ actor, query }) => suggestMentions(parts, actor, query))
  route(api, contract.suggestHits, ({ actor, query }) => suggest(parts, actor, query))
}
