import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type KeyScope, keyScopes, type PersonKeyScope, personKeyScopes } from '#contracts/choices.ts'
import type { BusinessKey } from '#contracts/keys.ts'
import type { PersonKey } from '#contracts/sign-in.ts'
import type { TestApp, TestPerson } from './test-app.ts'

type CreatedKey = { key: BusinessKey; secret: string }

/** Creates a key, by default with every scope. */
export async function makeKey(test: TestApp, businessId: string, by: TestPerson, fields: object = {}): Promise<CreatedKey> {
  const scopes: readonly KeyScope[] = keyScopes
  const answer = await test.request('POST', `/api/businesses/${businessId}/keys`, by, {
    ...{ name: 'Register', scopes, password: by.password },
    ...fields,
  })
  if (answer.statusCode !== 201) throw new Error(`The key wasn't created: ${answer.body}`)
  return answer.json() as CreatedKey
}

export const asKey = (test: TestApp, secret: string, request: InjectOptions): Promise<LightMyRequestResponse> =>
  test.app.inject({ ...request, headers: { ...request.headers, authorization: `Bearer ${secret}` } })

export type MadePersonKey = { key: PersonKey; secret: string }

/** Creates a personal key, by default with every scope. */
export async function makePersonKey(test: TestApp, person: TestPerson, fields: object = {}): Promise<MadePersonKey> {
  const scopes: readonly PersonKeyScope[] = personKeyScopes
  const body = { name: 'Tablet', scopes, password: person.password, ...fields }
  const answer = await test.request('POST', '/api/sign-in/keys', person, body)
  if (answer.statusCode !== 201) throw new Error(`The key wasn't created: ${answer.body}`)
  return answer.json() as MadePersonKey
}
