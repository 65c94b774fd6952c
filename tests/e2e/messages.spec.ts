import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Conversation } from '#contracts/messages.endpoints.ts'
import { expectAccessible } from './accessibility.ts'
import { hold, written } from './app.ts'
import { toastWith } from './directory.ts'
import { type Member, newBusiness, put, test } from './members.ts'
import { composer, expect, messagesLink, send, shownMessages } from './messages.ts'

test.describe.configure({ timeout: 90_000 })

const ann = { firstName: 'Ann', lastName: 'Okoro' }
const ben = { firstName: 'Ben', lastName: 'Sato' }

const follow = (from: Member, to: Member) => put(from.page, `/api/people/${to.user.id}/follow`)

/** Starts a conversation between two people who follow each other, and opens it in the first person's browser. */
async function begin(a: Member, b: Member): Promise<string> {
  await follow(a, b)
  await follow(b, a)
  const answer = await a.page.request.post('/api/conversations', { data: { to: { kind: 'person', id: b.user.id } } })
  expect(answer.ok(), await answer.text()).toBe(true)
  const { id } = (await answer.json()) as Conversation
  await send(a.page, id, 'Good morning')
  await a.page.goto(`/messages/${id}`)
  await expect(shownMessages(a.page)).toHaveCount(1)
  return id
}

async function talk(a: Member, b: Member): Promise<string> {
  const id = await begin(a, b)
  await b.page.goto(`/messages/${id}`)
  await expect(shownMessages(b.page)).toHaveCount(1)
  return id
}

const photo = async (name: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a9a5a' } })
    .jpeg()
    .toBuffer(),
})

const inList = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const rowOf = (page: Page, name: string) => inList(page).getByRole('link', { name: new RegExp(`^${name}`) })

const openMenu = (page: Page, name: string) => page.getByRole('button', { name: `More actions for the conversation with ${name}` }).click()

test('stays on the page that the person opened while a declined request was being saved', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const made = await b.page.request.post('/api/conversations', { data: { to: { kind: 'person', id: a.user.id } } })
  const { id } = (await made.json()) as Conversation
  await send(b.page, id, 'May I ask about the spacing?')
  await a.page.goto(`/messages/${id}?tab=requests`)
  const decline = await hold(a.page, `**/api/conversations/${id}/decline`)
  await a.page.getByRole('button', { name: 'Decline' }).click()
  await a.page.getByRole('banner').getByRole('link', { name: 'Discover' }).click()
  await expect(a.page).toHaveURL('/discover')
  decline()
  await expect(toastWith(a.page, 'Request declined')).toBeVisible()
  await expect(a.page.getByRole('heading', { level: 1, name: 'Messages' })).toBeHidden()
  await expect(a.page).toHaveURL('/discover')
})

