import { AccountStatus, HeldContent, OwnDecision } from './account-status.ts'
import { endpoint } from './endpoint.ts'
import { page } from './fields.ts'
import * as z from './zod.ts'

export const getAccountStatus = endpoint({
  method: 'GET',
  path: '/api/standing',
  summary: 'Read whether you are muted, suspended or banned',
  tag: 'Moderation',
  access: 'account',
  response: AccountStatus,
})

export const listOwnDecisions = endpoint({
  method: 'GET',
  path: '/api/standing/actions',
  summary: 'List what moderators did to you or your content, newest first, with reasons and appeals',
  tag: 'Moderation',
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(OwnDecision),
})

export const listHeldContent = endpoint({
  method: 'GET',
  path: '/api/standing/held',
  summary: 'List what you wrote that is held for review, newest first',
  tag: 'Moderation',
  access: 'account',
  paginated: true,
  query: z.object(page),
  response: z.array(HeldContent),
})
