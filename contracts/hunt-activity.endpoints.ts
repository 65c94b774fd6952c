import { endpoint } from './endpoint.ts'
import { page } from './fields.ts'
import { HuntEvent } from './hunt-activity.ts'
import { HuntParams } from './hunts.ts'
import * as z from './zod.ts'

export const listHuntActivity = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/:id/activity',
  summary: "List a hunt's activity, the last recorded first",
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  params: HuntParams,
  query: z.object(page),
  response: z.array(HuntEvent),
})

export const listOwnActivity = endpoint({
  method: 'GET',
  path: '/api/pheno-hunts/activity',
  summary: 'List the activity of your hunts and of those shared with you, the last recorded first',
  tag: 'Pheno hunts',
  access: 'member',
  paginated: true,
  query: z.object(page),
  response: z.array(HuntEvent),
})
