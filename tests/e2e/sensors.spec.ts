import { expect } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { toastWith } from './directory.ts'
import { test } from './members.ts'

test('connects a room’s sensor, shows its last reading, and revokes the key', async ({ newMember, request }) => {
  const { page } = await newMember({ firstName: 'Tess', lastName: 'Arden' })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Blue Dream F2', seedCount: 2 } })
  const { id } = (await made.json()) as { id: string }
  await page.request.post(`/api/pheno-hunts/${id}/runs`, { data: { name: 'Run 1', room: 'Tent A' } })

  await page.goto(`/pheno-hunt/${id}?section=climate`)
  await page.getByRole('button', { name: 'Connect a sensor' }).click()
  const card = page.getByRole('region', { name: 'Connect a sensor' })
  await card.getByRole('button', { name: 'Create a key' }).click()
  await expect(card.getByText('Name the room')).toBeVisible()
  // The form suggests the run's room.
  await expect(card.locator('option[value="Tent A"]')).toHaveCount(1)
  await card.getByLabel('Room').fill('Tent A')
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Create a key' }).click()
  const secret = await card.getByRole('textbox', { name: 'Key for Tent A' }).inputValue()
  await expect(card.getByText(`Authorization: Bearer ${secret}`)).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.setViewportSize({ width: 1280, height: 900 })
  await card.getByRole('button', { name: 'Done' }).click()

  const live = page.getByRole('region', { name: 'Live sensors' })
  await expect(live.getByText('Waiting for the first reading.')).toBeVisible()
  const send = async () => {
    const headers = { authorization: `Bearer ${secret}` }
    const data = { temperature: 77, humidity: 58, unit: 'F', co2: 900 }
    return (await request.post('/api/sensor-readings', { headers, data })).status()
  }
  expect(await send()).toBe(200)
  await page.reload()
  await expect(live.getByText(/77 °F · 58% · VPD 0\.\d\d kPa · CO₂ 900 ppm/)).toBeVisible()
  await expect(live.getByText(`Key sgs_…${secret.slice(-4)}`)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Connect a sensor' }).click()
  await card.getByLabel('Room').fill('Tent A')
  await card.getByRole('button', { name: 'Create a key' }).click()
  await expect(card.getByText('This room already has a key')).toBeVisible()
  await card.getByRole('button', { name: 'Cancel' }).click()

  await live.getByRole('button', { name: 'Revoke the key for Tent A' }).click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(toastWith(page, 'Key revoked')).toBeVisible()
  await expect(live).toBeHidden()
  expect(await send()).toBe(401)
})

test('reports an unknown time zone, and keeps reading the file in the previous one', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ada', lastName: 'Tent' })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Tent', seedCount: 1 } })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/pheno-hunt/${id}?section=climate`)
  await page.getByRole('button', { name: 'Import a sensor file' }).click()
  await page.getByLabel('Sensor file', { exact: true }).setInputFiles({
    name: 'tent.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Timestamp,Temperature (°C),Humidity (%)\n2026-03-02 10:00,25.1,55\n2026-03-02 11:00,25.4,56\n'),
  })
  const zone = page.getByLabel('Time zone')
  await zone.fill('America/Denver')
  await zone.blur()
  await expect(page.getByRole('columnheader', { name: 'Time (America/Denver)' })).toBeVisible()
  await zone.fill('America/Denvr')
  await zone.blur()
  await expect(page.getByText('Unknown time zone. We’re still reading the times as America/Denver.')).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Time (America/Denver)' })).toBeVisible()
})
