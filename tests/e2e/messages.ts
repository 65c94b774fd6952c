import { expect, type Locator, type Page } from '@playwright/test'
import { uuidv7 } from 'uuidv7'

export { expect }

export const composer = (page: Page, name: string): Locator => page.getByRole('textbox', { name: `Message to ${name}` })

/** What stands in the open conversation, the oldest first; also what waits to be sent. */
export const shownMessages = (page: Page): Locator => page.locator('[data-message]')

/** The way to the messages in the header, with so many unread. */
export const messagesLink = (page: Page, unread: number): Locator =>
  page.getByRole('banner').getByRole('link', { name: unread === 0 ? 'Messages' : `Messages, ${unread} unread`, exact: true })

/** A message sent by the call. */
export async function send(page: Page, conversationId: string, content: string): Promise<void> {
  const answer = await page.request.post(`/api/conversations/${conversationId}/messages`, { data: { id: uuidv7(), content } })
  expect(answer.ok(), await answer.text()).toBe(true)
}
