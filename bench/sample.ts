import type { BusinessSummary } from '../contracts/businesses.ts'
import type { Sample } from './routes.ts'

export type Visitor = { cookie: string; sample: Sample }

const favorites = 20

/** Makes the person who is measured: an account with a page of favorites. */
export async function prepareVisitor(origin: string): Promise<Visitor> {
  const json = async (method: string, path: string, body?: object, cookie = '') => {
    const response = await fetch(origin + path, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response
  }
  const person = {
    firstName: 'Bench',
    lastName: 'Mark',
    birthday: '1990-01-01',
    email: `bench-${Date.now()}@example.com`,
    password: 'seven green terraces at dawn',
  }
  const registered = await json('POST', '/api/register', { ...person, accountType: 'consumer' })
  const cookie = registered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0] as string)
    // The cookie that makes a writer skip the cache is gone after seconds; the measured reader has none.
    .filter((each) => !each.startsWith('fresh='))
    .join('; ')
  await json('POST', '/api/user/profile', { firstName: 'Bench', lastName: 'Mark', location: 'Denver, CO' }, cookie)
  const businesses = (await (await json('GET', `/api/businesses?limit=${favorites}`)).json()) as BusinessSummary[]
  for (const business of businesses) await json('POST', '/api/favorites', { businessId: business.id }, cookie)
  return { cookie, sample: { businessSlug: businesses[0]?.slug as string } }
}
