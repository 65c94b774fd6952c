import { expect } from '@playwright/test'
import { listOutbox, outboxFolder } from '#server/adapters/mail/index.ts'

/** The path of the link that contains `words`, in the last email to an address. Waits for the job that writes the email. */
export async function mailedLink(email: string, words: string): Promise<string> {
  const dataDir = process.env.E2E_DATA_DIR
  if (!dataDir) throw new Error('E2E_DATA_DIR must name the data folder of the server under test')
  let link = new URL('about:blank')
  await expect(async () => {
    const mails = await listOutbox(outboxFolder(dataDir))
    const text = mails.find((mail) => mail.to === email && mail.text.includes(words))?.text ?? ''
    link = new URL(text.split(/\s/).find((word) => word.startsWith('http') && word.includes(words)) ?? '')
  }).toPass({ timeout: 20_000 })
  return `${link.pathname}${link.search}`
}
