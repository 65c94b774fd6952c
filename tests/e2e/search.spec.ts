import { expect, type Locator, type Page } from '@playwright/test'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { axeFindings, expectAccessible } from './accessibility.ts'
import { appIsThere, hold } from './app.ts'
import { builtFile } from './built-files.ts'
import { put, test } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const rows = (page: Page): Locator => page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link')
const field = (page: Page): Locator => page.getByRole('searchbox', { name: 'Search everything' })
const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Search' })
const paletteField = (page: Page): Locator => palette(page).getByRole('combobox', { name: 'Search' })
const marked = (page: Page): Locator => palette(page).getByRole('option', { selected: true })

/** Search results from the API, to compare with the page. New content is found only after indexing, a moment later. */
async function find(page: Page, query: string): Promise<SearchHit[]> {
  const answer = await page.request.get(`/api/search?${query}`)
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as SearchHit[]
}

async function arrive(page: Page, address: string) {
  await joinByCall(page, newPerson())
  await page.goto(address)
  await appIsThere(page)
}

/** Opens the palette with a key. The shortcuts don't work before the header has loaded. */
async function press(page: Page, key: string) {
  await expect(page.getByRole('banner').getByRole('combobox', { name: 'Search' })).toBeVisible()
  await page.keyboard.press(key)
  await expect(paletteField(page)).toBeFocused()
}

