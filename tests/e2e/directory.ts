import { expect, type Locator, type Page } from '@playwright/test'
import type { BusinessSummary } from '../../contracts/businesses.ts'

/** Businesses as the API lists them, to know what the page has to show. */
export async function findBusinesses(page: Page, query: string): Promise<BusinessSummary[]> {
  const answer = await page.request.get(`/api/businesses?${query}`)
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as BusinessSummary[]
}

/** The cards of the list, in its order. */
export const cards = (page: Page): Locator => page.getByRole('main').getByRole('article')

/** What a toast says. */
export const toastWith = (page: Page, text: string): Locator => page.getByRole('listitem').filter({ hasText: text })
