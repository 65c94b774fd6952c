import { expect, type Page } from '@playwright/test'
import { uuidv7 } from 'uuidv7'
import type { Community } from '#contracts/communities.ts'
import { expectAccessible } from './accessibility.ts'
import { hold, written } from './app.ts'
import { toastWith } from './directory.ts'
import { bell, post, put, test } from './members.ts'

const card = (page: Page, title: string) => page.getByRole('article', { name: title })
const openMenu = (page: Page, title: string) => page.getByRole('button', { name: `More actions for ${title}` }).click()

test('lets a person be mentioned in a post, save and hide the post, and sort the community’s posts', async ({ newMember }) => {
  const mark = Math.random().toString(36).slice(2, 7)
  const ada = await newMember({ firstName: 'Ada', lastName: `Loam${mark}` })
  const ben = await newMember({ firstName: 'Ben', lastName: `Till${mark}` })
  const answer = await ada.page.request.post('/api/communities', {
    data: { name: `Mulch ${mark}`, description: 'Straw, leaves and bark.', category: 'growing', visibility: 'public' },
  })
  const community = (await answer.json()) as Community
  await post(ben.page, `/api/communities/${community.id}/join`)
  await put(ben.page, `/api/people/${ada.user.id}/follow`)

  // Ben can be suggested once he is in the search index.
  const suggestions = `/api/mention-suggestions?q=Till${mark}`
  await expect.poll(async () => (await (await ada.page.request.get(suggestions)).json()).length).toBe(1)
  await ada.page.goto(`/communities/${community.slug}`)
  await ada.page.getByRole('button', { name: `Ask or share something in ${community.name}` }).click()
  await ada.page.getByLabel('Title').fill('Straw or leaves?')
  const content = ada.page.getByLabel('Content')
  await content.fill('Leaves, says ')
  await content.pressSequentially(`@Ben Till${mark}`)
  await expect(ada.page.getByRole('option', { name: ben.name })).toBeVisible()
  await expectAccessible(ada.page)
  await content.press('Enter')
  await expect(content).toHaveValue(`Leaves, says @${ben.name} `)
  await content.pressSequentially('and he is right.')
  await ada.page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(card(ada.page, 'Straw or leaves?').getByRole('link', { name: `@${ben.name}` })).toHaveAttribute(
    'href',
    `/people/${ben.user.id}`,
  )

  const { page } = ben
  await page.goto('/')
  await bell(page, 1).click()
  await page.getByRole('link', { name: `${ada.name} mentioned you in “Straw or leaves?”` }).click()
  await expect(page).toHaveURL(/\/post\//)
  await openMenu(page, 'Straw or leaves?')
  await expect(page.getByRole('menu')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Save' }).click()
  await expect(toastWith(page, 'Post saved')).toBeVisible()
  await page.goto('/favorites?tab=posts')
  await expect(card(page, 'Straw or leaves?')).toBeVisible()
  await expectAccessible(page)
  await openMenu(page, 'Straw or leaves?')
  await expect(page.getByRole('menuitem', { name: 'Hide' })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Remove from saved' }).click()
  await expect(page.getByRole('heading', { name: 'No saved posts yet' })).toBeVisible()

  await page.goto('/communities?tab=feed')
  await openMenu(page, 'Straw or leaves?')
  await page.getByRole('menuitem', { name: 'Hide' }).click()
  await expect(card(page, 'Straw or leaves?')).toHaveCount(0)
  await toastWith(page, 'Post hidden').getByRole('button', { name: 'Undo' }).click()
  await expect(card(page, 'Straw or leaves?')).toBeVisible()

  await page.goto(`/communities/${community.slug}`)
  await page.getByLabel('Sort by').selectOption({ label: 'Top this week' })
  await expect(page).toHaveURL(/\?sort=top&period=week$/)
  await page.reload()
  await expect(page.getByLabel('Sort by')).toHaveValue('2')
  await expect(card(page, 'Straw or leaves?')).toBeVisible()
})

test('doesn’t replace what was typed with a suggestion for earlier text', async ({ newMember }) => {
  const { page } = await newMember({ firstName: 'Ada', lastName: 'Loam' })
  const answer = await page.request.post('/api/communities', {
    data: { name: 'Compost', description: 'Heaps and bins.', category: 'growing', visibility: 'public' },
  })
  const community = (await answer.json()) as Community
  const anna = { kind: 'person', id: uuidv7(), name: 'Anna Reed', imageUrl: null, businessType: null, detail: null }
  await page.route(/mention-suggestions\?q=Ann(&|$)/, (route) => route.fulfill({ json: [anna] }))
  await page.goto(`/communities/${community.slug}`)
  await page.getByRole('button', { name: `Ask or share something in ${community.name}` }).click()
  const content = page.getByLabel('Content')
  await content.pressSequentially('@Ann')
  await expect(page.getByRole('option', { name: 'Anna Reed' })).toBeVisible()
  const release = await hold(page, /mention-suggestions\?q=Ann\+/, (route) => route.fulfill({ json: [] }))
  await content.pressSequentially(' left')
  await content.press('Enter')
  await expect(content).toHaveValue('@Ann left\n')
  release()
  await content.fill('')
  await content.pressSequentially('@Ann')
  await expect(page.getByRole('option', { name: 'Anna Reed' })).toBeVisible()
  await content.press('Enter')
  await expect(content).toHaveValue('@Anna Reed ')
})

test('mutes an author from the post menu and unmutes them in the settings', async ({ newMember }) => {
  const [ada, ben] = [await newMember({ firstName: 'Ada', lastName: 'Loam' }), await newMember({ firstName: 'Ben', lastName: 'Till' })]
  await post(ada.page, '/api/posts', { title: 'Worms at work', content: 'They moved in by themselves.', businessId: null })
  const { page } = ben
  await put(page, `/api/people/${ada.user.id}/follow`)
  await page.goto('/')
  await openMenu(page, 'Worms at work')
  const muted = written(page, /\/mute$/)
  await page.getByRole('menuitem', { name: `Mute ${ada.name}` }).click()
  await muted
  await expect(toastWith(page, `You muted ${ada.name}`)).toBeVisible()
  await expect(card(page, 'Worms at work')).toHaveCount(0)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Muted people and businesses' }).click()
  await expect(page.getByRole('button', { name: `Unmute ${ada.name}` })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: `Unmute ${ada.name}` }).click()
  await expect(page.getByRole('heading', { name: 'No muted people' })).toBeVisible()
})

test('shows a held post in its community only to its author, with the reason', async ({ newMember }) => {
  const [owner, reader] = [
    await newMember({ firstName: 'Cleo', lastName: 'Bloom' }),
    await newMember({ firstName: 'Dan', lastName: 'Root' }),
  ]
  const answer = await owner.page.request.post('/api/communities', {
    data: {
      name: `Claims ${Math.random().toString(36).slice(2, 7)}`,
      description: 'All of it.',
      category: 'general',
      visibility: 'public',
    },
  })
  const community = (await answer.json()) as Community
  const { page } = owner
  await page.goto(`/communities/${community.slug}`)
  await page.getByRole('button', { name: `Ask or share something in ${community.name}` }).click()
  await page.getByLabel('Title').fill('Good news')
  await page.getByLabel('Content').fill('It cures cancer.')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  const held = card(page, 'Good news')
  await expect(held.getByText('Held for review.')).toBeVisible()
  await expect(held.getByText(/health claim/)).toBeVisible()
  await expect(held.getByRole('link', { name: 'your account status' })).toHaveAttribute('href', /^\/standing/)
  await expectAccessible(page)
  await reader.page.goto(`/communities/${community.slug}`)
  await expect(reader.page.getByRole('heading', { name: 'No posts yet' })).toBeVisible()
})
