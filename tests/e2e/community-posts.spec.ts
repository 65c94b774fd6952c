import { expect, type Page } from '@playwright/test'
import type { Community } from '#contracts/communities.ts'
import type { CommunityPost } from '#contracts/community-posts.ts'
import { expectAccessible } from './accessibility.ts'
import { type Member, test } from './members.ts'

async function newCommunity(owner: Page, details: object = {}): Promise<Community> {
  const name = `Living Soil ${Math.random().toString(36).slice(2, 7)}`
  const answer = await owner.request.post('/api/communities', {
    data: { name, description: 'Compost, worms and no-till beds.', category: 'growing', visibility: 'public', ...details },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Community
}

async function join(member: Member, { id }: Community): Promise<void> {
  const answer = await member.page.request.post(`/api/communities/${id}/join`)
  expect(answer.ok(), await answer.text()).toBe(true)
}

async function newPost(writer: Page, communityId: string, details: object): Promise<CommunityPost> {
  const answer = await writer.request.post('/api/community-posts', { data: { communityId, content: 'Some words about it.', ...details } })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as CommunityPost
}

const card = (page: Page, title: string) => page.getByRole('article', { name: title })

test('asks a question, answers it, and accepts the answer', async ({ newMember }) => {
  const [asker, helper] = [await newMember({ firstName: 'Ada', lastName: 'Loam' }), await newMember({ firstName: 'Ben', lastName: 'Till' })]
  const community = await newCommunity(asker.page)
  await join(helper, community)

  const { page } = asker
  await page.goto(`/communities/${community.slug}`)
  await page.getByRole('button', { name: `Ask or share something in ${community.name}` }).click()
  await page.getByRole('radio', { name: 'Question' }).check()
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page.getByText('Title is required')).toBeVisible()
  await page.getByLabel('Your question').fill('How wet should the bed be?')
  await page.getByLabel('Content').fill('The top dries out within a day.')
  await page.getByRole('button', { name: 'Add Tags' }).click()
  await page.getByLabel('Tags').fill('watering')
  await page.keyboard.press('Enter')
  await page.reload()
  await expect(page.getByLabel('Your question')).toHaveValue('How wet should the bed be?')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(card(page, 'How wet should the bed be?')).toBeVisible()
  await expect(page.getByRole('button', { name: '#watering' })).toBeVisible()
  await expectAccessible(page)

  await helper.page.goto(`/communities/${community.slug}`)
  await card(helper.page, 'How wet should the bed be?').getByRole('link', { name: 'How wet should the bed be?' }).click()
  await helper.page.getByLabel('Write a comment').fill('Like a wrung-out sponge.')
  await helper.page.getByRole('button', { name: 'Comment', exact: true }).last().click()
  // This is the posted comment, not the text in the field.
  await expect(helper.page.getByRole('article', { name: `Comment by ${helper.name}` })).toContainText('Like a wrung-out sponge.')
  // Only the author of the question and moderators can accept an answer.
  await expect(helper.page.getByRole('button', { name: /Accept answer/ })).toHaveCount(0)

  await card(page, 'How wet should the bed be?').getByRole('link', { name: 'How wet should the bed be?' }).click()
  await page.getByRole('button', { name: `Accept answer by ${helper.name}` }).click()
  const answer = page.getByRole('region', { name: 'Accepted answer' })
  await expect(answer.getByText('Like a wrung-out sponge.')).toBeVisible()
  await expect(page.getByRole('article', { name: 'How wet should the bed be?' }).getByText('Answered')).toBeVisible()
  await expectAccessible(page)

  await helper.page.reload()
  await expect(helper.page.getByRole('region', { name: 'Accepted answer' })).toBeVisible()
  await page.getByRole('button', { name: `Accepted by ${helper.name}` }).click()
  await expect(answer).toHaveCount(0)
})

test('votes in a poll by keyboard and moves the vote', async ({ newMember }) => {
  const [owner, voter] = [
    await newMember({ firstName: 'Cleo', lastName: 'Bloom' }),
    await newMember({ firstName: 'Dan', lastName: 'Root' }),
  ]
  const community = await newCommunity(owner.page)
  await join(voter, community)

  await owner.page.goto(`/communities/${community.slug}`)
  await owner.page.getByRole('button', { name: `Ask or share something in ${community.name}` }).click()
  await owner.page.getByRole('radio', { name: 'Poll' }).check()
  await owner.page.getByLabel('What do you want to know?').fill('Which cover crop?')
  await owner.page.getByLabel('Option 1').fill('Clover')
  await owner.page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(owner.page.getByText('Add at least 2 options')).toBeVisible()
  await owner.page.getByLabel('Option 2').fill('Rye')
  await owner.page.keyboard.press('Enter')
  await owner.page.getByRole('textbox', { name: 'Option 3' }).fill('Vetch')
  await owner.page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(card(owner.page, 'Which cover crop?').getByText('Vote to see the results')).toBeVisible()

  const { page } = voter
  await page.goto(`/communities/${community.slug}`)
  const poll = card(page, 'Which cover crop?')
  await poll.getByRole('radio', { name: 'Clover' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(poll.getByRole('radio', { name: 'Rye' })).toBeChecked()
  await page.keyboard.press('Enter')
  const results = poll.getByRole('list', { name: 'Results' })
  await expect(results.getByRole('listitem').filter({ hasText: 'Rye' })).toContainText('100% 1 vote')
  await expectAccessible(page)
  await poll.getByRole('button', { name: 'Change vote' }).click()
  await poll.getByRole('radio', { name: 'Vetch' }).check()
  await poll.getByRole('button', { name: 'Vote', exact: true }).click()
  await expect(results.getByRole('listitem').filter({ hasText: 'Vetch' })).toContainText('100% 1 vote')
  await expect(results.getByRole('listitem').filter({ hasText: 'Rye' })).toContainText('0% 0 votes')
  await page.reload()
  await expect(results.getByRole('listitem').filter({ hasText: 'Vetch' })).toContainText('Your vote')
})

test('shows pinned posts first and joined communities’ posts in the feed', async ({ newMember }) => {
  const [owner, member] = [
    await newMember({ firstName: 'Eve', lastName: 'Humus' }),
    await newMember({ firstName: 'Fay', lastName: 'Mulch' }),
  ]
  const community = await newCommunity(owner.page)
  await join(member, community)
  await newPost(member.page, community.id, { postType: 'discussion', title: 'Start here', tags: ['welcome'] })
  await newPost(member.page, community.id, { postType: 'grow_update', title: 'Week six', link: { kind: 'strain', name: 'Blue Dream' } })

  const { page } = owner
  await page.goto(`/communities/${community.slug}`)
  const posts = page.getByRole('region', { name: `Posts in ${community.name}` }).getByRole('article')
  await expect(posts.first()).toHaveAccessibleName('Week six')
  await expect(posts.first().getByRole('link', { name: /Blue Dream/ })).toBeVisible()
  await page.getByRole('button', { name: 'More actions for Start here' }).click()
  await page.getByRole('menuitem', { name: 'Pin to the top' }).click()
  await expect(posts.first()).toHaveAccessibleName('Start here')
  await expect(posts).toHaveCount(2)
  await page.getByRole('button', { name: 'Grow updates' }).click()
  await expect(posts).toHaveCount(1)

  // Nothing overflows on the narrowest phone.
  await page.setViewportSize({ width: 320, height: 800 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  await member.page.goto('/communities?tab=feed')
  await expect(card(member.page, 'Week six').getByRole('link', { name: community.name })).toBeVisible()
  await card(member.page, 'Week six').getByRole('button', { name: 'Like' }).click()
  await expect(card(member.page, 'Week six').getByRole('button', { name: /1 like/ })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(member.page)
})

test('reveals nothing about a private community to people who haven’t joined', async ({ newMember }) => {
  const [owner, stranger] = [
    await newMember({ firstName: 'Gil', lastName: 'Peat' }),
    await newMember({ firstName: 'Hal', lastName: 'Clay' }),
  ]
  const community = await newCommunity(owner.page, { visibility: 'private' })
  const post = await newPost(owner.page, community.id, { postType: 'discussion', title: 'Between us', tags: ['hush'] })
  await stranger.page.goto(`/post/${post.id}`)
  await expect(stranger.page.getByText('Between us')).toHaveCount(0)
  await stranger.page.goto('/communities?tab=feed')
  await expect(stranger.page.getByRole('heading', { name: 'Your feed is quiet' })).toBeVisible()
  await expect(stranger.page.getByText('#hush')).toHaveCount(0)
  await expectAccessible(stranger.page)
})
