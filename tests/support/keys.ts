import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type KeyScope, keyScopes } from '#contracts/choices.ts'
import type { BusinessKey } from '#contracts/keys.ts'
import type { TestApp, TestPerson } from './test-app.ts'

type Made = { key: BusinessKey; secret: string }

/** Creates a key with every scope unless told otherwise. */
export async function makeKey(test: TestApp, businessId: string, by: TestPerson, fields: object = {}): Promise<Made> {
  const scopes: readonly KeyScope[] = keyScopes
  const answer = await test.request('POST', `/api/businesses/${businessId}/keys`, by, { name: 'Register', scopes, ...fields })
  if (answer.statusCode !== 201) throw new Error(`The key wasn't created: ${answer.body}`)
  return answer.json() as Made
}

/** Calls as a system that has a key. */
export const asKey = (test: TestApp, secret: string, request: InjectOptions): Promise<LightMyRequestResponse> =>
  test.app.inject({ ...request, headers: { ...request.headers, authorization: `Bearer ${secret}` } })
