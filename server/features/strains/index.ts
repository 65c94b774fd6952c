import * as contract from '#contracts/strains.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { suggestBreeders, suggestStrains } from './strains.ts'

export { allStrains, nameKey, type Strain, suggestStrains } from './strains.ts'

export function registerStrains(api: Api): void {
  route(api, contract.suggestStrains, async ({ query }) => suggestStrains(query.q, query.limit))
  route(api, contract.suggestBreeders, async ({ query }) => suggestBreeders(query.q, query.limit))
}
