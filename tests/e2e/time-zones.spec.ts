import { expect, type Page } from '@playwright/test'
import { appIsThere } from './app.ts'
import { findBusinesses } from './directory.ts'
import { test } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

/** West and east of UTC. At most times of day, one of them has a different date than the server. */
const readers = [
  { timezoneId: 'America/Denver', locale: 'en-US' },
  { timezoneId: 'Pacific/Kiritimati', locale: 'en-GB' },
]

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await appIsThere(page)
}

const dayOf = (page: Page) => page.getByRole('region', { name: 'License', exact: true }).locator('dt:text-is("Checked") + dd time').first()

for (const reader of readers)
  test(`shows a record on the same day in ${reader.timezoneId} as elsewhere, without an error`, async ({ browser }) => {
    // Opens many pages, which takes a while.
    test.slow()
    const context = await browser.newContext(reader)
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`))
    page.on('console', (message) => message.type() === 'error' && problems.push(`${page.url()}: ${message.text()}`))

    for (const address of ['/landing', '/sungrove', '/rules']) await open(page, address)
    await joinByCall(page, newPerson())
    await open(page, '/discover')
    const demo = await findBusinesses(page, 'search=lanternfold&limit=1')
    const farm = await findBusinesses(page, 'search=slow+furrow&limit=1')
    const listed = await findBusinesses(page, 'near=Boulder,+CO&limit=1')
    for (const { slug } of [...demo, ...farm, ...listed])
      for (const tab of ['', '?tab=reviews', '?tab=tools']) await open(page, `/business/${slug}${tab}`)

    await open(page, `/business/${demo[0]?.slug}`)
    const checked = dayOf(page)
    const at = (await checked.getAttribute('datetime')) ?? ''
    expect(await checked.textContent()).toBe(new Date(at).toLocaleDateString(reader.locale, { dateStyle: 'long', timeZone: 'UTC' }))

    const posts = (await (await page.request.get(`/api/businesses/${demo[0]?.id}/posts?limit=1`)).json()) as { id: string }[]
    for (const address of ['/', `/post/${posts[0]?.id}`, '/notifications', '/settings', '/profile']) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    }
    expect(problems).toEqual([])
    await context.close()
  })
