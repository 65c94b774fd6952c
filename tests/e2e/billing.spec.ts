import { expect } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { newBusiness, post, put, test } from './members.ts'

test('an owner buys Business Tools in test mode, and cancels them', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(page, 'Ledge Farm')
  await page.goto(`/business/${business.slug}?tab=tools`)
  const tools = page.getByRole('tabpanel', { name: 'Business Tools' })
  await expect(tools.getByText('Free Account')).toBeVisible()
  await expect(tools.getByText('Test mode – no money moves')).toBeVisible()
  await expectAccessible(page)

  // Refused, nothing is bought; approved, it is.
  await tools.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
  await expect(tools.getByText('Nothing was charged')).toBeVisible()
  await expect(tools.getByText('Free Account')).toBeVisible()
  await tools.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(page, 'Subscription Activated!')).toContainText('Subscription ID')
  await expect(tools.getByText('Business Tools Active')).toBeVisible()

  await tools.getByRole('link', { name: 'Plan and receipts' }).click()
  const plan = page.getByRole('article').filter({ hasText: `Business Tools for ${business.name}` })
  await expect(plan).toContainText('Renews on')
  await expect(page.getByRole('link', { name: /receipt as a PDF/ })).toBeVisible()
  await expectAccessible(page)
  await plan.getByRole('button', { name: 'Cancel at period end' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
  await expect(plan).toContainText('Canceled – until')
  await expect(plan.getByRole('button')).toHaveCount(0)
})

test('a person buys a subscription to a business, and its exclusive post opens', async ({ newMember }) => {
  const owner = await newMember({ firstName: 'Olive', lastName: 'Hart' })
  const business = await newBusiness(owner.page, 'Priced Farm')
  const checkout = await owner.page.request.post('/api/billing/checkouts', {
    data: { provider: 'test', planId: 'business_tools', businessId: business.id },
  })
  const { id } = (await checkout.json()) as { id: string }
  const answer = await owner.page.request.post(`/api/billing/test/checkouts/${id}/answers`, { data: { outcome: 'approve' } })
  await post(owner.page, `/api/billing/checkouts/${id}/approval`, (await answer.json()) as object)
  const offer = { price: '12.50', currency: 'USD', title: 'Terrace club', perks: ['A walk through the rows'] }
  await put(owner.page, `/api/businesses/${business.id}/subscription-offer`, offer)
  await post(owner.page, '/api/posts', {
    businessId: business.id,
    title: 'Behind the gate',
    content: 'The rows on the upper terrace are ready.',
    postType: 'update',
    imageUrl: '',
    isExclusive: true,
  })

  const { page } = await newMember({ firstName: 'Rowan', lastName: 'Pike' })
  await page.goto(`/business/${business.slug}?tab=posts`)
  const locked = page.getByRole('article').filter({ hasText: 'Behind the gate' })
  await expect(locked).toContainText(`For subscribers of ${business.name}`)
  await expect(page.getByRole('button', { name: 'Subscribe $12.50 per month' }).first()).toBeVisible()
  await locked.getByRole('button', { name: 'Subscribe' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('A walk through the rows')
  await dialog.getByRole('button', { name: 'Subscribe' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(toastWith(page, 'Subscribed!')).toBeVisible()
  await expect(locked).toContainText('The rows on the upper terrace are ready.')

  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('dialog')).toContainText('stays open until then')
  await expectAccessible(page, ['light'])
  await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(toastWith(page, 'Unsubscribed')).toContainText('It stays as it is until')
  await expect(locked).toContainText('The rows on the upper terrace are ready.')
})
