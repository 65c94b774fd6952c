import { expect, type Locator, type Page } from '@playwright/test'
import type { BusinessSummary } from '#contracts/businesses.ts'

export async function findBusinesses(page: Page, query: string): Promise<BusinessSummary[]> {
  const answer = await page.request.get(`/api/businesses?${query}`)
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as BusinessSummary[]
}

export const cards = (page: Page): Locator => page.getByRole('main').getByRole('article')

export const toastWith = (page: Page, text: string): Locator => page.getByRole('listitem').filter({ hasText: text })
