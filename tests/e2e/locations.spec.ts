import { expect } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { newBusiness, test } from './members.ts'

test('moves focus to the hours form on a small phone and marks a day without hours as closed', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Odile', lastName: 'Marsh' })
  const business = await newBusiness(page, 'Hourglass Farm')
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(`/business-dashboard?business=${business.slug}&tab=locations`)
  await page.getByRole('button', { name: `Add hours for ${business.name}` }).click()
  const shows = page.getByRole('checkbox', { name: 'Set opening hours' })
  await expect(shows).toBeFocused()
  await expect(shows).toBeInViewport()
  await expectAccessible(page)

  const cross = page.getByRole('button', { name: 'Remove 9 AM to 9 PM from Monday' })
  await expect(cross).toBeInViewport({ ratio: 1 })
  await cross.click()
  await page.getByRole('button', { name: 'Save location' }).click()
  await expect(page.getByText('Location saved').first()).toBeVisible()
  await expect(page.locator('dl > div').filter({ hasText: 'Monday' })).toContainText('Closed')
})
