import { expect, type Page } from '@playwright/test'
import type { ModerationCase } from '#contracts/moderation.ts'
import type { Post } from '#contracts/posts.ts'
import { expectAccessible } from './accessibility.ts'
import { openAsAdmin } from './admins.ts'
import { type Member, post, test } from './members.ts'

const ann = { firstName: 'Ann', lastName: 'Archer' }
const ben = { firstName: 'Ben', lastName: 'Holloway' }

async function newPost(writer: Member, title: string): Promise<Post> {
  const name = `${title} ${Math.random().toString(36).slice(2, 7)}`
  const data = { title: name, content: 'We took down the last row on Thursday.', postType: 'update', businessId: null }
  const answer = await writer.page.request.post('/api/posts', { data })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Post
}

const reportByCall = (reader: Member, subjectId: string, reason = 'spam') =>
  post(reader.page, '/api/reports', { subject: 'post', subjectId, reason, details: '' })

async function caseAbout(moderator: Page, subjectId: string): Promise<ModerationCase> {
  const answer = await moderator.request.get('/api/moderation/cases?limit=100')
  const cases = (await answer.json()) as ModerationCase[]
  const found = cases.find((each) => each.subjectId === subjectId)
  if (!found) throw new Error(`No case about ${subjectId}: ${answer.status()}`)
  return found
}

const decideByCall = async (moderator: Page, subjectId: string, actions: object[]) =>
  post(moderator, `/api/moderation/cases/${(await caseAbout(moderator, subjectId)).id}/decide`, {
    actions,
    reason: 'spam',
    explanation: 'The same text stands under eleven posts.',
  })

async function openCase(moderator: Page, title: string): Promise<void> {
  await moderator.goto('/admin?tab=reports')
  await moderator.getByRole('link', { name: title }).click()
  await expect(moderator.getByRole('region', { name: 'Content' })).toContainText(title)
}

/** Chooses an action in the form and confirms it with the button of the same name. */
async function decide(moderator: Page, action: string): Promise<void> {
  const buttons = moderator.getByRole('region', { name: 'Decision', exact: true }).getByRole('button', { name: action, exact: true })
  await buttons.click()
  await buttons.last().click()
}

