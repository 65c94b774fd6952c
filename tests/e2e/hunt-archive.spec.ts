import fs from 'node:fs'
import { expect, type Page } from '@playwright/test'
import type { GrowLog } from '#contracts/grow-logs.ts'
import type { Hunt } from '#contracts/hunts.ts'
import type { Upload } from '#contracts/media.ts'
import { expectAccessible } from './accessibility.ts'
import { hold } from './app.ts'
import { toastWith } from './directory.ts'
import { test } from './members.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==', 'base64')

async function upload(page: Page): Promise<string> {
  const begun = await page.request.post('/api/media', { data: { contentType: 'image/png', byteSize: png.length } })
  const { id } = (await begun.json()) as Upload
  const headers = { 'content-type': 'application/octet-stream' }
  expect((await page.request.put(`/api/media/${id}/bytes?offset=0`, { data: png, headers })).status()).toBe(200)
  await expect.poll(async () => ((await (await page.request.get(`/api/media/${id}`)).json()) as Upload).status).toBe('ready')
  return id
}

const logsOf = async (page: Page, huntId: string): Promise<GrowLog[]> =>
  (await (await page.request.get(`/api/grow-logs?huntId=${huntId}`)).json()) as GrowLog[]

test('exports a hunt with its photos, and restores them despite an interruption', async ({ newMember }) => {
  test.setTimeout(90_000)
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Falk' })
  const made = await page.request.post('/api/pheno-hunts', { data: { huntName: 'Lantern Kush F2', seedCount: 2 } })
  const hunt = (await made.json()) as Hunt
  const log = { huntId: hunt.id, loggedOn: '2026-09-20', notes: 'Day 50', mediaIds: [await upload(page), await upload(page)] }
  expect((await page.request.post('/api/grow-logs', { data: log })).status()).toBe(201)

  await page.goto(`/pheno-hunt/${hunt.id}?section=archive`)
  await page.getByRole('button', { name: 'Export with photos' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export with photos' })
  await expect(dialog.getByText('2 photos, 1 KB')).toBeVisible()
  await expectAccessible(page)
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('link', { name: 'Download' }).click()])
  expect(download.suggestedFilename()).toBe('hunt.zip')
  const archive = { name: 'hunt.zip', mimeType: 'application/zip', buffer: fs.readFileSync(await download.path()) }

  const broken = { ...archive, buffer: archive.buffer.subarray(0, archive.buffer.length - 30) }
  await page.getByLabel('Exported hunt').setInputFiles(broken)
  const refusal = page.getByRole('dialog', { name: 'This file wasn’t imported' })
  await expect(refusal).toContainText('This archive is incomplete or damaged. Download it again')
  await refusal.getByRole('button', { name: 'Close' }).last().click()

  const letGo = await hold(page, '**/api/awaited-photos/*', (route) => route.abort().catch(() => {}))
  // The first response is lost, and the second try doesn't import the hunt again.
  const saved = test.info().outputPath('hunt.zip')
  fs.writeFileSync(saved, archive.buffer)
  await page.route('**/api/hunt-imports', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  await page.getByLabel('Exported hunt').setInputFiles(saved)
  await refusal.getByRole('button', { name: 'Close' }).last().click()
  await page.getByLabel('Exported hunt').setInputFiles(saved)
  await expect(page).not.toHaveURL(new RegExp(hunt.id))
  expect(await (await page.request.get('/api/pheno-hunts')).json()).toHaveLength(2)
  await expect(page.getByRole('region', { name: 'Restoring photos' })).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  const missing = page.getByRole('region', { name: '2 photos still missing' })
  await expect(missing).toBeVisible()
  await expect(missing.getByRole('button', { name: 'Continue' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Pause' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(missing.getByRole('button', { name: 'Continue' })).toBeFocused()
  await expectAccessible(page)
  letGo()
  await page.unroute('**/api/awaited-photos/*')

  await page.reload()
  await page.getByLabel('Archive with photos').setInputFiles(archive)
  await expect(toastWith(page, '2 photos restored')).toBeVisible()
  await expect(missing).toBeHidden()
  const copyId = new URL(page.url()).pathname.split('/').at(-1) as string
  const [copied] = await logsOf(page, copyId)
  expect(copied).toMatchObject({ notes: 'Day 50', loggedOn: '2026-09-20' })
  expect(copied?.photos).toHaveLength(2)
})
