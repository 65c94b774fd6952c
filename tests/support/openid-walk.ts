import { expect } from 'vitest'
import type { AccountsApp } from './accounts-app.ts'
import type { Claims } from './openid-provider.ts'

type Answer = Awaited<ReturnType<AccountsApp['get']>>

let people = 0

export function createClaims(details: Partial<Claims> = {}): Claims {
  const number = ++people
  return { sub: `provider-${number}`, email: `Openid-${number}@Provider.example`, email_verified: true, given_name: 'Ann', ...details }
}

/** The `Cookie` header of a browser that got this response. */
export const cookiesOf = (response: Answer) => response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')

/** Goes from the button to the provider as a browser would. Returns the address to which the provider redirects. */
export async function leave(app: AccountsApp, returnTo?: string): Promise<{ begun: Answer; back: URL }> {
  const begun = await app.get(`/api/login${returnTo ? `?${new URLSearchParams({ returnTo })}` : ''}`)
  expect(begun.statusCode, begun.body).toBe(302)
  const atProvider = await fetch(begun.headers.location as string, { redirect: 'manual' })
  return { begun, back: new URL(atProvider.headers.get('location') as string) }
}

/** Goes from the button to the provider and back. Returns the first and last responses, and the address in between. */
export async function signInWithOpenId(app: AccountsApp, { returnTo, cookie }: { returnTo?: string; cookie?: string } = {}) {
  const { begun, back } = await leave(app, returnTo)
  const finished = await app.get(back.pathname + back.search, { cookie: cookie ?? cookiesOf(begun) })
  return { begun, back, finished }
}
