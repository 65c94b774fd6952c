import { PasswordAgain } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams, page } from './fields.ts'
import { BusinessKey, NewKey } from './keys.ts'
import * as z from './zod.ts'

export const listKeys = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/keys',
  summary: "List a business's API keys, newest first",
  tag: 'API keys',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(BusinessKey),
})

export const createKey = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/keys',
  summary: "Create an API key. Only this response contains its secret. Returns 409 if a key that isn't revoked has the same name.",
  tag: 'API keys',
  access: 'member',
  words: 'account',
  params: IdOrSlugParams,
  body: z.extend(NewKey, { password: PasswordAgain }),
  response: z.object({ key: BusinessKey, secret: z.string() }),
  status: 201,
})

export const revokeKey = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/keys/:keyId',
  summary: 'Revoke an API key. It stops working immediately. Idempotent.',
  tag: 'API keys',
  access: 'member',
  params: z.object({ id: IdOrSlug, keyId: Id }),
})