test('takes a post from a report through a removal and an appeal to another moderator’s reversal', async ({ newMember, browser }) => {
  test.setTimeout(150_000)
  const [writer, reader, first, second] = [
    await newMember(ann),
    await newMember(ben),
    (await openAsAdmin(browser)).page,
    (await openAsAdmin(browser)).page,
  ]
  const about = await newPost(writer, 'Harvest week')

  // A reader reports the post and learns what happens next.
  await reader.page.goto(`/post/${about.id}`)
  await reader.page.getByRole('button', { name: `More actions for ${about.title}` }).click()
  await reader.page.getByRole('menuitem', { name: 'Report' }).click()
  const dialog = reader.page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Intimate picture' }).check()
  await expect(dialog.getByText('within 48 hours')).toBeVisible()
  await dialog.getByRole('radio', { name: 'Spam' }).check()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByRole('heading', { name: 'Report sent' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused()
  await expect(dialog.getByRole('button', { name: `Block ${writer.name}` })).toBeVisible()
  await expectAccessible(reader.page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()

  // A moderator claims the case and chooses Remove by keyboard, sees what the author will read, and removes the post.
  await openCase(first, about.title)
  await expectAccessible(first)
  await first.keyboard.press('t')
  await expect(first.getByRole('button', { name: 'Release' })).toBeVisible()
  const decision = first.getByRole('region', { name: 'Decision', exact: true })
  await decision.getByRole('button', { name: 'Submit' }).click()
  await expect(decision.getByText('Choose what to do')).toBeVisible()
  const remove = decision.getByRole('button', { name: 'Remove', exact: true })
  await first.keyboard.press('3')
  await expect(remove.first()).toHaveAttribute('aria-pressed', 'true')
  await decision.getByLabel('Explanation').fill('It is the same text that stands under eleven posts.')
  const preview = decision.getByRole('region', { name: 'Notice preview' })
  await expect(preview).toContainText('Your post was removed')
  await expect(preview).toContainText(about.title)
  await expect(preview).toContainText('It is the same text that stands under eleven posts.')
  await expectAccessible(first)
  await decision.getByRole('button', { name: 'Remove', exact: true }).last().click()
  await expect(first.getByRole('region', { name: 'Decisions' })).toContainText('Removed')
  await expect(first.getByRole('link', { name: about.title })).toHaveCount(0)

  // Only moderators can see the post. The author reads why, and appeals.
  expect((await reader.page.request.get(`/api/posts/${about.id}`)).status()).toBe(404)
  expect((await writer.page.request.get(`/api/posts/${about.id}`)).status()).toBe(404)
  const news = writer.page.getByRole('main').getByRole('link', { name: 'Your post was removed by the moderators' })
  await expect(async () => {
    await writer.page.goto('/notifications')
    await expect(news).toBeVisible({ timeout: 3000 })
  }).toPass()
  await news.click()
  // The notification links to this decision.
  await expect(writer.page).toHaveURL(/\/standing#action-[\da-f-]{36}$/)
  const notice = writer.page.getByRole('article', { name: 'Your post was removed' })
  await expect(notice).toBeFocused()
  await expect(notice).toBeInViewport()
  await expect(notice).toContainText('It is the same text that stands under eleven posts.')
  await expect(notice).toContainText(about.title)
  await expect(notice.getByRole('link', { name: 'View' })).toHaveCount(0)
  await expect(notice).toContainText(/Until \w+ \d+(, \d{4})? at \d+:\d\d [AP]M\. Another moderator will decide\./)
  await notice.getByRole('button', { name: 'Appeal' }).click()
  await notice.getByRole('button', { name: 'Send appeal' }).click()
  await expect(notice.getByText('Tell us why we should review it again')).toBeVisible()
  await expect(notice.getByRole('textbox')).toBeFocused()
  const words = `I wrote ${about.title} once. The others are by someone else.`
  await notice.getByRole('textbox').fill(words)
  await notice.getByRole('button', { name: 'Send appeal' }).click()
  await expect(notice).toContainText('Your appeal is waiting for another moderator')
  await expect(notice.getByRole('button', { name: 'Appeal' })).toHaveCount(0)
  await expect(notice).toBeFocused()
  await expectAccessible(writer.page)

  // The moderator who decided can't decide the appeal, but another one can.
  await first.goto('/admin?tab=appeals')
  const appealed = { name: `Appeal by ${writer.name}` }
  const own = first.getByRole('article', appealed).filter({ hasText: words })
  await expect(own).toContainText('Someone else has to decide')
  await expect(own.getByRole('radio')).toHaveCount(0)
  await second.goto('/admin?tab=appeals')
  const theirs = second.getByRole('article', appealed).filter({ hasText: words })
  await expect(theirs.getByLabel('Answer')).toBeVisible()
  await expect(theirs.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await theirs.getByRole('button', { name: 'Submit' }).click()
  await expect(theirs.getByRole('radio', { name: 'Uphold' })).toBeFocused()
  await expectAccessible(second)
  await theirs.getByRole('radio', { name: 'Overturn' }).check()
  await theirs.getByLabel('Answer').fill('You are right: the others are not yours.')
  await theirs.getByRole('button', { name: 'Overturn' }).click()
  await expect(theirs).toHaveCount(0)
  await expect(second.getByRole('heading', { name: 'Pending, oldest first' })).toBeFocused()

  // The post is back, and the author's open page shows the outcome.
  await reader.page.goto(`/post/${about.id}`)
  await expect(reader.page.getByRole('heading', { name: about.title })).toBeVisible()
  await expect(notice).toContainText('You are right: the others are not yours.')
  await expect(notice).toContainText('Undone')
  await reader.page.goto('/standing')
  await expect(reader.page.getByRole('region', { name: 'Your reports' })).toContainText('Spam')
})

test('shows a second moderator the first one’s decision, and reverses a decision', async ({ newMember, browser }) => {
  test.setTimeout(120_000)
  const [writer, reader] = [await newMember(ann), await newMember(ben)]
  const [first, second] = [(await openAsAdmin(browser)).page, (await openAsAdmin(browser)).page]
  const [about, other] = [await newPost(writer, 'Twice looked at'), await newPost(writer, 'Too quickly')]
  await reportByCall(reader, about.id)
  await reportByCall(reader, other.id)
  const isShown = (id: string) => reader.page.request.get(`/api/posts/${id}`).then((answer) => answer.status() === 200)
  await openCase(first, about.title)
  await openCase(second, about.title)

  await decide(first, 'Hide')
  await expect(first.getByRole('region', { name: 'Decisions' })).toContainText('Hidden')
  await decide(second, 'Dismiss')
  await expect(second.getByText('Someone else decided this case in the meantime')).toBeVisible()
  await expect(second.getByRole('region', { name: 'Decisions' })).toContainText('Hidden')

  // The author still sees the post, and sees that moderators hid it.
  await writer.page.goto(`/post/${about.id}`)
  await expect(writer.page.getByText('Hidden by moderators.')).toBeVisible()
  expect(await isShown(about.id)).toBe(false)

  await first.getByRole('button', { name: 'Undo hidden' }).click()
  const dialog = first.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByText('Enter a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('It was meant for the other post.')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog).toBeHidden()
  expect(await isShown(about.id)).toBe(true)

  // Undo immediately, from the toast.
  await openCase(first, other.title)
  await decide(first, 'Remove')
  await first.getByRole('listitem').filter({ hasText: 'Removed' }).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => isShown(other.id)).toBe(true)
  await expect(first.getByRole('region', { name: 'Decisions' })).toContainText('Undone')
})

test('replaces a muted person’s composer with the date when the mute ends, and shows a suspended person the reasons', async ({
  newMember,
  browser,
}) => {
  test.setTimeout(90_000)
  const [writer, reader] = [await newMember(ann), await newMember(ben)]
  const moderator = (await openAsAdmin(browser)).page
  const [loud, louder] = [await newPost(writer, 'Loud'), await newPost(writer, 'Louder')]
  await reportByCall(reader, loud.id)
  await reportByCall(reader, louder.id)

  await decideByCall(moderator, loud.id, [{ action: 'mute', days: 3 }])
  await writer.page.goto(`/post/${louder.id}`)
  await expect(writer.page.getByText('You can read but not write until')).toBeVisible()
  await expect(writer.page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  await expectAccessible(writer.page)
  await writer.page.goto('/create-post')
  await expect(writer.page.getByText('You can read but not write until')).toBeVisible()

  const checkout = await writer.page.request.post('/api/billing/checkouts', { data: { provider: 'test', planId: 'vip' } })
  const { id: checkoutId } = (await checkout.json()) as { id: string }
  const answer = await writer.page.request.post(`/api/billing/test/checkouts/${checkoutId}/answers`, { data: { outcome: 'approve' } })
  await post(writer.page, `/api/billing/checkouts/${checkoutId}/approval`, (await answer.json()) as object)
  await decideByCall(moderator, louder.id, [{ action: 'suspend', days: 7 }])
  await writer.page.goto('/discover')
  await expect(writer.page.getByRole('heading', { name: /^Your account is suspended until/ })).toBeVisible()
  await expect(writer.page.getByRole('article', { name: 'Your account was suspended' })).toContainText(
    'The same text stands under eleven posts.',
  )
  await expect(writer.page.getByRole('link', { name: 'Sign Out' })).toBeVisible()
  const data = writer.page.getByRole('region', { name: 'Your data' })
  await expect(data.getByRole('button', { name: 'Prepare download' })).toBeEnabled()
  await expect(data.getByRole('button', { name: 'Delete account' })).toBeEnabled()
  const plan = writer.page.getByRole('region', { name: 'Plans and subscriptions' }).getByRole('article').filter({ hasText: 'VIP' })
  await expect(plan.getByRole('button')).toHaveText([/^Cancel at period end/])
  await expect(writer.page.getByRole('link', { name: /receipt as a PDF/ })).toBeVisible()
  await plan.getByRole('button').click()
  await writer.page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
  await expect(plan).toContainText(/Active until \w+ \d+, \d{4}/)
  await expect(plan.getByRole('button')).toHaveCount(0)
  await expectAccessible(writer.page)
  for (const width of [320, 390, 834]) {
    await writer.page.setViewportSize({ width, height: 800 })
    await expect.poll(() => writer.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
  await writer.page.getByRole('link', { name: 'Help center' }).click()
  await expect(writer.page).toHaveURL(/\/help$/)
  await writer.page.goto('/')
  await expect(writer.page.getByRole('heading', { name: 'Account status', exact: true })).toBeVisible()
})

test('scrolls the error about a missing report reason into view on a phone', async ({ newMember }) => {
  const [writer, reader] = [await newMember(ann), await newMember(ben)]
  const about = await newPost(writer, 'Without a reason')
  await reader.page.setViewportSize({ width: 390, height: 844 })
  await reader.page.goto(`/post/${about.id}`)
  await reader.page.getByRole('button', { name: `More actions for ${about.title}` }).click()
  await reader.page.getByRole('menuitem', { name: 'Report' }).click()
  const dialog = reader.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByText('Choose a reason')).toBeInViewport()
})

test('shows one case at a time on a phone with a way back to the list', async ({ newMember, browser }) => {
  test.setTimeout(90_000)
  const [writer, reader] = [await newMember(ann), await newMember(ben)]
  const moderator = (await openAsAdmin(browser)).page
  const about = await newPost(writer, 'In the pocket')
  await reportByCall(reader, about.id)
  await moderator.setViewportSize({ width: 390, height: 844 })
  await openCase(moderator, about.title)
  await expect(moderator.getByRole('region', { name: 'Case list' })).toBeHidden()
  await expect.poll(() => moderator.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await moderator.goBack()
  await expect(moderator.getByRole('link', { name: about.title })).toBeVisible()
  await moderator.getByRole('link', { name: about.title }).click()
  await moderator.getByRole('button', { name: 'All cases' }).click()
  await expect(moderator.getByRole('link', { name: about.title })).toBeFocused()

  // Submitting the long form scrolls up to the decision.
  await moderator.getByRole('link', { name: about.title }).click()
  await decide(moderator, 'Remove')
  await expect(moderator.getByRole('region', { name: 'Decisions' })).toBeInViewport()
  await expect(moderator.getByRole('heading', { name: `Post by ${writer.name}` })).toBeFocused()
  // Removed content has no page for anyone.
  await expect(moderator.getByRole('link', { name: 'Open in a new tab' })).toHaveCount(0)
})

test('shows everyone the moderators’ actions without names', async ({ newMember, browser, page }) => {
  test.setTimeout(90_000)
  const [writer, reader] = [await newMember(ann), await newMember(ben)]
  const moderator = (await openAsAdmin(browser)).page
  const about = await newPost(writer, 'For the log')
  await reportByCall(reader, about.id)
  await decideByCall(moderator, about.id, [{ action: 'hide' }])
  await page.goto('/guidelines')
  await page.getByRole('link', { name: 'moderation log' }).click()
  await expect(page.getByRole('heading', { name: 'Moderation log' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Hidden' }).first()).toContainText('Spam')
  await expect(page.getByRole('main')).not.toContainText(about.title)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('table')).toBeHidden()
  await expectAccessible(page)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