test('sends a request first, and shows typing and read receipts once it is accepted', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await a.page.goto('/messages')
  await expect(a.page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible()
  await expect(a.page.getByRole('heading', { name: 'No messages yet' })).toBeVisible()
  await expectAccessible(a.page)
  await a.page.getByRole('tab', { name: 'Requests' }).click()
  await expect(a.page.getByRole('heading', { name: 'No requests' })).toBeVisible()

  await b.page.goto(`/people/${a.user.id}`)
  await b.page.getByRole('button', { name: `Message ${a.name}` }).click()
  await expect(b.page.getByRole('heading', { level: 1, name: a.name })).toBeVisible()
  await expect(b.page.getByText(`${a.name} will get this as a message request`)).toBeVisible()
  await expect(b.page.getByText('Messages aren’t end-to-end encrypted.')).toBeVisible()
  await expect(b.page.getByRole('button', { name: 'Add photos' })).toHaveCount(0)
  await composer(b.page, a.name).fill('See example.com/deal')
  await expect(b.page.getByText('Requests can’t include links.')).toBeVisible()
  // Uses only the keyboard.
  await composer(b.page, a.name).fill('')
  await b.page.keyboard.type('May I ask')
  await b.page.keyboard.press('Shift+Enter')
  await b.page.keyboard.type('about the spacing?')
  await b.page.keyboard.press('Enter')
  await expect(shownMessages(b.page)).toHaveText([/May I ask\s+about the spacing\?/])
  await expect(b.page.getByText(`You can write more once ${a.name} has accepted your message.`)).toBeVisible()
  await expectAccessible(b.page)

  await expect(a.page.getByRole('tab', { name: 'Requests 1' })).toBeVisible()
  await expect(messagesLink(a.page, 0)).toBeVisible()
  await rowOf(a.page, b.name).click()
  await expect(a.page.getByRole('heading', { name: `${b.name} wants to message you` })).toBeVisible()
  await expectAccessible(a.page)
  // Following doesn't accept the request.
  await put(a.page, `/api/people/${b.user.id}/follow`)
  await a.page.reload()
  await expect(a.page.getByText(`You didn’t follow ${b.name} when they wrote.`)).toBeVisible()
  await expect(b.page.getByText('Seen')).toHaveCount(0)
  await a.page.getByRole('button', { name: 'Accept' }).click()
  await expect(a.page.getByRole('heading', { name: `${b.name} wants to message you` })).toHaveCount(0)

  await expect(composer(b.page, a.name)).toBeVisible()
  await expect(b.page.getByText('Seen')).toBeVisible()
  await composer(b.page, a.name).pressSequentially('Thank')
  await expect(a.page.getByRole('heading', { level: 1, name: b.name }).locator('..').getByText('Typing...')).toBeVisible()
  await composer(b.page, a.name).fill('Thank you')
  await composer(b.page, a.name).press('Enter')
  await expect(shownMessages(a.page)).toHaveCount(2)
  await expect(a.page.getByText('Typing...')).toHaveCount(0)
})

test('shows new messages from other conversations in the header and the list, and marks them as read when seen', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const id = await begin(a, b)
  await a.page.goto(`/messages/${id}`)
  await expect(shownMessages(a.page)).not.toHaveCount(0)
  // Navigates within the app to keep the page's cached conversation, to a screen without a map, because a map takes a while to draw
  // without a GPU.
  await a.page.getByRole('banner').getByRole('link', { name: 'Communities', exact: true }).click()
  // The address changes before the screen does. Until then, the open conversation marks new messages as read.
  await expect(a.page.getByRole('heading', { level: 1, name: 'Communities' })).toBeVisible()
  await expect(messagesLink(a.page, 0)).toBeVisible()
  await send(b.page, id, 'Two new rows')
  await send(b.page, id, 'and a third')
  await expect(messagesLink(a.page, 2)).toBeVisible()
  await messagesLink(a.page, 2).click()
  const row = rowOf(a.page, b.name)
  await expect(row).toContainText('and a third')
  await expect(row).toContainText('2 unread')
  await row.click()
  await expect(a.page.getByText('New messages', { exact: true })).toBeVisible()
  await expect(messagesLink(a.page, 0)).toBeVisible()
  await expect(row).not.toContainText('unread')
  await expectAccessible(a.page)

  // A muted conversation counts only in its own row.
  await openMenu(a.page, b.name)
  await a.page.getByRole('menuitem', { name: 'Mute' }).click()
  // The row in the list also says “Muted”.
  await expect(toastWith(a.page, 'You won’t be notified')).toBeVisible()
  await messagesLink(a.page, 0).click()
  await expect(a.page).toHaveURL(/\/messages\/?(\?.*)?$/)
  await send(b.page, id, 'Hello again')
  await expect(row).toContainText('1 unread')
  await expect(row).toContainText('Muted')
  await expect(messagesLink(a.page, 0)).toBeVisible()
})

