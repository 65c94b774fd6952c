import { expect, type Locator, type Page } from '@playwright/test'
import { hold } from './app.ts'
import { builtFile } from './built-files.ts'
import { newBusiness, post, put, test } from './members.ts'
import { joinByCall, newPerson } from './people.ts'

// What the specification names and no journey passes by: docs/specification.md says which test shows which of its sentences.

const shapes = (status: Locator) => status.locator('[aria-hidden="true"] > *')
const main = (page: Page) => page.getByRole('main')

test('while the first screen is on its way, the page says Loading...', async ({ page }) => {
  const release = await hold(page, `**${builtFile('features/onboarding/onboarding-screen.tsx')}`)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible()
  release()
  await expect(page.getByRole('heading', { name: 'Age Verification Required' })).toBeVisible()
})

test('home: shapes while the feed loads, then the way to Discover; counts, activity and the feed buttons', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Hazel', lastName: 'Birch' })
  await page.goto('/favorites')
  const release = await hold(page, /\/api\/feed(\?|$)/)
  await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
  const loading = page.getByRole('status').filter({ hasText: 'Loading your feed...' })
  await expect(shapes(loading)).toHaveCount(3)
  release()
  const feed = page.getByRole('region', { name: 'Your feed' })
  // A first page of which nothing is for this reader, and a second one.
  await page.route(/\/api\/feed(\?|$)/, (route) => {
    const isFirst = !route.request().url().includes('cursor=')
    return route.fulfill({ json: [], headers: isFirst ? { link: '</api/feed?cursor=next>; rel="next"' } : {} })
  })
  await page.getByRole('navigation', { name: 'Feed' }).getByRole('link', { name: 'Farms' }).click()
  await feed.getByRole('button', { name: 'Load More Posts' }).click()
  await expect(feed.getByRole('button', { name: 'Load More Posts' })).toBeHidden()
  await expect(feed.getByText('No posts in your feed yet.')).toBeVisible()
  await expect(feed.getByRole('link', { name: 'Discover', exact: true })).toHaveAttribute('href', '/discover')
  await expect(page.getByRole('navigation', { name: 'Feed' }).getByRole('link')).toHaveText(['All', 'Farms', 'Dispensaries'])
  await expect(main(page).locator('dt')).toContainText(['Following', 'Followers', 'Likes', 'Comments', 'Reviews', 'Favorites'])
})

test('the own profile has every part of the specification, and the plan as a badge there and in the menu', async ({ newMember }) => {
  const { page, user } = await newMember({ firstName: 'Wren', lastName: 'Ash' }, { bio: 'I look after tomatoes.' })
  await post(page, '/api/user/profile', { ...user, bio: 'I look after tomatoes.', interests: ['Flower', 'Growing Tips'] })
  const checkout = await page.request.post('/api/billing/checkouts', { data: { provider: 'test', planId: 'vip' } })
  const { id } = (await checkout.json()) as { id: string }
  const answer = await page.request.post(`/api/billing/test/checkouts/${id}/answers`, { data: { outcome: 'approve' } })
  await post(page, `/api/billing/checkouts/${id}/approval`, (await answer.json()) as object)

  await page.goto('/profile')
  await expect(main(page).getByRole('heading', { level: 1, name: 'Wren Ash' })).toBeVisible()
  for (const text of [user.email, 'Denver, CO', 'Consumer', 'VIP', 'I look after tomatoes.']) await expect(main(page)).toContainText(text)
  await expect(main(page).getByText(/^Joined \w+ 20\d\d$/)).toBeVisible()
  await expect(main(page).getByRole('list', { name: 'Interests' }).getByRole('listitem')).toHaveText(['Flower', 'Growing Tips'])
  for (const count of ['Posts', 'Following', 'Followers']) {
    await expect(
      main(page)
        .getByRole('listitem')
        .filter({ hasText: new RegExp(`^${count}0$`) }),
    ).toBeVisible()
  }
  await page.goto('/settings')
  const account = page.getByRole('region', { name: 'Account Information' })
  await expect(account.getByRole('listitem').filter({ hasText: 'Subscription plan' })).toContainText('VIP')
  await expect(account.getByRole('link', { name: 'Billing' })).toHaveAttribute('href', '/billing')
  await page.goto('/business/register')
  await expect(page.getByRole('banner').getByRole('button', { name: /^Notifications/ })).toBeVisible()
  await page.getByRole('button', { name: 'Account: Wren Ash' }).click()
  await expect(page.getByRole('dialog', { name: 'Account' }).getByText('VIP', { exact: true })).toBeVisible()
})

