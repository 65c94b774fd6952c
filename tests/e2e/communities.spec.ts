import { expect } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { hold, written } from './app.ts'
import { post, put, test } from './members.ts'
import { expectToast } from './people.ts'

const mark = () => Math.random().toString(36).slice(2, 7)

test('shows tabs, categories, and totals, lets people create, join, and leave communities with undo, and accepts an invitation', async ({
  newMember,
}) => {
  test.setTimeout(90_000)
  const name = `Lantern Room ${mark()}`
  const { page: owners } = await newMember({ firstName: 'Olive', lastName: 'Keeper' })
  await owners.goto('/communities?tab=my')
  await expect(owners.getByRole('tablist', { name: 'Communities' }).getByRole('tab')).toHaveText([
    'Discover',
    'My Communities',
    'Community Feed',
    'Create',
  ])
  await expect(owners.getByRole('heading', { name: 'Join Your First Community' })).toBeVisible()
  for (const stat of ['Communities', 'Posts', 'Comments', 'Likes received']) {
    await expect(owners.getByRole('main').locator('dl > div').filter({ hasText: stat })).toContainText('0')
  }

  await owners.getByRole('tab', { name: 'Create' }).click()
  const form = owners.getByRole('form', { name: 'New community' })
  await expect(form.getByLabel('Category').locator('option:not([disabled])')).toContainText([
    'Growing',
    'Strains',
    'Medical',
    'Business',
    'General',
  ])
  for (const who of ['Public', 'Private', 'Invite Only']) await expect(form.getByRole('radio', { name: who })).toBeVisible()
  await form.getByRole('button', { name: 'Create Community' }).click()
  await expect(form.getByText('Enter a name')).toBeVisible()
  await expect(form.getByLabel('Name')).toBeFocused()
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Description').fill('For people who read by lamplight.')
  await form.getByLabel('Category').selectOption('growing')
  await expect(form.getByRole('radio', { name: 'Public' })).toBeChecked()
  await form.getByLabel('Rule 1', { exact: true }).fill('Say what you measured.')
  await form.getByLabel('Rule 1', { exact: true }).press('Enter')
  await form.getByLabel('Rule 2', { exact: true }).fill('Nothing is sold here.')
  await owners.reload()
  await expect(form.getByLabel('Rule 2', { exact: true })).toHaveValue('Nothing is sold here.')
  await expectAccessible(owners)
  await form.getByRole('button', { name: 'Create Community' }).click()
  await expect(owners.getByRole('heading', { name, level: 1 })).toBeVisible()
  await expect(owners.getByText('1 member · 0 posts')).toBeVisible()
  await owners.getByRole('tab', { name: 'About' }).click()
  await expect(owners.getByText('Nothing is sold here.')).toBeVisible()
  await expectAccessible(owners)

  const { page: theirs, user: guest } = await newMember({ firstName: 'Fern', lastName: 'Brook' })
  await theirs.goto('/communities')
  const verified = theirs.getByRole('article').filter({ hasText: 'Verified' }).first()
  await expect(verified).toContainText(/\d+ members? · \d+ posts?/)
  await expect(verified.getByRole('button', { name: /^Join Community/ })).toBeVisible()
  const tiles = theirs.getByRole('navigation', { name: 'Categories' })
  for (const category of ['Growing', 'Strains', 'Medical', 'Business']) {
    await expect(tiles.getByRole('link', { name: new RegExp(`^${category}`) })).toBeVisible()
  }
  await expectAccessible(theirs)
  await theirs.getByLabel('Search communities').fill(name)
  await theirs.getByLabel('Search communities').press('Enter')
  await expect(theirs).toHaveURL(/[?&]q=/)
  await expect(theirs.getByLabel('Search communities')).toBeFocused()
  const card = theirs.getByRole('article', { name })
  // The count increases only after the response.
  const join = await hold(theirs, /\/join$/)
  await card.getByRole('button', { name: `Join Community ${name}` }).click()
  await expect(card.getByRole('button', { name: 'Joining...' })).toBeVisible()
  await expect(card.getByText('1 member · 0 posts')).toBeVisible()
  join()
  await expect(card.getByText('Joined')).toBeVisible()
  await expect(card.getByText('2 members · 0 posts')).toBeVisible()
  await theirs.unroute(/\/join$/)
  await card.getByRole('link', { name }).click()
  await theirs.getByRole('tab', { name: 'Members' }).click()
  await expect(theirs.getByRole('listitem').filter({ hasText: 'Fern Brook (you)' })).toBeVisible()
  await expectAccessible(theirs)
  await theirs.getByRole('button', { name: `More actions for ${name}` }).click()
  await theirs.getByRole('menuitem', { name: 'Leave' }).click()
  await expect(theirs.getByRole('button', { name: `Join Community ${name}` })).toBeVisible()
  const rejoined = written(theirs, /\/join$/)
  await theirs.getByRole('button', { name: 'Undo' }).click()
  await expect(theirs.getByText('Joined')).toBeVisible()
  await rejoined

  const host = await newMember({ firstName: 'Petra', lastName: 'Vale' })
  const closed = await host.page.request.post('/api/communities', {
    data: { name: `Back Room ${mark()}`, description: 'By invitation.', category: 'general', visibility: 'private' },
  })
  const { id } = (await closed.json()) as { id: string }
  await put(theirs, `/api/people/${host.user.id}/follow`)
  await post(host.page, `/api/communities/${id}/invitations`, { personId: guest.id })
  await theirs.goto('/communities?tab=my')
  await expect(theirs.getByRole('list', { name: 'My communities' }).getByRole('link', { name })).toBeVisible()
  await expectAccessible(theirs)
  await theirs.getByRole('tab', { name: 'Community Feed' }).click()
  await expect(theirs.getByRole('tabpanel', { name: 'Community Feed' })).toBeVisible()
  await expect(theirs.getByRole('heading', { name: 'Trending hashtags' })).toBeVisible()
  await expect(
    theirs
      .getByRole('region', { name: 'Suggested communities' })
      .getByRole('button', { name: /^Join Community/ })
      .first(),
  ).toBeVisible()

  await theirs.getByRole('tab', { name: 'My Communities' }).click()
  const release = await hold(theirs, /\/api\/communities\/.*(join|accept)/)
  await theirs.getByRole('button', { name: /^Accept the invitation/ }).click()
  await expect(theirs.getByRole('button', { name: 'Joining...' })).toBeVisible()
  release()
  await expect(theirs.getByRole('button', { name: 'Joining...' })).toBeHidden()
})