test('sends a photo with its description and keeps a draft across a reload', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await talk(a, b)
  await a.page.getByLabel('Photos to send').setInputFiles([await photo('row.jpg')])
  await a.page.getByLabel('Description of row.jpg').fill('A row of young plants')
  await expectAccessible(a.page)
  await composer(a.page, b.name).fill('This morning')
  await a.page.getByRole('button', { name: 'Send' }).click()
  await expect(shownMessages(a.page)).toHaveCount(2)
  await expect(shownMessages(b.page)).toHaveCount(2)
  await b.page.getByRole('button', { name: 'Picture: A row of young plants' }).click()
  const large = b.page.getByRole('dialog')
  await expect(large.getByRole('img', { name: 'A row of young plants' })).toBeVisible()
  await expect(large.locator(':focus')).toBeAttached()
  await b.page.keyboard.press('Escape')
  await expect(large).toBeHidden()
  await expectAccessible(b.page)

  await composer(a.page, b.name).fill('Half a thought')
  await a.page.reload()
  await expect(composer(a.page, b.name)).toHaveValue('Half a thought')
})

/** Sends “This morning” with a photo whose upload waits until the returned function is called. */
async function sendWithSlowPhoto(a: Member, b: Member) {
  const release = await hold(a.page, '**/api/media/*/bytes?*')
  await a.page.getByLabel('Photos to send').setInputFiles([await photo('row.jpg')])
  await composer(a.page, b.name).fill('This morning')
  await a.page.getByRole('button', { name: 'Send' }).click()
  return release
}

test('keeps text typed during a photo upload for the next message', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await talk(a, b)
  const release = await sendWithSlowPhoto(a, b)
  await composer(a.page, b.name).pressSequentially(' and the evening')
  release()
  await expect(shownMessages(b.page)).toHaveText([/Good morning/, /This morning\d/])
  await expect(composer(a.page, b.name)).toHaveValue('and the evening')
  await a.page.reload()
  await expect(composer(a.page, b.name)).toHaveValue('and the evening')
})

test('sends a message whose photo is still uploading when the conversation is closed', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await talk(a, b)
  const release = await sendWithSlowPhoto(a, b)
  const leave = async () => {
    await a.page.getByRole('banner').getByRole('link', { name: 'Favorites' }).click()
    await expect(composer(a.page, b.name)).toHaveCount(0)
  }
  await leave()
  // The photo and the text are still being sent when the person comes back.
  await a.page.goBack()
  await expect(composer(a.page, b.name)).toHaveValue('This morning')
  await expect(a.page.getByRole('progressbar', { name: 'Uploading row.jpg' })).toBeVisible()
  await leave()
  release()
  await expect(shownMessages(b.page)).toHaveText([/Good morning/, /This morning/])
  await a.page.goBack()
  await expect(shownMessages(a.page)).toHaveCount(2)
  await expect(composer(a.page, b.name)).toHaveValue('')
  await expect(a.page.getByRole('list', { name: 'Photos in this message' })).toHaveCount(0)
})

test('keeps an undelivered message and sends it once', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const id = await talk(a, b)
  let sent = 0
  await a.page.route(`**/api/conversations/${id}/messages`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    sent += 1
    // The first request arrives, but its response is lost.
    if (sent === 1) await route.fetch()
    if (sent <= 2) return route.abort()
    return route.fallback()
  })
  await composer(a.page, b.name).fill('Only once')
  await composer(a.page, b.name).press('Enter')
  await composer(a.page, b.name).fill('and then this')
  await composer(a.page, b.name).press('Enter')
  await expect(a.page.getByRole('alert').filter({ hasText: 'Not sent.' })).toBeVisible()
  await expect(shownMessages(b.page)).toHaveText([/Good morning/, /Only once/, /and then this/])
  await expect(a.page.getByText('Not sent.')).toHaveCount(0)
  await expect(shownMessages(a.page)).toHaveText([/Good morning/, /Only once/, /and then this/])
})