test('six shapes stand for notifications while they load, three for hunts', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Rue', lastName: 'Elm' })
  await page.goto('/favorites')
  const releaseNotifications = await hold(page, '**/api/notifications')
  await page.getByRole('banner').getByRole('button', { name: 'Notifications' }).click()
  await page.getByRole('link', { name: 'See all' }).click()
  await expect(shapes(main(page).getByRole('status').filter({ hasText: 'Loading your notifications...' }))).toHaveCount(6)
  releaseNotifications()
  await expect(page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  await expect(page.getByText('News from businesses and people you follow, harvests included.')).toBeVisible()

  const releaseHunts = await hold(page, /\/api\/pheno-hunts(\?|$)/)
  await page.getByRole('button', { name: 'Account: Rue Elm' }).click()
  await page.getByRole('link', { name: 'Pheno Hunter Pro' }).click()
  await expect(shapes(main(page).getByRole('status').filter({ hasText: 'Loading hunts...' }))).toHaveCount(3)
  releaseHunts()
  await expect(page.getByRole('heading', { name: 'Start Your First Pheno Hunt' })).toBeVisible()
})

test('a notification says of what type it is and how long ago it was', async ({ newMember }) => {
  const [a, b] = [await newMember({ firstName: 'Ada', lastName: 'Oak' }), await newMember({ firstName: 'Ben', lastName: 'Yew' })]
  await put(b.page, `/api/people/${a.user.id}/follow`)
  await a.page.goto('/notifications')
  const item = main(a.page).getByRole('article')
  await expect(item).toContainText('Unread:')
  await expect(item).toContainText('Follower')
  await expect(item.locator('time')).toHaveText(/just now|second|minute/)
})

