import { expect } from '@playwright/test'
import { appIsThere } from './app.ts'
import { test } from './members.ts'

test('starts without errors or flicker', async ({ page }) => {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(error.message))
  // Marks the page if it ever loses its heading.
  await page.addInitScript(() => {
    let hadOne = false
    const look = () => {
      const has = document.querySelector('h1') !== null
      if (hadOne && !has) document.documentElement.dataset.flashed = 'yes'
      hadOne ||= has
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  for (const path of ['/landing', '/terms', '/discover']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await appIsThere(page)
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(page.locator('html')).not.toHaveAttribute('data-flashed')
  }
  expect(errors).toEqual([])
})

test('can be installed under a discreet name and icon', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ida', lastName: 'Quiet' })
  await page.goto('/settings#install')
  const manifest = page.locator('link[rel="manifest"]')
  await expect(manifest).toHaveAttribute('href', '/manifest.webmanifest')
  await page.getByRole('switch', { name: 'Discreet name and icon' }).check()
  await expect(manifest).toHaveAttribute('href', '/manifest.webmanifest?name=discreet')
  await page.reload()
  await expect(manifest).toHaveAttribute('href', '/manifest.webmanifest?name=discreet')
  const app = (await (await page.request.get('/manifest.webmanifest?name=discreet')).json()) as { name: string; icons: { src: string }[] }
  expect(app.name).toBe('Notes')
  expect(JSON.stringify(app)).not.toMatch(/sungrove|cannabis|hunt/i)
  for (const { src } of app.icons) expect((await page.request.get(src)).headers()['content-type']).toBe('image/png')
})

test('keeps an install prompt that arrives on another page until the settings are opened', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ida', lastName: 'Quiet' })
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Edit Profile' }).waitFor()
  await page.evaluate(() => window.dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => undefined })))
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  const install = page.getByRole('button', { name: 'Install', exact: true })
  await install.click()
  await expect(install).toHaveCount(0)
})