test('finds a word and jumps to it, and deletes a message and a conversation for one person only', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const id = await begin(a, b)
  await send(b.page, id, 'The hygrometer says sixty.')
  for (let index = 1; index <= 44; index++) await send(index % 2 ? a.page : b.page, id, `Line ${index}`)
  await a.page.goto('/messages')
  const box = a.page.getByRole('searchbox', { name: 'Search your messages' })
  await box.fill('hygrometer')
  await expect(a.page.getByRole('link', { name: /hygrometer/ })).toBeVisible()
  await expectAccessible(a.page)
  await box.fill('nothing like it')
  await expect(a.page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await box.fill('hygrometer')
  await a.page.getByRole('link', { name: /hygrometer/ }).click()
  const found = shownMessages(a.page).filter({ hasText: 'hygrometer' })
  await expect(found).toBeInViewport()
  await a.page.getByRole('button', { name: 'Jump to newest' }).click()
  await expect(shownMessages(a.page).last()).toBeInViewport()
  await expect(shownMessages(a.page)).toHaveCount(46)

  await a.page.getByRole('button', { name: 'More actions for the message “Line 44”' }).click()
  await a.page.getByRole('menuitem', { name: 'Delete for me' }).click()
  await expect(shownMessages(a.page)).toHaveCount(45)
  await toastWith(a.page, 'Message deleted for you').getByRole('button', { name: 'Undo' }).click()
  await expect(shownMessages(a.page)).toHaveCount(46)

  await openMenu(a.page, b.name)
  await a.page.getByRole('menuitem', { name: 'Delete conversation' }).click()
  await a.page.getByRole('alertdialog').getByRole('button', { name: 'Delete for me' }).click()
  await expect(a.page).toHaveURL(/\/messages\/?(\?.*)?$/)
  await b.page.goto(`/messages/${id}`)
  await expect(shownMessages(b.page).last()).toContainText('Line 44')
})

test('ends a conversation when one person blocks the other, and offers to unblock them there', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const id = await talk(a, b)
  // Without this, a refresh could show that the conversation has ended before the other person tries to write.
  const refresh = await hold(b.page, /\/conversations(\/[\w-]+)?(\?.*)?$/)
  await openMenu(a.page, b.name)
  await a.page.getByRole('menuitem', { name: 'Block' }).click()
  await a.page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(a.page.getByText(`You have blocked ${b.name}.`)).toBeVisible()
  await expect(composer(a.page, b.name)).toHaveCount(0)
  await expectAccessible(a.page)
  await composer(b.page, a.name).fill('Are you there?')
  await composer(b.page, a.name).press('Enter')
  await expect(b.page.getByText(`You can’t message ${a.name}.`).first()).toBeVisible()
  refresh()
  await b.page.reload()
  await expect(b.page.getByText(`You can’t message ${a.name}.`).first()).toBeVisible()
  await expect(composer(b.page, a.name)).toHaveCount(0)
  await expect(shownMessages(a.page)).toHaveCount(1)
  await a.page.getByRole('button', { name: 'Unblock' }).click()
  await expect(composer(a.page, b.name)).toBeVisible()
  await a.page.goto(`/messages/${id}`)
  await expect(shownMessages(a.page)).toHaveCount(1)
})

