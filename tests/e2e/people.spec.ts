import { expect, type Page } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { written } from './app.ts'
import { toastWith } from './directory.ts'
import { bell, newBusiness, post, put, test } from './members.ts'

const ann = { firstName: 'Ann', lastName: 'Okoro' }
const ben = { firstName: 'Ben', lastName: 'Sato' }

const count = (page: Page, name: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^${name}`) })

test('shows a new follow to both people immediately, and in the lists until it ends', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben, { bio: 'Terraces and tea.' })]
  await post(b.page, '/api/posts', { title: 'First row planted', content: 'By hand.', postType: 'update', businessId: null })
  await b.page.goto('/favorites')
  await a.page.goto(`/people/${b.user.id}`)
  await expect(a.page.getByRole('heading', { level: 1, name: b.name })).toBeVisible()
  await expect(a.page.getByText('Terraces and tea.')).toBeVisible()
  await expect(a.page.getByText(b.user.email)).toHaveCount(0)
  await expect(a.page.getByRole('article').getByRole('heading', { name: 'First row planted' })).toBeVisible()
  await expect(count(a.page, 'Follower')).toContainText('0')
  await expectAccessible(a.page)
  await a.page.getByRole('button', { name: `Follow ${b.name}`, exact: true }).click()
  await expect(a.page.getByRole('button', { name: `Unfollow ${b.name}` })).toBeVisible()
  await expect(count(a.page, 'Follower')).toContainText('1')
  await expect(bell(b.page, 1)).toBeVisible()

  await a.page.getByRole('link', { name: 'Follower' }).click()
  await expect(a.page.getByRole('heading', { level: 1, name: 'Followers' })).toBeVisible()
  await expect(a.page.getByRole('listitem').filter({ hasText: a.name })).toContainText('You')
  await expectAccessible(a.page)

  await a.page.goto(`/people/${a.user.id}/following`)
  const ended = written(a.page, /\/follow$/)
  await a.page.getByRole('button', { name: `Unfollow ${b.name}` }).click()
  await expect(a.page.getByRole('button', { name: `Follow ${b.name}`, exact: true })).toBeVisible()
  await ended
  await a.page.getByRole('tab', { name: 'Businesses' }).click()
  await expect(a.page).toHaveURL(/tab=businesses/)
  await expect(a.page.getByRole('heading', { name: 'You don’t follow any businesses yet' })).toBeVisible()
  await a.page.reload()
  await a.page.getByRole('tab', { name: 'People' }).click()
  await expect(a.page.getByRole('heading', { name: 'You don’t follow any people yet' })).toBeVisible()
})

test('rolls back a failed follow with a message', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await a.page.goto(`/people/${b.user.id}`)
  await a.page.route('**/api/people/*/follow', (route) => route.abort())
  await a.page.getByRole('button', { name: `Follow ${b.name}`, exact: true }).click()
  await expect(toastWith(a.page, 'Error')).toBeVisible()
  await expect(a.page.getByRole('button', { name: `Follow ${b.name}`, exact: true })).toBeVisible()
  await expect(count(a.page, 'Follower')).toContainText('0')
})

test('rolls back a failed follow of a public hunt’s owner', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const huntName = `Hunt of ${b.user.id}`
  const { id } = (await (await b.page.request.post('/api/pheno-hunts', { data: { huntName, seedCount: 2 } })).json()) as { id: string }
  expect((await b.page.request.put(`/api/pheno-hunts/${id}/visibility`, { data: { visibility: 'public' } })).ok()).toBe(true)
  await a.page.goto(`/pheno-hunt?tab=community&search=${encodeURIComponent(huntName)}`)
  await a.page.route('**/api/people/*/follow', (route) => route.abort())
  await a.page.getByRole('button', { name: `Follow ${b.name}`, exact: true }).click()
  await expect(toastWith(a.page, 'Error')).toBeVisible()
  await expect(a.page.getByRole('button', { name: `Follow ${b.name}`, exact: true })).toBeVisible()
})

test('shows only a name and a notice on a private profile', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben, { isProfilePublic: false, bio: 'No one reads this.' })]
  await a.page.goto(`/people/${b.user.id}`)
  await expect(a.page.getByRole('heading', { level: 1, name: b.name })).toBeVisible()
  await expect(a.page.getByText('This profile is private.')).toBeVisible()
  await expect(a.page.getByText('No one reads this.')).toHaveCount(0)
  await expect(a.page.getByText('Denver')).toHaveCount(0)
  await expect(a.page.getByRole('heading', { name: 'Posts' })).toHaveCount(0)
  await expectAccessible(a.page)
})

test('hides two people from each other after a block until one is removed from the list of blocked people', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await put(b.page, `/api/people/${a.user.id}/follow`)
  await a.page.goto(`/people/${b.user.id}`)
  const block = async () => {
    await a.page.getByRole('button', { name: `More actions for ${b.name}` }).click()
    await a.page.getByRole('menuitem', { name: 'Block' }).click()
    const question = a.page.getByRole('alertdialog', { name: `Block ${b.name}?` })
    await expect(question).toContainText('No one is notified.')
    await question.getByRole('button', { name: 'Block' }).click()
    await expect(a.page.getByText('You blocked this person.')).toBeVisible()
  }
  await block()
  await toastWith(a.page, `You blocked ${b.name}`).getByRole('button', { name: 'Undo' }).click()
  await expect(a.page.getByRole('button', { name: `Follow ${b.name}`, exact: true })).toBeVisible()
  await block()
  await expectAccessible(a.page)
  await b.page.goto(`/people/${a.user.id}`)
  await expect(b.page.getByRole('heading', { name: 'Profile Not Found' })).toBeVisible()
  await expectAccessible(b.page)
  await a.page.reload()
  await expect(a.page.getByRole('heading', { name: 'Profile Not Found' })).toBeVisible()

  await a.page.goto('/profile')
  await a.page.getByRole('button', { name: 'More actions for your profile' }).click()
  await a.page.getByRole('menuitem', { name: 'Blocked people and businesses' }).click()
  await expect(a.page.getByRole('listitem').filter({ hasText: b.name })).toBeVisible()
  await expectAccessible(a.page)
  await a.page.getByRole('button', { name: `Unblock ${b.name}` }).click()
  await expect(a.page.getByRole('heading', { name: 'No blocked people' })).toBeVisible()
  await b.page.reload()
  await expect(b.page.getByRole('heading', { level: 1, name: a.name })).toBeVisible()
})

test('shows every specified section on a person’s own profile, and the plan’s badge in the account menu too', async ({ newMember }) => {
  const { page, user, name } = await newMember(ann, { bio: 'I look after tomatoes.' })
  await post(page, '/api/user/profile', { ...user, bio: 'I look after tomatoes.', interests: ['Flower', 'Growing Tips'] })
  const checkout = await page.request.post('/api/billing/checkouts', { data: { provider: 'test', planId: 'vip' } })
  const { id } = (await checkout.json()) as { id: string }
  const answer = await page.request.post(`/api/billing/test/checkouts/${id}/answers`, { data: { outcome: 'approve' } })
  await post(page, `/api/billing/checkouts/${id}/approval`, (await answer.json()) as object)

  // Screens with their own header also have their own menu.
  await page.goto('/business/register')
  const header = page.getByRole('banner')
  await expect(header.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText(['Discover', 'Feed', 'Favorites'])
  await expect(header.getByRole('button', { name: /^Notifications/ })).toBeVisible()
  const account = page.getByRole('button', { name: `Account: ${name}` })
  const menu = page.getByRole('dialog', { name: 'Account' })
  await account.click()
  await expect(menu.getByText('VIP', { exact: true })).toBeVisible()
  await expect(menu.getByRole('link')).toHaveText([
    'Profile',
    'Favorites',
    'Messages',
    'Communities',
    'Pheno Hunter Pro',
    'Dashboard',
    'Billing',
    'Register Business',
    'Settings',
    'Contact Support',
    'Sign Out',
  ])
  await expect(menu.getByRole('link', { name: 'Contact Support' })).toHaveAttribute('href', /^mailto:[^@]+@[^@]+$/)
  await menu.getByRole('link', { name: 'Favorites' }).click()
  await expect(page).toHaveURL('/favorites')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await account.click()
  await menu.getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(page).toHaveURL('/profile')
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name })).toBeVisible()
  for (const text of [user.email, 'Denver, CO', 'Consumer', 'VIP', 'I look after tomatoes.']) await expect(main).toContainText(text)
  await expect(main.getByText(/^Joined \w+ 20\d\d$/)).toBeVisible()
  await expect(main.getByRole('list', { name: 'Interests' }).getByRole('listitem')).toHaveText(['Flower', 'Growing Tips'])
  for (const counted of ['Posts', 'Following', 'Followers']) {
    await expect(main.getByRole('listitem').filter({ hasText: new RegExp(`^${counted}0$`) })).toBeVisible()
  }
  await expect(main.getByText('No posts available yet.')).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('link', { name: 'Edit Profile' }).click()
  await expect(page).toHaveURL('/settings#profile')
  const information = page.getByRole('region', { name: 'Account Information' })
  await expect(information.getByRole('listitem').filter({ hasText: 'Subscription plan' })).toContainText('VIP')
  await expect(information.getByRole('link', { name: 'Billing' })).toHaveAttribute('href', '/billing')
})

test('asks for a reason when reporting a person and confirms the report', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await a.page.goto(`/people/${b.user.id}`)
  await a.page.getByRole('button', { name: `More actions for ${b.name}` }).click()
  await a.page.getByRole('menuitem', { name: 'Report' }).click()
  const dialog = a.page.getByRole('dialog', { name: 'Report this person' })
  await expect(dialog).toBeVisible()
  await expectAccessible(a.page)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByText('Choose a reason')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Something else' }).check()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByText('Tell us what’s wrong')).toBeVisible()
  await dialog.getByLabel('Details').fill('Pretends to be the county.')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  const sent = a.page.getByRole('dialog', { name: 'Report sent' })
  await expect(sent.getByText('Here’s what happens next')).toBeVisible()
  await expect(sent.getByRole('button', { name: `Block ${b.name}` })).toBeVisible()
  await expectAccessible(a.page)
  await sent.getByRole('button', { name: 'Done' }).click()
  await expect(sent).toBeHidden()
})

test('lets a person follow a business for free or by subscription, and ends both with a block', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const business = await newBusiness(b.page, 'Alder Bench')
  await a.page.goto(`/business/${business.slug}`)
  const main = a.page.getByRole('main')
  const follow = main.getByRole('button', { name: `Follow ${business.name}` })
  const unfollow = main.getByRole('button', { name: `Unfollow ${business.name}` })
  const followed = written(a.page, /\/follow$/)
  await follow.click()
  await expect(unfollow).toBeVisible()
  await followed
  const following = main.getByRole('link', { name: /^Following/ })
  await a.page.goto('/profile')
  await expect(count(a.page, 'Following')).toContainText('1')
  await following.click()
  await expect(main.getByRole('heading', { name: 'You don’t follow any people yet' })).toBeVisible()
  await main.getByRole('button', { name: 'See businesses you follow' }).click()
  await expect(main.getByRole('link', { name: business.name })).toBeVisible()
  await expect(main.getByRole('tabpanel', { name: 'Businesses' })).toBeFocused()
  await a.page.route('**/api/activity', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), hiddenFollows: 1 } })
  })
  await a.page.goto('/profile')
  await expect(count(a.page, 'Following')).toContainText('0')
  await a.page.goto(`/business/${business.slug}`)
  await expect(unfollow).toBeVisible()
  await main.getByRole('button', { name: 'Subscribe' }).click()
  await expect(main.getByText('You follow this business because you subscribe')).toBeVisible()
  await expect(unfollow).toBeHidden()
  await expectAccessible(a.page)
  await main.getByRole('button', { name: `More actions for ${business.name}` }).click()
  await a.page.getByRole('menuitem', { name: 'Block' }).click()
  await a.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(main.getByText('You blocked this business')).toBeVisible()
  await expectAccessible(a.page)
  await a.page.goto('/blocked')
  await a.page.getByRole('tab', { name: 'Businesses' }).click()
  await a.page.getByRole('link', { name: business.name }).click()
  await main.getByRole('button', { name: 'Unblock' }).click()
  await expect(follow).toBeVisible()
  await expect(main.getByRole('button', { name: 'Subscribe' })).toBeVisible()
})

test('lets a business block a person in their comment’s menu and unblock them under Team', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const business = await newBusiness(a.page, 'Green Yard')
  const words = { title: 'Open on Sunday', content: 'Come by.', postType: 'update', businessId: business.id }
  const { id } = (await (await a.page.request.post('/api/posts', { data: words })).json()) as { id: string }
  const comment = (content: string) => b.page.request.post(`/api/posts/${id}/comments`, { data: { content } })
  expect((await comment('You again')).status()).toBe(201)

  await a.page.goto(`/post/${id}`)
  await a.page.getByRole('button', { name: `More actions for the comment by ${b.name}` }).click()
  await a.page.getByRole('menuitem', { name: `Block from ${business.name}` }).click()
  const dialog = a.page.getByRole('alertdialog', { name: `Block ${b.name} from ${business.name}?` })
  await expect(dialog).toContainText(`they can still review ${business.name}`)
  await expectAccessible(a.page)
  await dialog.getByRole('button', { name: 'Block' }).click()
  await expect(toastWith(a.page, `${business.name} blocked ${b.name}`)).toBeVisible()
  expect((await comment('Hello?')).status()).toBe(403)

  await a.page.goto('/business-dashboard/team')
  const blocked = a.page.getByRole('region', { name: 'Blocked people' })
  await expect(blocked.getByRole('listitem')).toContainText(b.name)
  await expectAccessible(a.page)
  await blocked.getByRole('button', { name: `Unblock ${b.name}` }).click()
  await expect(blocked.getByText('No blocked people.')).toBeVisible()
  expect((await comment('Hello again')).status()).toBe(201)
})
