import { expect, type Page, test } from '@playwright/test'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { expectAccessible } from './accessibility.ts'
import { appIsThere } from './app.ts'
import { cards, findBusinesses, toastWith } from './directory.ts'
import { joinByCall, newPerson } from './people.ts'

/** At this width, the list has no map next to it. The map takes most of a test's time to draw without a GPU. */
const listOnly = { width: 1000, height: 900 }
const listAndMap = { width: 1440, height: 900 }
test.use({ viewport: listOnly })

test.beforeEach(async ({ page }) => {
  await joinByCall(page, newPerson())
})

async function choosePlace(page: Page, typed: string, label: string) {
  await page.getByLabel('Place', { exact: true }).fill(typed)
  await page.getByRole('option', { name: label, exact: true }).click()
}

test('finds a place by prefix, lists its businesses nearest first, and keeps or rolls back a favorite on a card', async ({ page }) => {
  await page.goto('/discover?everywhere=true')
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  for (const name of ['All', 'Farms', 'Dispensaries']) await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await expect(page.getByText('Sort by: Highest Rated')).toBeVisible()
  // Other tests add businesses to Denver at any time.
  await choosePlace(page, 'pueb', 'Pueblo, CO')
  await expect(page.getByRole('heading', { level: 1, name: 'Near Pueblo, CO' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('status').first()).toHaveText(
    /^[\d,]+ businesses within 50 miles\. Ranked by rating, then license, then distance\.$/,
  )
  await page.getByRole('button', { name: 'Sort by: Highest Rated' }).click()
  await page.getByRole('menuitemradio', { name: 'Distance' }).click()
  await expect(page.getByRole('button', { name: 'Sort by: Distance' })).toBeVisible()
  await expect(cards(page).first()).toContainText('Pueblo, CO')
  await expect(page.getByText('Nearest first.')).toBeVisible()
  const nearest = await findBusinesses(page, 'near=Pueblo,+CO&sort=distance')
  const miles = nearest.map(({ distanceMiles }) => distanceMiles ?? Number.NaN)
  expect(miles).toEqual(miles.toSorted((one, other) => one - other))
  expect(miles.at(-1)).toBeLessThanOrEqual(25)
  await expect(cards(page).getByRole('heading')).toHaveText(nearest.map(({ name }) => name))
  await expect(cards(page).filter({ hasText: /\d\smi/ })).toHaveCount(20)

  const heart = cards(page)
    .first()
    .getByRole('button', { name: /^Favorite / })
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await expect(toastWith(page, 'Added to favorites')).toBeVisible()

  // The address alone restores the whole search.
  const shown = await cards(page).first().innerText()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Near Pueblo, CO' })).toBeVisible()
  await expect(page.getByLabel('Place', { exact: true })).toHaveValue('Pueblo, CO')
  await expect(cards(page).first()).toHaveText(shown, { useInnerText: true })
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await page.route('**/api/favorites/*', (route) => route.abort())
  await heart.click()
  await expect(toastWith(page, 'Error')).toContainText('Failed to update favorite status')
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
})

test('starts near the person’s city, and searches everywhere with one press', async ({ page }) => {
  await page.goto('/discover')
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()
  await expect(page.getByText(/^[\d,]+ businesses within 50 miles\./)).toBeVisible()
  await expect(page).toHaveURL('/discover')
  await page.getByRole('button', { name: 'Open now' }).click()
  await expect(page).toHaveURL(/near=Denver.*open=true|open=true.*near=Denver/)
  // At night, the list may be empty.
  await expect(cards(page).filter({ hasNotText: 'Open now' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Everywhere' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open now' })).toHaveAttribute('aria-pressed', 'true')
})

test('announces a wider radius if few businesses are nearby, and fits four cards below a short header on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/discover?near=Fargo%2C+ND')
  await expect(page.getByText(/^Fewer than ten businesses within 50 miles, so here are \d+ within (?:100|250|500) miles\./)).toBeVisible()
  await page.goto('/discover')
  await expect(page.getByText(/^[\d,]+ businesses within 50 miles\./)).toBeVisible()
  const first = await cards(page).first().boundingBox()
  expect(first?.y).toBeLessThan(844 / 3)
  const bar = await page.locator('[data-bottom-bar]').boundingBox()
  const fourth = await cards(page).nth(3).boundingBox()
  expect((fourth?.y ?? 0) + (fourth?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 12)
  await expect(cards(page).first()).toContainText(/Fresh menu|Recent menu|Old menu/)
})

test('updates the list while typing and offers to show everything when no result or no place is found', async ({ page }) => {
  const [some] = await findBusinesses(page, 'type=dispensary&sort=name&limit=1')
  await page.goto('/discover?everywhere=true')
  const field = page.getByLabel('Name or keyword')
  await field.pressSequentially(some!.name.toUpperCase())
  await expect(cards(page).first()).toContainText(some!.name)
  await expect(page).toHaveURL(/search=/)
  // The typed text remains while the list updates.
  await expect(field).toHaveValue(some!.name.toUpperCase())

  await field.fill('no such thing under the sun')
  await expect(page.getByRole('heading', { name: 'No businesses found' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(cards(page)).toHaveCount(20)
  await expect(field).toHaveValue('')

  const place = page.getByLabel('Place', { exact: true })
  await place.fill('Atlantis beneath the sea')
  await place.press('Enter')
  await expect(page.getByRole('heading', { name: 'Place not found' })).toBeVisible()
  await expect(place).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Search everywhere' }).click()
  await expect(cards(page)).toHaveCount(20)

  await place.fill('Boulder, CO')
  await field.fill('green')
  await field.press('Enter')
  await expect(page).toHaveURL(/near=Boulder/)
  await expect(page).toHaveURL(/search=green/)

  // Global search tolerates typos.
  await field.fill('lantrnfold')
  await expect(page.getByRole('heading', { name: 'No businesses found' })).toBeVisible()
  await page.getByRole('link', { name: 'Search everything' }).click()
  await expect(page).toHaveURL('/search?q=lantrnfold')
  await expect(page.getByRole('main').getByRole('link', { name: /Lanternfold Dispensary/ })).toBeVisible()
})

test('shows Load More once there are 8 results, continues past 20, and marks the end of the list', async ({ page }) => {
  test.slow()
  const all = await findBusinesses(page, 'near=Denver,+CO&limit=21')
  for (const [count, isShown, isOn] of [
    [7, false, false],
    [8, true, false],
    [20, true, false],
    [21, true, true],
  ] as const) {
    // Responds in place of the server with the first `count` businesses, 20 per page.
    await page.unrouteAll()
    await page.route(/\/api\/businesses(\?|$)/, (route) => {
      const isSecond = new URL(route.request().url()).searchParams.has('cursor')
      const link = count > 20 && !isSecond ? { link: '</api/businesses?cursor=next>; rel="next"' } : {}
      return route.fulfill({ headers: link, json: isSecond ? all.slice(20, count) : all.slice(0, Math.min(count, 20)) })
    })
    // Navigates within the app, because a loaded page comes with its initial responses.
    await page.goto('/favorites')
    await page.getByRole('banner').getByRole('link', { name: 'Discover', exact: true }).click()
    await expect(cards(page)).toHaveCount(Math.min(count, 20))
    const more = page.getByRole('button', { name: 'Load More' })
    await expect(more, String(count)).toHaveCount(isShown ? 1 : 0)
    if (isOn) {
      await more.click()
      await expect(cards(page)).toHaveCount(count)
      await expect(cards(page).nth(20).locator(':focus')).toHaveCount(1)
    }
    await expect(page.getByText(`You’ve seen all ${count} businesses.`)).toHaveCount(isShown ? 1 : 0)
    if (isShown) await expect(more).toBeDisabled()
  }
})

test('adds results with Load More, restores the list on Back, and makes each filter a step in the history', async ({ page }) => {
  await page.goto('/discover?near=Denver,+CO')
  await expect(cards(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect(cards(page)).toHaveCount(40)
  const names = await cards(page).getByRole('heading').allInnerTexts()
  expect(
    new Set(
      await cards(page)
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    ).size,
  ).toBe(40)
  await cards(page).nth(30).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name: names[30]! })).toBeVisible()
  await page.goBack()
  await expect(cards(page)).toHaveCount(40)
  await expect(cards(page).nth(30)).toBeInViewport()

  const type = (name: string) => page.getByRole('button', { name, exact: true })
  await type('Farms').click()
  await expect(type('Farms')).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/type=farm/)
  await expect.poll(async () => (await cards(page).allInnerTexts()).every((text) => text.includes('Farm ·'))).toBe(true)

  await type('More').click()
  await page.getByRole('menuitemradio', { name: 'Delivery' }).click()
  await expect(page).toHaveURL(/type=delivery/)
  await expect.poll(async () => (await cards(page).allInnerTexts()).every((text) => text.includes('Delivery ·'))).toBe(true)

  await type('Licensed').click()
  await expect(page).toHaveURL(/verified=true/)
  const badge = /Licensed \(state record\)|License verified|Verified/
  await expect.poll(async () => (await cards(page).allInnerTexts()).every((text) => badge.test(text))).toBe(true)
  await page.goBack()
  await page.goBack()
  await expect(page).not.toHaveURL(/verified|delivery/)
  await expect(type('Farms')).toHaveAttribute('aria-pressed', 'true')
  await expect(cards(page).first()).toContainText('Farm ·')
})

test('opens a business from a map pin and highlights its card', { tag: '@map' }, async ({ page }) => {
  test.slow()
  await page.setViewportSize(listAndMap)
  // Choose a business with a unique name, which puts it at the center of the map.
  const candidates = await findBusinesses(page, 'near=Denver,+CO&type=dispensary&sort=name&limit=50')
  const search = ({ name }: BusinessSummary) => new URLSearchParams({ search: name, type: 'dispensary' })
  let business: BusinessSummary | undefined
  for (const candidate of candidates.filter(({ pin }) => pin?.precision === 'premise')) {
    const matches = await findBusinesses(page, `${new URLSearchParams({ q: candidate.name, type: 'dispensary' })}`)
    if (matches.length === 1) business = candidate
    if (business) break
  }
  if (!business) throw new Error('No dispensary of Denver has a name of its own.')
  const canvas = page.getByRole('application', { name: 'Map of businesses' })
  const link = page.getByRole('dialog', { name: business.name }).getByRole('link', { name: business.name })
  // A click while the map glides to its pin stops the map by design, so each attempt loads the page again.
  await expect(async () => {
    const pins = page.waitForResponse(/\/api\/businesses\/map/)
    await page.goto(`/discover?${search(business)}`)
    await expect(cards(page)).toHaveCount(1)
    await pins
    await expect(canvas).toHaveAttribute('aria-busy', 'false')
    await canvas.click()
    await expect(link).toBeVisible()
  }).toPass()
  await expect(cards(page)).toHaveAttribute('data-marked', 'true')
  await link.click()
  await expect(page).toHaveURL(`/business/${business.slug}`)
  await expect(page.getByRole('heading', { level: 1, name: business.name })).toBeVisible()
})

test('offers to search the area after the map moves', { tag: '@map' }, async ({ page }) => {
  test.slow()
  await page.setViewportSize(listAndMap)
  await page.goto('/discover?near=Denver,+CO')
  await expect(cards(page)).toHaveCount(20)
  const map = page.getByRole('application', { name: 'Map of businesses' })
  await expect(map).toBeVisible()
  const search = page.getByRole('button', { name: 'Search this area' })
  await expect(search).toBeHidden()
  await expect(async () => {
    await map.focus()
    await page.keyboard.press('ArrowUp')
    await expect(search).toBeVisible({ timeout: 1500 })
  }).toPass()
  await search.click()
  await expect(page).toHaveURL(/area=/)
  await expect(page).not.toHaveURL(/near=/)
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await expect(page.getByText(/[\d,]+ business(?:es)? in this map area\./)).toBeVisible()
  await expect(search).toBeHidden()
  await page.getByRole('button', { name: 'Remove filter: This map area' }).click()
  await expect(page).not.toHaveURL(/area=/)
})

test('doesn’t request known pins again when zooming in, and requests counties and towns only for the visible part', {
  tag: '@map',
}, async ({ page }) => {
  test.slow()
  await page.setViewportSize(listAndMap)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const pins = page.waitForResponse((response) => /\/map\?.*zoom=/.test(response.url()))
  // Too many businesses to load together, but few enough for each to have a pin.
  await page.goto('/discover?type=dispensary&search=c')
  await pins
  const map = page.getByRole('application', { name: 'Map of businesses' })
  await expect(map).toHaveAttribute('aria-busy', 'false')
  const before = asked.length
  const isDetail = (path: string) => /\/-?\d+_-?\d+-[^/]+\.geojson$/.test(path)
  await map.focus()
  await expect(async () => {
    await page.keyboard.press('+')
    await expect(map).toHaveAttribute('aria-busy', 'false')
    expect(asked.filter(isDetail).length).toBeGreaterThan(4)
  }).toPass()
  const since = asked.slice(before)
  expect(since).not.toContain('/api/businesses/map')
  expect(since.filter(isDetail).length).toBeLessThan(60)
})

test('requests the device’s location only on a press, and rounds it', async ({ page, context }) => {
  await context.grantPermissions(['geolocation'])
  await context.setGeolocation({ latitude: 39.739236, longitude: -104.984862 })
  await page.goto('/discover?everywhere=true')
  await expect(cards(page)).toHaveCount(20)
  await expect(page).toHaveURL('/discover?everywhere=true')
  await page.getByRole('button', { name: 'Use my location' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Near your location' })).toBeVisible()
  expect(new URL(page.url()).searchParams.get('near')).toBe('39.74,-104.98')
  await expect(page.getByText(/We round your location to about half a mile/)).toBeVisible()
})

test('keeps the filter or place chosen while the device is looking for its location', async ({ page }) => {
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (found) => {
      const coords = { latitude: 39.7392, longitude: -104.9903 } as GeolocationCoordinates
      Object.assign(window, { answerLocation: () => found({ coords } as GeolocationPosition) })
    }
  })
  const answer = () => page.evaluate(() => (window as unknown as { answerLocation(): void }).answerLocation())
  await page.goto('/discover?everywhere=true')
  await page.getByRole('button', { name: 'Use my location' }).click()
  await page.getByRole('button', { name: 'Farms', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Farms', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await answer()
  await expect(page).toHaveURL(/near=39\.74/)
  await expect(page.getByRole('button', { name: 'Farms', exact: true })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'Clear place' }).click()
  await page.getByRole('button', { name: 'Use my location' }).click()
  await choosePlace(page, 'denv', 'Denver, CO')
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()
  await answer()
  await page.getByRole('button', { name: 'Dispensaries', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Dispensaries', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()
  expect(page.url()).not.toContain('39.74')
})

test('is fully usable by keyboard', async ({ page }) => {
  await page.goto('/discover?everywhere=true')
  await appIsThere(page)
  await expect(cards(page)).toHaveCount(20)
  const press = async (key: string, until: () => Promise<boolean>) => {
    for (let i = 0; i < 40 && !(await until()); i++) await page.keyboard.press(key)
    expect(await until()).toBe(true)
  }
  const focused = (name: string | RegExp) => async () => {
    const text = await page.evaluate(() => {
      const element = document.activeElement
      const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
      return label ?? element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
    return typeof name === 'string' ? text === name : name.test(text)
  }
  await press('Tab', focused('Place'))
  await page.keyboard.type('denv')
  await expect(page.getByRole('option', { name: 'Denver, CO', exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Near Denver, CO' })).toBeVisible()

  await press('Tab', focused('Farms'))
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/type=farm/)
  await press('Tab', focused(/^Sort by:/))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeFocused()
  for (const sort of ['Highest Rated', 'Distance', 'Name']) {
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitemradio', { name: sort })).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=name/)
  await expect(page.getByText('In alphabetical order.')).toBeVisible()
  // The menu returns focus after it has closed.
  await expect(page.getByRole('button', { name: 'Sort by: Name' })).toBeFocused()
  // The list shows the old order until the new one has loaded.
  await expect(page.getByRole('main').locator('[aria-busy="true"]')).toHaveCount(0)

  const first = cards(page).first().getByRole('link')
  const name = (await first.textContent()) ?? ''
  await press('Tab', focused(name))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('is accessible on a wide screen and on a phone', { tag: '@map' }, async ({ page }) => {
  test.slow()
  await page.setViewportSize(listAndMap)
  await page.goto('/discover?near=Denver,+CO')
  await expect(cards(page)).toHaveCount(20)
  await expect(page.getByRole('application', { name: 'Map of businesses' })).toBeVisible()
  await expectAccessible(page)

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('application')).toBeHidden()
  // The cards and colors are the same, so only the phone's structure is checked.
  await expectAccessible(page, ['light'])
  await page.getByRole('button', { name: 'Map', exact: true }).click()
  await expect(page).toHaveURL(/view=map/)
  await expect(page.getByRole('application', { name: 'Map of businesses' })).toBeVisible()
  await expect(cards(page).first()).toBeInViewport()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await expect(page.getByRole('application')).toBeHidden()
  await expect(cards(page).first()).toBeVisible()
  // Nothing overflows sideways, even on the narrowest phone.
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})
