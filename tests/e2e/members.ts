import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Business } from '#contracts/businesses.ts'
import { newPerson } from './people.ts'

export type Member = { page: Page; user: CurrentUser; name: string }

type Name = { firstName: string; lastName: string }
type NewMember = (name: Name, profile?: { isProfilePublic?: boolean; bio?: string }) => Promise<Member>

/** `newMember` creates a signed-in person with their own browser context, which closes after the test. */
export const test = base.extend<{ newMember: NewMember }>({
  newMember: async ({ browser }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (name, profile = {}) => {
      const context = await browser.newContext()
      contexts.push(context)
      const page = await context.newPage()
      await post(page, '/api/register', { ...newPerson(), ...name, accountType: 'consumer' })
      await post(page, '/api/user/profile', { ...name, location: 'Denver, CO', isProfilePublic: true, ...profile })
      const user = (await (await page.request.get('/api/auth/user')).json()) as CurrentUser
      return { page, user, name: `${name.firstName} ${name.lastName}` }
    })
    for (const context of contexts) await context.close()
  },
})

/** Creates a business owned by the person who is signed in on this page. */
export async function newBusiness(owner: Page, name: string, businessType = 'farm'): Promise<Business> {
  const answer = await owner.request.post('/api/businesses', {
    data: { businessType, businessName: `${name} ${Math.random().toString(36).slice(2, 7)}`, location: 'Denver, CO' },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Business
}

export async function post(page: Page, address: string, data?: object): Promise<void> {
  const answer = await page.request.post(address, data ? { data } : {})
  expect(answer.ok(), `${address}: ${await answer.text()}`).toBe(true)
}

export async function put(page: Page, address: string, data?: object): Promise<void> {
  const answer = await page.request.put(address, data ? { data } : {})
  expect(answer.ok(), `${address}: ${await answer.text()}`).toBe(true)
}

export const bell = (page: Page, unread: number) =>
  page.getByRole('banner').getByRole('button', { name: unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`, exact: true })
