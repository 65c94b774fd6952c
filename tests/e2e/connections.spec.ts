import { expect } from '@playwright/test'
import { startWebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { newBusiness, test } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

/** The server under test may call this port: see playwright.config.ts. */
const receiverPort = Number(process.env.E2E_PORT) + 10_000

test('lets an owner add a webhook and see its deliveries, and shows why a menu address fails', async ({ newMember }) => {
  const receiver = await startWebhookReceiver(receiverPort)
  try {
    const { page } = await newMember({ firstName: 'Una', lastName: 'Ortega' })
    const { slug } = await newBusiness(page, 'Connected')
    await page.goto(`/business-dashboard/menu/connections?business=${slug}`)
    await expect(page.getByText('No webhooks yet.')).toBeVisible()
    await expectAccessible(page)

    const form = page.getByRole('form', { name: 'New webhook' })
    await form.getByLabel('Address').fill('https://127.0.0.1/hook')
    await form.getByRole('button', { name: 'Add webhook' }).click()
    await expect(form.getByText('This address is not on the public web.')).toBeVisible()
    await form.getByLabel('Address').fill(receiver.url())
    await form.getByRole('button', { name: 'Add webhook' }).click()
    await expect(page.getByRole('heading', { name: 'Copy the secret' })).toBeFocused()
    await expect(page.getByLabel('Signing secret')).toHaveValue(/^whsec_/)
    await page.getByRole('button', { name: 'Done' }).click()

    const row = page.getByRole('listitem').filter({ hasText: receiver.url() })
    await expect(row.getByText('Active')).toBeVisible()
    await row.getByRole('button', { name: 'Send test' }).click()
    const delivery = row.getByRole('listitem').filter({ hasText: 'webhook.test' })
    await expect(delivery.getByText('Delivered')).toBeVisible()
    await expect(delivery).toContainText('the receiver responded with 200')
    expect(receiver.received).toHaveLength(1)
    await delivery.getByRole('button', { name: 'Resend' }).click()
    await expect.poll(() => receiver.received.length).toBe(2)
    await expect(delivery).toContainText('2 attempts')
    await expectAccessible(page)

    const save = await hold(page, /\/webhooks\/[^/]+$/)
    const stop = row.getByRole('button', { name: 'Stop' })
    await stop.click()
    // Not `disabled`, which would move the focus away.
    await expect(stop).toHaveAttribute('aria-disabled', 'true')
    await expect(stop).toBeFocused()
    save()
    await expect(row.getByText('Your team stopped it.')).toBeVisible()
    await expect(row.getByRole('button', { name: 'Resume' })).toBeFocused()
    await row.getByRole('button', { name: 'Resume' }).click()
    await expect(row.getByText('Active')).toBeVisible()

    const address = page.getByRole('region', { name: 'Menu address' })
    await address.getByRole('textbox', { name: 'Address' }).fill(receiver.url('/menu.json'))
    await address.getByLabel('How often').selectOption('Every hour')
    await address.getByRole('button', { name: 'Save and fetch' }).click()
    // The receiver responds with {}, which isn't a menu.
    await expect(address.getByText('The JSON must be a list of items, or have one named “items”.')).toBeVisible()
    await expect(address.getByText('Failing')).toBeVisible()
    await page.setViewportSize({ width: 320, height: 700 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
    await address.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove address' }).click()
    await expect(address.getByRole('button', { name: 'Save and fetch' })).toBeVisible()
  } finally {
    await receiver.close()
  }
})

test('requires the owner’s password to create a key', async ({ page }) => {
  const person = newPerson()
  await joinByCall(page, person)
  const { slug } = await newBusiness(page, 'Keyed')
  await page.goto(`/business-dashboard/menu/connections?business=${slug}`)
  const form = page.getByRole('form', { name: 'New key' })
  await form.getByLabel('Name').fill('Front register')
  await form.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create this key?' })
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog.getByText('This isn’t your password.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Key' })).toHaveValue(/^sgk_/)
})