test('a hunt card says what is hunted, and pressing it chooses the hunt', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ines', lastName: 'Fir' })
  const hunt = { seedCount: 12, breeders: ['Ember Seeds', 'Old Mill'], growEnvironment: 'Greenhouse', goals: 'Lemon, and short.' }
  await post(page, '/api/pheno-hunts', { ...hunt, huntName: 'Lemon run', germinationDate: '2026-03-04' })
  await post(page, '/api/pheno-hunts', { huntName: 'Second run' })
  await page.goto('/pheno-hunt')
  await expect(page.getByRole('tablist', { name: 'Pheno Hunter Pro' }).getByRole('tab')).toHaveText([
    'Active Hunts',
    'Grow Logs',
    'Data Tracker',
    'Community',
  ])
  const card = page.getByRole('article', { name: 'Lemon run' })
  for (const text of ['Ember Seeds, Old Mill · 12 seeds', 'Active', 'Greenhouse', 'Mar 4', 'Lemon, and short.']) {
    await expect(card).toContainText(text)
  }
  await expect(page.getByText('2 Active')).toBeVisible()
  await expect(card.getByRole('link', { name: 'Lemon run', exact: true })).not.toHaveAttribute('aria-current')
  await card.getByRole('link', { name: 'Lemon run', exact: true }).click()
  await expect(card.getByRole('link', { name: 'Lemon run', exact: true })).toHaveAttribute('aria-current', /true|page/)
  await expect(page.getByRole('region', { name: 'Quick Stats' })).toContainText('Active hunts')
  await expect(page.getByRole('region', { name: 'Recent Activity' })).toContainText('Lemon run')
  await page.getByRole('link', { name: 'Quick Log' }).click()
  const form = page.getByRole('region', { name: 'Quick Log' })
  for (const field of ['Week', 'Height (cm)', 'Notes']) await expect(form.getByLabel(field, { exact: true })).toBeVisible()
  await expect(form.getByRole('button', { name: /^Rating \d+ of 10$/ })).toHaveCount(10)
  await expect(form.getByRole('button', { name: /^Plant #1/ })).toBeVisible()
})

test('the form of a post: each type with its hint, the quick actions, Creating..., and Cancel goes back', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Olive', lastName: 'Rowe' })
  await newBusiness(page, 'Hint Farm')
  await page.goto('/favorites')
  await page.getByRole('banner').getByRole('link', { name: 'Post', exact: true }).click()
  for (const [type, hint] of [
    ['update', 'Share your cannabis journey, growing updates, or general thoughts'],
    ['promotion', 'Promote your products, deals, or special offers'],
    ['educational', 'Share knowledge, tips, or educational content'],
    ['product', 'Showcase a specific product or strain'],
  ] as const) {
    await page.getByLabel('Post type').selectOption(type)
    await expect(page.getByText(hint)).toBeVisible()
  }
  for (const name of ['Add Photo', 'Add Video', 'Add Location', 'Add Tags']) {
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await page.getByLabel('Post type').selectOption('update')
  await page.getByRole('textbox', { name: 'Title' }).fill('Rain at last')
  await page.getByRole('textbox', { name: 'Content' }).fill('All night.')
  const release = await hold(page, '**/api/posts')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Creating...' })).toBeVisible()
  release()
  await expect(page).toHaveURL('/')
  await page.goto('/favorites')
  await page.getByRole('banner').getByRole('link', { name: 'Post', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL('/favorites')
})

test('communities: the tabs, a verified one with its counts, the categories and who gets in', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Fern', lastName: 'Lowe' })
  await page.goto('/communities')
  await expect(page.getByRole('tablist', { name: 'Communities' }).getByRole('tab')).toHaveText([
    'Discover',
    'My Communities',
    'Community Feed',
    'Create',
  ])
  const verified = page.getByRole('article').filter({ hasText: 'Verified' }).first()
  await expect(verified).toContainText(/\d+ members? · \d+ posts?/)
  await expect(verified.getByRole('button', { name: /^Join Community/ })).toBeVisible()
  const tiles = page.getByRole('navigation', { name: 'Categories' })
  for (const category of ['Growing', 'Strains', 'Medical', 'Business']) {
    await expect(tiles.getByRole('link', { name: new RegExp(`^${category}`) })).toBeVisible()
  }
  await page.getByRole('tab', { name: 'My Communities' }).click()
  for (const stat of ['Communities', 'Posts', 'Comments', 'Likes received']) {
    await expect(main(page).locator('dl > div').filter({ hasText: stat })).toContainText('0')
  }
  await page.getByRole('tab', { name: 'Community Feed' }).click()
  await expect(page.getByRole('heading', { name: 'Trending hashtags' })).toBeVisible()
  await expect(
    page
      .getByRole('region', { name: 'Suggested communities' })
      .getByRole('button', { name: /^Join Community/ })
      .first(),
  ).toBeVisible()
  await page.getByRole('tab', { name: 'Create' }).click()
  const form = page.getByRole('form', { name: 'New community' })
  await expect(form.getByLabel('Category').locator('option:not([disabled])')).toContainText([
    'Growing',
    'Strains',
    'Medical',
    'Business',
    'General',
  ])
  for (const name of ['Public', 'Private', 'Invite Only']) await expect(form.getByRole('radio', { name })).toBeVisible()
})

test('the dashboard has four tabs and says Free Account until there is more', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Kay', lastName: 'Holt' })
  const business = await newBusiness(page, 'Four Tabs')
  await page.goto(`/business-dashboard?business=${business.slug}`)
  await expect(page.getByRole('tab')).toHaveText(['Overview', 'Subscriptions', 'Locations', 'Social'])
  await expect(page.getByText('Free Account', { exact: true })).toBeVisible()
})

test('a favorite says what it is; Discover says how it is sorted and what by', async ({ page }) => {
  await joinByCall(page, newPerson())
  const [business] = await (await page.request.get('/api/businesses?near=Boulder,+CO&type=dispensary&limit=1')).json()
  await post(page, '/api/favorites', { businessId: business.id })
  await page.goto('/favorites')
  const card = main(page).getByRole('article')
  await expect(card.getByRole('heading')).toHaveText(business.name)
  await expect(card).toContainText('Dispensary')
  await expect(card).toContainText(business.description ?? 'No description available')
  await expect(card).toContainText(business.address ?? business.location)
  await expect(card.getByRole('link', { name: 'View Details' })).toHaveAttribute('href', `/business/${business.slug}`)
  await expect(card).toContainText(business.totalRatings > 0 ? business.averageRating.toFixed(1) : /no reviews/i)
  const list = main(page)
    .locator('ul')
    .filter({ has: page.getByRole('article') })
  const columns = () => list.evaluate((element) => getComputedStyle(element).gridTemplateColumns.split(' ').length)
  await expect.poll(columns).toBe(3)
  await page.setViewportSize({ width: 390, height: 900 })
  await expect.poll(columns).toBe(1)

  await page.setViewportSize({ width: 1000, height: 900 })
  await page.goto('/discover')
  for (const name of ['All', 'Farms', 'Dispensaries']) await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  await expect(page.getByText('Sort by: Highest Rated')).toBeVisible()
})

test('whoever is signed out is led to signing in from profile, settings and favorites', async ({ page }) => {
  const words: Record<string, readonly string[]> = {
    '/profile': ['Profile Not Found', 'Please sign in to view your profile.'],
    '/settings': ['Access Denied', 'Please sign in to access settings.'],
    '/favorites': ['Sign In Required'],
  }
  for (const path of ['/profile', '/settings', '/favorites', '/messages', '/communities']) {
    await page.goto(path)
    for (const text of words[path] ?? []) await expect(main(page), path).toContainText(text)
    await expect(page.getByRole('tab', { name: 'Sign In' }), path).toBeVisible()
    await expect(page.getByRole('tab', { name: 'Sign Up' }), path).toBeVisible()
    await expect(page.getByLabel('Email'), path).toHaveAttribute('type', 'email')
    await expect(page).toHaveURL(path)
  }
  await page.goto('/signup?accountType=business')
  await expect(page.getByLabel('License Number')).toHaveAccessibleDescription(
    'Needed for subscription features and for verification. You can add it later.',
  )
  await page.goto('/help')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/api/login')
  await page.goto('/discover')
  await expect(page.getByRole('button', { name: /^(Like|Favorite|Subscribe)/ })).toHaveCount(0)
})

test('where a place is missing, the page says Location not set', async ({ page }) => {
  await joinByCall(page, newPerson())
  const [business] = await (await page.request.get('/api/businesses?near=Boulder,+CO&type=dispensary&limit=1')).json()
  await page.goto('/help')
  const favorite = { id: business.id, business: { ...business, location: null, address: null }, createdAt: business.createdAt }
  await page.route('**/api/favorites', (route) => route.fulfill({ json: [favorite] }))
  await page.getByRole('link', { name: 'Your Favorites' }).click()
  await expect(main(page).getByRole('article')).toContainText('Location not set')
})

test('a save on its way says Saving..., and what fails is logged', async ({ page }) => {
  await joinByCall(page, newPerson())
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  const refuse = (address: string) =>
    page.route(address, (route) => route.fulfill({ status: 500, json: { message: 'Something went wrong.', code: 'internal' } }))
  const isLogged = () => expect.poll(() => logged.filter((text) => text.includes('500: {"message"')).length)

  await page.goto('/onboarding')
  const release = await hold(page, '**/api/user/profile')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeVisible()
  release()
  await expect(page).toHaveURL('/')

  await page.goto('/onboarding')
  await refuse('**/api/user/profile')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await isLogged().toBe(1)

  await page.goto('/business/register')
  await refuse('**/api/businesses')
  await page.getByLabel('Business Type').selectOption('farm')
  await page.getByLabel('Business Name').fill('Nowhere Farm')
  await page.getByRole('combobox', { name: 'Location' }).fill('Denver, CO')
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await isLogged().toBe(2)

  await page.goto('/create-post')
  await refuse('**/api/posts')
  await page.getByRole('textbox', { name: 'Title' }).fill('Rain')
  await page.getByRole('textbox', { name: 'Content' }).fill('All night.')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await isLogged().toBe(3)
})

test('an invitation that is accepted says Joining... on the way', async ({ newMember }) => {
  const [owner, guest] = [
    await newMember({ firstName: 'Petra', lastName: 'Vale' }),
    await newMember({ firstName: 'Silas', lastName: 'Reed' }),
  ]
  const made = await owner.page.request.post('/api/communities', {
    data: {
      name: `Back Room ${Math.random().toString(36).slice(2, 7)}`,
      description: 'By invitation.',
      category: 'general',
      visibility: 'private',
    },
  })
  const { id } = (await made.json()) as { id: string }
  await put(guest.page, `/api/people/${owner.user.id}/follow`)
  await post(owner.page, `/api/communities/${id}/invitations`, { personId: guest.user.id })
  await guest.page.goto('/communities?tab=my')
  const release = await hold(guest.page, /\/api\/communities\/.*(join|accept)/)
  await guest.page.getByRole('button', { name: /^Accept the invitation/ }).click()
  await expect(guest.page.getByRole('button', { name: 'Joining...' })).toBeVisible()
  release()
  await expect(guest.page.getByRole('button', { name: 'Joining...' })).toBeHidden()
})

test('when the wizard is done, the page is loaded anew', async ({ page }) => {
  const person = newPerson()
  await page.goto('/business/register')
  await page.getByRole('radio', { name: 'Personal' }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Birthday (Must be 18+)').fill(person.birthday)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('First Name').fill(person.firstName)
  await page.getByLabel('Last Name').fill(person.lastName)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.evaluate(() => Object.assign(window, { isTheFirstPage: true }))
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/')
  expect(await page.evaluate(() => 'isTheFirstPage' in window)).toBe(false)
})

test('a business that was just made stands in a list that was read before', async ({ page }) => {
  await joinByCall(page, newPerson())
  await page.setViewportSize({ width: 1000, height: 900 })
  const name = `Lantern Row ${Math.random().toString(36).slice(2, 8)}`
  const find = async () => {
    await page.getByRole('banner').getByRole('link', { name: 'Discover' }).click()
    await page.getByLabel('Name or keyword').fill(name)
  }
  await page.goto('/favorites')
  await find()
  await expect(page.getByRole('heading', { name: 'No businesses found' })).toBeVisible()
  await page.getByRole('button', { name: 'Account: Robin Vale' }).click()
  await page.getByRole('link', { name: 'Register Business' }).click()
  await page.getByLabel('Business Type').selectOption('farm')
  await page.getByLabel('Business Name').fill(name)
  await page.getByRole('combobox', { name: 'Location' }).fill('Denver, CO')
  await page.getByRole('button', { name: 'Create Business Profile' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await find()
  await expect(main(page).getByRole('article').filter({ hasText: name })).toBeVisible()
})