test.describe('the search page', () => {
  test('tolerates a typo, highlights and opens matches, and narrows results by state and by tabs with counts', async ({ page }) => {
    await arrive(page, '/search?q=lanternfld')
    const row = rows(page).filter({ hasText: 'Lanternfold Dispensary' })
    await expect(row.locator('mark').first()).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'No exact match for “lanternfld”.' })).toBeVisible()
    await expectAccessible(page)
    await row.click()
    await expect(page).toHaveURL(/\/business\/lanternfold-dispensary/)
    await page.goBack()
    await expect(field(page)).toHaveValue('lanternfld')

    await field(page).fill('green')
    await expect(page).toHaveURL('/search?q=green')
    await expect(page.getByRole('heading', { level: 1, name: 'Results for “green”' })).toBeVisible()
    const kinds = page.getByRole('navigation', { name: 'Result types' })
    await expect(kinds.getByRole('link', { name: /^All/ })).toHaveAttribute('aria-current', 'page')
    await kinds.getByRole('link', { name: /^Businesses\s*[\d,]+\+?$/ }).click()
    await expect(page).toHaveURL('/search?q=green&kind=business')
    await expect(rows(page)).toHaveCount(20)
    await page.getByRole('button', { name: 'State: Any state' }).click()
    await page.getByRole('menuitemradio', { name: /^Colorado \([\d,]+\+?\)$/ }).click()
    await expect(page).toHaveURL(/state=CO/)
    await expect
      .poll(async () => {
        const texts = await page
          .getByRole('main')
          .getByRole('listitem')
          .filter({ has: page.locator('h2') })
          .allInnerTexts()
        return texts.length > 0 && texts.every((text) => text.includes(', CO'))
      })
      .toBe(true)
    await expect(page.getByRole('button', { name: 'State: Colorado' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('button', { name: 'State: Any state' })).toBeVisible()
  })

  test('shows results near the person’s city first, with distances, and explains why age hides products', async ({ page, browser }) => {
    await arrive(page, '/search?q=dispensary&kind=business')
    await expect(rows(page).first()).toBeVisible()
    const first = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.locator('h2') })
      .first()
    await expect(first).toContainText(/, CO · about \d+ mi/)

    const context = await browser.newContext()
    const young = await context.newPage()
    const nineteen = `${new Date().getFullYear() - 20}-12-31`
    await joinByCall(young, { ...newPerson(), birthday: nineteen })
    await young.goto('/search?q=pre roll&kind=product')
    await expect(young.getByText('Products match “pre roll”, but products are shown only to people 21 or older.')).toBeVisible()
    await context.close()
  })

  test('finds a place by prefix and reports an unknown place', async ({ page }) => {
    await arrive(page, '/search?q=dispensary')
    await page.getByLabel('Place', { exact: true }).fill('denv')
    await page.getByRole('option', { name: 'Denver, CO', exact: true }).click()
    await expect(page).toHaveURL(/place=Denver/)
    await expect(page.getByText(/\b(mi|km)\b/).first()).toBeVisible()
    await page.goto('/search?q=dispensary&place=Atlantis+beneath+the+sea')
    await expect(page.getByRole('heading', { name: 'Place not found' })).toBeVisible()
    await page.getByRole('button', { name: 'Search everywhere' }).click()
    await expect(rows(page).first()).toBeVisible()
  })

  test('adds results with Load More and restores the list on Back', async ({ page }) => {
    await arrive(page, '/search?q=green&kind=business')
    await expect(rows(page)).toHaveCount(20)
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect(rows(page)).toHaveCount(40)
    const addresses = await rows(page).evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(new Set(addresses).size).toBe(40)
    await rows(page).nth(30).click()
    await expect(page).toHaveURL(addresses[30]!)
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.goBack()
    await expect(rows(page)).toHaveCount(40)
    await expect(rows(page).nth(30)).toBeInViewport()
  })

  test('updates while typing and offers advice when nothing is found', async ({ page }) => {
    await arrive(page, '/search')
    await expect(field(page)).toBeFocused()
    await expect(page.getByRole('heading', { name: 'What you can find' })).toBeVisible()
    await expectAccessible(page)
    await field(page).pressSequentially('blue dream')
    await expect(page).toHaveURL('/search?q=blue+dream')
    await expect(page.getByRole('heading', { level: 1, name: 'Results for “blue dream”' })).toBeVisible()
    await expect(rows(page).and(page.locator('[href="/strains/blue-dream"]'))).toHaveText('Blue Dream')
    await expect(page.getByRole('main').getByRole('link', { name: 'Shared hunts of Blue Dream', exact: true }).first()).toHaveAttribute(
      'href',
      /^\/pheno-hunt\?tab=community&search=Blue/,
    )
    await field(page).fill('qqxzzvv wwkkjj')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Communities', exact: true }).last()).toBeVisible()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expect(page).toHaveURL('/search')
    await expect(field(page)).toBeFocused()
  })

  test('reports a failed search and retries', async ({ page }) => {
    await page.route('**/api/search?**', (route) => route.abort())
    await arrive(page, '/search?q=green')
    await expect(page.getByRole('heading', { name: 'The results couldn’t be loaded' })).toBeVisible()
    await page.unroute('**/api/search?**')
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(rows(page).first()).toBeVisible()
  })

  test('asks visitors to sign in and returns to their search', async ({ page }) => {
    const person = newPerson()
    await joinByCall(page, person)
    await page.context().clearCookies()
    await page.goto('/search?q=blue+dream&kind=strain')
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in to see the search results' })).toBeVisible()
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('main').getByRole('button', { name: 'Sign In', exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Results for “blue dream”' })).toBeVisible()
    await expect(page).toHaveURL('/search?q=blue+dream&kind=strain')
  })

  test('hides private and blocked people', async ({ newMember }) => {
    const last = `Q${Math.random().toString(36).slice(2, 10)}`.replace(/\d/g, 'x')
    const [viewer, open, closed] = [
      await newMember({ firstName: 'Ada', lastName: 'Viewer' }),
      await newMember({ firstName: 'Olive', lastName: last }),
      await newMember({ firstName: 'Clement', lastName: last }, { isProfilePublic: false }),
    ]
    await expect.poll(async () => (await find(viewer.page, `q=${last}&kind=person`)).map(({ title }) => title)).toEqual([open.name])
    await viewer.page.goto(`/search?q=${last}&kind=person`)
    await expect(rows(viewer.page)).toHaveText([open.name])
    expect((await find(closed.page, `q=${last}`)).map(({ title }) => title)).not.toContain(closed.name)

    await put(viewer.page, `/api/people/${open.user.id}/block`)
    await viewer.page.reload()
    await expect(viewer.page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    expect(await find(open.page, 'q=Viewer&kind=person')).not.toContainEqual(expect.objectContaining({ id: viewer.user.id }))
  })

  test('fits every width', async ({ page }) => {
    await arrive(page, '/search?q=green')
    await expect(rows(page).first()).toBeVisible()
    for (const width of [320, 390, 834, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    }
  })
})

test.describe('the palette', () => {
  test('keeps text typed while its code loads', async ({ page }) => {
    const code = builtFile('screens/search/palette.tsx')
    await joinByCall(page, newPerson())
    const release = await hold(page, `**${code}`)
    await page.goto('/favorites')
    await appIsThere(page)
    await expect(page.getByRole('banner').getByRole('combobox', { name: 'Search' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('terrace no 8')
    await page.keyboard.press('Backspace')
    await expect(palette(page)).toHaveCount(0)
    release()
    await expect(paletteField(page)).toHaveValue('terrace no ')
    await page.keyboard.type('7')
    await expect(paletteField(page)).toHaveValue('terrace no 7')
  })

  test('opens, selects, and navigates by keyboard, and remembers searches', async ({ page }) => {
    await arrive(page, '/favorites')
    await press(page, '/')
    await expect(paletteField(page)).toHaveValue('')
    await page.keyboard.type('lanternfold')
    await expect(marked(page)).toContainText('Lanternfold Dispensary')
    await expect(palette(page).getByRole('status')).toHaveText(/^\d+ results?$/)
    expect(await paletteField(page).getAttribute('aria-activedescendant')).toBe(await marked(page).getAttribute('id'))
    // The arrow keys wrap around.
    await page.keyboard.press('ArrowUp')
    await expect(marked(page)).toContainText('Businesses in Discover')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/business\/lanternfold-dispensary/)
    await expect(palette(page)).toBeHidden()
    await expect(page.getByRole('heading', { level: 1, name: 'Lanternfold Dispensary' })).toBeFocused()

    await press(page, 'Control+k')
    await expect(marked(page)).toHaveText('lanternfold')
    await page.keyboard.type('green')
    await page.keyboard.press('Control+Enter')
    await expect(page).toHaveURL('/search?q=green')

    await press(page, 'Control+k')
    await expect(palette(page).getByRole('group', { name: 'Recent searches' }).getByRole('option')).toHaveText([
      'green',
      'lanternfold',
      'Clear recent searches',
    ])
    await page.keyboard.press('Delete')
    await expect(marked(page)).toHaveText('lanternfold')
    await page.keyboard.type('mess')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/messages')
  })

  test('closes on Escape, restores focus, and ignores keys typed in fields', async ({ page }) => {
    await arrive(page, '/discover')
    const name = page.getByLabel('Name or keyword')
    await name.focus()
    await page.keyboard.press('/')
    await expect(name).toHaveValue('/')
    await expect(palette(page)).toBeHidden()
    const post = page.getByRole('banner').getByRole('link', { name: 'Post' })
    await post.focus()
    await press(page, '/')
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    await expect(post).toBeFocused()
  })

  test('lets the single-key shortcut be turned off', async ({ page }) => {
    await arrive(page, '/favorites')
    await press(page, '/')
    await palette(page).getByRole('option', { name: 'Turn off the “/” shortcut for search' }).click()
    await page.keyboard.press('Escape')
    await expect(palette(page)).toBeHidden()
    await page.keyboard.press('/')
    await press(page, 'Control+k')
    await expect(paletteField(page)).toHaveValue('')
    await expect(palette(page).getByRole('option', { name: 'Turn on the “/” shortcut for search' })).toBeVisible()
    await page.goto('/search')
    await expect(page.getByText(/^From any page, /)).toHaveText('From any page, Ctrl K opens search.')
  })

  test('forgets recent searches on sign-out', async ({ page }) => {
    await arrive(page, '/search?q=blue+dream')
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('recent-searches:')))
    await expect.poll(kept).toHaveLength(1)
    await page.getByRole('button', { name: 'Account: Robin Vale' }).click()
    await page.getByRole('dialog', { name: 'Account' }).getByRole('link', { name: 'Sign out' }).click()
    await expect(page.getByRole('button', { name: 'Account: Robin Vale' })).toBeHidden()
    expect(await kept()).toEqual([])
  })

  test('suggests results in the header search, which still submits to Discover', async ({ page }) => {
    await arrive(page, '/favorites')
    const box = page.getByRole('banner').getByRole('combobox', { name: 'Search' })
    await box.fill('lanternfold')
    const list = page.getByRole('listbox', { name: 'Results' })
    await expect(list.getByRole('option', { name: /Lanternfold Dispensary/ })).toBeVisible()
    await expect(list.getByRole('option', { selected: true })).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
    await box.press('Enter')
    await expect(page).toHaveURL('/discover?search=lanternfold')
    // The screen takes focus when it opens.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await box.fill('green')
    await expect(list).toBeVisible()
    await box.press('ArrowDown')
    await box.press('ArrowDown')
    await box.press('Enter')
    await expect(page).toHaveURL('/search?q=green')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await box.fill('green')
    await expect(list).toBeVisible()
    await box.press('Escape')
    await expect(list).toBeHidden()
    await expect(box).toHaveValue('green')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(`the ${colorScheme} theme`, () => {
      test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })
      test('has no axe violations', async ({ page }) => {
        await arrive(page, '/favorites')
        await press(page, '/')
        expect(await axeFindings(page)).toEqual([])
        await page.keyboard.type('lanternfold')
        await expect(marked(page)).toContainText('Lanternfold Dispensary')
        expect(await axeFindings(page)).toEqual([])
      })
    })
  }

  test.describe('a phone', () => {
    test.use(phone)
    test('fills the screen and goes to Discover on Enter, like the header', async ({ page }) => {
      await arrive(page, '/favorites')
      const opener = page.getByRole('banner').getByRole('button', { name: 'Search', exact: true })
      await opener.tap()
      await expect(paletteField(page)).toBeFocused()
      const frame = await palette(page).boundingBox()
      expect(frame).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
      await palette(page).getByRole('button', { name: 'Close' }).tap()
      await expect(opener).toBeFocused()
      await opener.tap()
      await paletteField(page).fill(' lanternfold ')
      await expect(palette(page).getByRole('option', { name: /Lanternfold Dispensary/ })).toBeVisible()
      await paletteField(page).press('Enter')
      await expect(page).toHaveURL('/discover?search=lanternfold')
    })
  })
})
