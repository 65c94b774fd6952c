import { expect } from '@playwright/test'
import { listOutbox, outboxFolder } from '#server/adapters/mail/index.ts'

/** Of the emails to an address, the text of the last one that contains `words`. Waits for the job that writes the email. */
export async function mailTo(email: string, words: string): Promise<string> {
  const dataDir = process.env.E2E_DATA_DIR
  if (!dataDir) throw new Error('E2E_DATA_DIR must name the data folder of the server under test')
  let text: string | undefined
  await expect(async () => {
    const mails = await listOutbox(outboxFolder(dataDir))
    text = mails.find((mail) => mail.to === email && mail.text.includes(words))?.text
    expect(text).toBeDefined()
  }).toPass({ timeout: 20_000 })
  return text as string
}

/** The path of the link that contains `words`, in the last email to an address. */
export async function mailedLink(email: string, words: string): Promise<string> {
  const text = await mailTo(email, words)
  const { pathname, search } = new URL(text.split(/\s/).find((word) => word.startsWith('http') && word.includes(words)) ?? '')
  return `${pathname}${search}`
}
