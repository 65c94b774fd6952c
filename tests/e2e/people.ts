import { expect, type Page } from '@playwright/test'

export type Person = { firstName: string; lastName: string; email: string; password: string; birthday: string }

/** A different person each time, without an account. */
export function newPerson(): Person {
  const mark = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
  return {
    firstName: 'Robin',
    lastName: 'Vale',
    email: `robin.${mark}@example.com`,
    password: 'seven lanterns over rye',
    birthday: '1991-05-14',
  }
}

/** Creates an account through the API and signs this browser in, for tests that aren't about signing up. */
export async function registerByCall(page: Page, person: Person, accountType: 'consumer' | 'business' = 'consumer'): Promise<void> {
  const answer = await page.request.post('/api/register', {
    data: { ...person, accountType, ...(accountType === 'business' ? { businessType: 'farm' } : {}) },
  })
  expect(answer.status(), await answer.text()).toBe(201)
}

/** Creates an account, signs this browser in, and completes onboarding, through the API. */
export async function joinByCall(page: Page, person: Person): Promise<void> {
  await registerByCall(page, person)
  const { firstName, lastName } = person
  const answer = await page.request.post('/api/user/profile', { data: { firstName, lastName, location: 'Denver, CO' } })
  expect(answer.status(), await answer.text()).toBe(200)
}

export async function fillSignUp(page: Page, person: Person): Promise<void> {
  await page.getByLabel('First Name').fill(person.firstName)
  await page.getByLabel('Last Name').fill(person.lastName)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Birthday (Must be 18+)').fill(person.birthday)
}

export async function passAgeGate(page: Page): Promise<void> {
  const enter = page.getByRole('button', { name: 'Enter Sungrove' })
  await expect(enter).toBeDisabled()
  await page.getByLabel('I confirm that I am 18 years or older').check()
  await enter.click()
}

/** Expects a toast with this title and text. Only failures use the destructive color. */
export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  const toast = page.getByRole('listitem').filter({ hasText: title })
  await expect(toast.getByText(description, { exact: true })).toBeVisible()
  const isDestructive = await toast.evaluate((element) => {
    const probe = element.appendChild(document.createElement('i'))
    probe.className = 'text-clay'
    const clay = getComputedStyle(probe).color
    probe.remove()
    return getComputedStyle(element).borderTopColor === clay
  })
  expect(isDestructive, `whether “${title}” is destructive`).toBe(/^Error$|failed$/.test(title))
}
