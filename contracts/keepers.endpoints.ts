import { endpoint } from './endpoint.ts'
import { HuntParams } from './hunts.ts'
import { KeeperRanking } from './keepers.ts'

export const getKeeperRanking = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/ranking',
  summary: "Rank the phenotypes by the hunt's weights, with certainty and what to measure next",
  tag: 'Keepers',
  access: 'member',
  rateLimit: 'drawing',
  params: HuntParams,
  response: KeeperRanking,
})
