import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { openAsAdmin } from './admins.ts'
import { newBusiness, post, put, test } from './members.ts'
import { expectToast } from './people.ts'

async function openForm(page: Page, slug: string, change: string) {
  await page.goto(`/business/${slug}`)
  await page.getByRole('button', { name: 'Suggest a change' }).click()
  const form = page.getByRole('dialog', { name: 'Suggest a change' })
  await form.getByLabel('What changed?').selectOption({ label: change })
  return form
}

test('merges a business that is listed twice, along with its followers, and redirects the old address', async ({ newMember, browser }) => {
  const owner = await newMember({ firstName: 'Olive', lastName: 'Owner' })
  const reader = await newMember({ firstName: 'Rita', lastName: 'Reader' })
  const from = await newBusiness(owner.page, 'Old Fern')
  const into = await newBusiness(owner.page, 'New Fern')
  await put(reader.page, `/api/businesses/${from.id}/follow`)

  const form = await openForm(reader.page, from.slug, 'It’s listed twice')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Choose the other listing')).toBeVisible()
  await form.getByLabel('Which listing is the same business?').fill(into.name)
  await form.getByRole('option', { name: into.name }).click()
  await expectAccessible(reader.page)
  await form.getByRole('button', { name: 'Send' }).click()
  await expectToast(reader.page, 'Thank you', 'A moderator will decide. We’ll let you know.')

  const { page: moderator } = await openAsAdmin(browser)
  await moderator.goto('/admin?tab=corrections')
  const card = moderator.getByRole('article', { name: `Change to ${from.name}` })
  await expect(card).toContainText(`The same business as ${into.name}`)
  await card.getByRole('button', { name: 'Review merge' }).click()
  const dialog = moderator.getByRole('dialog', { name: `Merge into ${into.name}?` })
  await expect(dialog.getByText(`${into.name} will get 1 follower from ${from.name}.`)).toBeVisible()
  await expectAccessible(moderator)
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expectToast(moderator, 'Businesses merged', into.name)
  await expect(card).toHaveCount(0)

  await reader.page.goto(`/business/${from.slug}`)
  await expect(reader.page.getByRole('heading', { level: 1, name: into.name })).toBeVisible()
  await expect(reader.page.getByRole('button', { name: `Unfollow ${into.name}` })).toBeVisible()
})

test('opens the remaining business from old links to the dashboard and billing of a merged one', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Odette', lastName: 'Owner' })
  const from = await newBusiness(page, 'Old Moss')
  const into = await newBusiness(page, 'New Moss')
  await post(page, `/api/businesses/${from.slug}/merge`, { into: into.slug })
  for (const address of ['/business-dashboard?tab=locations&', '/billing?']) {
    await page.goto(`${address}business=${from.slug}`)
    await expect(page).toHaveURL(new RegExp(`business=${into.slug}$`))
  }
  await page.goto('/business-dashboard?business=no-such-business')
  await expect(page.getByText('You don’t run this business')).toBeVisible()
})

test('lets a moderator keep the business that was suggested as the duplicate', async ({ newMember, browser }) => {
  const owner = await newMember({ firstName: 'Olga', lastName: 'Owner' })
  const reader = await newMember({ firstName: 'Rolf', lastName: 'Reader' })
  const kept = await newBusiness(owner.page, 'Long Known')
  const removed = await newBusiness(owner.page, 'Listed Again')
  await put(reader.page, `/api/businesses/${removed.id}/follow`)
  const suggestion = { kind: 'duplicate', of: removed.id }
  const sent = await reader.page.request.post(`/api/businesses/${kept.id}/corrections`, { data: suggestion })
  expect(sent.status()).toBe(201)

  const { page: moderator } = await openAsAdmin(browser)
  await moderator.goto('/admin?tab=corrections')
  const card = moderator.getByRole('article', { name: `Change to ${kept.name}` })
  await card.getByRole('button', { name: 'Review merge' }).click()
  const swap = moderator.getByRole('button', { name: 'Keep the other one instead' })
  await swap.click()
  const dialog = moderator.getByRole('dialog', { name: `Merge into ${kept.name}?` })
  await expect(dialog.getByText(`${kept.name} will get 1 follower from ${removed.name}.`)).toBeVisible()
  await expect(swap).toBeFocused()
  await expectAccessible(moderator)
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expectToast(moderator, 'Businesses merged', kept.name)
  await expect(card).toHaveCount(0)
  await moderator.getByRole('button', { name: 'Resolved' }).click()
  await expect(moderator.getByRole('heading', { name: 'Resolved, newest first' })).toBeVisible()

  await reader.page.goto(`/business/${removed.slug}`)
  await expect(reader.page.getByRole('heading', { level: 1, name: kept.name })).toBeVisible()
})