test('lets people into an invite-only community on request and into a private one by link', async ({ newMember }) => {
  const name = `Closed Table ${mark()}`
  const { page: owners, user: owner } = await newMember({ firstName: 'Petra', lastName: 'Host' })
  const { page: theirs } = await newMember({ firstName: 'Ines', lastName: 'Quill' })
  await put(theirs, `/api/people/${owner.id}/follow`)
  const made = await owners.request.post('/api/communities', {
    data: { name, description: 'Come and ask.', category: 'general', visibility: 'invite_only', rules: ['Be kind.'] },
  })
  const { id, slug } = await made.json()

  await theirs.goto(`/communities/${slug}`)
  await expect(theirs.getByRole('heading', { name: 'Members only' })).toBeVisible()
  await expectAccessible(theirs)
  await theirs.getByRole('button', { name: `Ask to Join ${name}` }).click()
  const asking = theirs.getByRole('dialog', { name: `Ask to join ${name}` })
  await expect(asking.getByText('Be kind.')).toBeVisible()
  await asking.getByLabel('A few words about yourself').fill('I keep a notebook.')
  await expectAccessible(theirs)
  await asking.getByRole('button', { name: 'Send request' }).click()
  await expectToast(theirs, 'Request sent', `The moderators of ${name} will decide.`)
  await expect(theirs.getByText('A moderator needs to approve your request.', { exact: false })).toBeVisible()

  await owners.goto(`/communities/${slug}?section=manage`)
  const request = owners.getByRole('listitem').filter({ hasText: 'I keep a notebook.' })
  await expect(request).toBeVisible()
  await expectAccessible(owners)
  await request.getByRole('button', { name: 'Accept Ines Quill' }).click()
  await expectToast(owners, 'Ines Quill joined', 'We’ve notified them.')
  await theirs.reload()
  await expect(theirs.getByText('Joined')).toBeVisible()
  await expect(theirs.getByRole('tab', { name: 'Members' })).toBeVisible()

  await owners.request.patch(`/api/communities/${id}`, { data: { visibility: 'private' } })
  const { page: strangers } = await newMember({ firstName: 'Silas', lastName: 'Ford' })
  await strangers.goto(`/communities/${slug}`)
  await expect(strangers.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await owners.getByRole('button', { name: 'Create link' }).click()
  const link = await owners.getByLabel('Invitation link').inputValue()
  await strangers.goto(link)
  await expect(strangers.getByText('Petra Host invited you to')).toBeVisible()
  await expectAccessible(strangers)
  await strangers.getByRole('button', { name: `Join Community ${name}` }).click()
  await expect(strangers.getByText('3 members · 0 posts')).toBeVisible()
  // The link works once.
  const { page: late } = await newMember({ firstName: 'Hugo', lastName: 'Lane' })
  await late.goto(link)
  await expect(late.getByRole('heading', { name: 'This invitation has already been used' })).toBeVisible()
  // People who left a private community no longer see it.
  await strangers.getByRole('button', { name: `More actions for ${name}` }).click()
  await strangers.getByRole('menuitem', { name: 'Leave' }).click()
  await strangers
    .getByRole('alertdialog', { name: `Leave ${name}?` })
    .getByRole('button', { name: 'Leave' })
    .click()
  await expect(strangers.getByRole('heading', { name: 'Join Your First Community' })).toBeVisible()
})