test('lets subscribers write to a business, whose team replies in its name', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const business = await newBusiness(b.page, 'Alder Bench')
  await a.page.goto(`/business/${business.slug}`)
  const main = a.page.getByRole('main')
  await expect(messagesLink(a.page, 0)).toHaveAttribute('href', '/messages')
  await main.getByRole('button', { name: `Message ${business.name}` }).click()
  await expect(main.getByText(`Subscribe to ${business.name} to message it.`)).toBeVisible()
  await expectAccessible(a.page)
  const goOn = await hold(a.page, /\/subscriptions$/)
  await main.getByRole('button', { name: 'Subscribe' }).click()
  await expect(main.getByText('You follow this business because you subscribe')).toBeVisible()
  await expect(main.getByText(`Subscribe to ${business.name} to message it.`)).toHaveCount(0)
  // The button appears immediately, but clicks wait for the subscription.
  await main.getByRole('button', { name: `Message ${business.name}` }).click()
  goOn()
  await composer(a.page, business.name).fill('Is the bench open on Sunday?')
  // The message is shown before the server has it.
  const sent = written(a.page, /\/messages$/)
  await composer(a.page, business.name).press('Enter')
  await expect(shownMessages(a.page)).toHaveCount(1)
  await sent

  await b.page.goto('/messages')
  // The page opens the inbox with the unread message. The personal inbox links there, because the header counts that message.
  const elsewhere = b.page.getByRole('link', { name: `1 unread in ${business.name}` })
  await expect(rowOf(b.page, a.name)).toBeVisible()
  await expect(elsewhere).toHaveCount(0)
  await b.page.getByRole('combobox', { name: 'Inbox' }).selectOption('Personal')
  await expect(elsewhere).toBeVisible()
  await expectAccessible(b.page)
  await b.page.getByRole('combobox', { name: 'Inbox' }).selectOption({ label: `${business.name} (1 unread)` })
  await rowOf(b.page, a.name).click()
  await expect(b.page.getByText(`Replying as ${business.name}`)).toBeVisible()
  await expectAccessible(b.page)
  await composer(b.page, a.name).fill('From ten to four.')
  await composer(b.page, a.name).press('Enter')
  await expect(shownMessages(a.page)).toHaveText([/Sunday/, /From ten to four\./])
  await expect(a.page.getByText(b.name)).toHaveCount(0)
  await a.page.getByRole('button', { name: `About this conversation with ${business.name}` }).click()
  await expect(a.page.getByRole('dialog')).toContainText('Messages aren’t end-to-end encrypted.')
  await expectAccessible(a.page)
})

test('lets people choose who may start a conversation', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  await a.page.goto('/messages')
  await a.page.getByRole('button', { name: 'Message settings' }).click()
  const dialog = a.page.getByRole('dialog', { name: 'Message settings' })
  await expect(dialog.getByRole('radio', { name: 'Everyone' })).toBeChecked()
  await expectAccessible(a.page)
  const saved = written(a.page, /\/message-settings$/)
  await dialog.getByRole('radio', { name: 'People you follow' }).check()
  await saved
  await b.page.goto(`/people/${a.user.id}`)
  await b.page.getByRole('button', { name: `Message ${a.name}` }).click()
  await expect(b.page.getByText(`You can’t message ${a.name}.`)).toBeVisible()
})

test('shows full names when the list is beside the conversation', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember({ firstName: 'Bartholomew', lastName: 'Featherstone' })]
  await begin(a, b)
  for (const width of [768, 834, 1440]) {
    await a.page.setViewportSize({ width, height: 1112 })
    const name = a.page.getByRole('region', { name: 'Conversations' }).getByText(b.name, { exact: true })
    await expect(name).toBeVisible()
    const cut = await name.evaluate((line) => [line.scrollWidth - line.clientWidth, line.scrollHeight - line.clientHeight])
    expect({ width, isCut: cut.some((over) => over > 1) }).toEqual({ width, isCut: false })
    expect(await a.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }
})

test('fills a phone’s screen with a conversation and has a way back to the list', async ({ newMember }) => {
  const [a, b] = [await newMember(ann), await newMember(ben)]
  const id = await begin(a, b)
  await a.page.setViewportSize({ width: 320, height: 640 })
  await expect(a.page.getByRole('heading', { level: 1, name: b.name })).toBeVisible()
  await expect(a.page.getByRole('heading', { name: 'Messages' })).toBeHidden()
  await expect.poll(() => a.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await expectAccessible(a.page)
  await a.page.getByRole('button', { name: 'Back to all messages' }).click()
  await expect(a.page.getByRole('heading', { level: 1, name: 'Messages' })).toBeVisible()
  await expectAccessible(a.page)

  // The guide's button must not cover the last message or Send.
  await a.page.evaluate(() => sessionStorage.setItem('guide', '"button"'))
  await a.page.reload()
  const guide = a.page.getByRole('button', { name: /^Guide/ })
  await expect(guide).toBeVisible()
  await rowOf(a.page, b.name).click()
  await expect(a.page).toHaveURL(new RegExp(id))
  await expect(composer(a.page, b.name)).toBeVisible()
  await expect(guide).toBeHidden()
  await a.page.setViewportSize({ width: 1100, height: 700 })
  await expect(guide).toBeHidden()
})
