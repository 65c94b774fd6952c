import { expect, type Locator, type Page } from '@playwright/test'
import { uuidv7 } from 'uuidv7'

export { expect }

export const composer = (page: Page, name: string): Locator => page.getByRole('textbox', { name: `Message to ${name}` })

/** Messages in the open conversation, oldest first, including those waiting to be sent. */
export const shownMessages = (page: Page): Locator => page.locator('[data-message]')

export const messagesLink = (page: Page, unread: number): Locator =>
  page.getByRole('banner').getByRole('link', { name: unread === 0 ? 'Messages' : `Messages, ${unread} unread`, exact: true })

export async function send(page: Page, conversationId: string, content: string): Promise<void> {
  const answer = await page.request.post(`/api/conversations/${conversationId}/messages`, { data: { id: uuidv7(), content } })
  expect(answer.ok(), await answer.text()).toBe(true)
}
