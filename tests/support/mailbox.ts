import { listOutbox, outboxFolder, type StoredMail } from '../../server/adapters/mail/outbox.ts'
import type { TestApp } from './test-app.ts'

/** What was mailed to an address, the latest first, once all that waits is done. */
export async function mailsTo(test: Pick<TestApp, 'dataDir' | 'runJobs'>, address: string): Promise<StoredMail[]> {
  await test.runJobs()
  return (await listOutbox(outboxFolder(test.dataDir), 1000)).filter((mail) => mail.to === address)
}

/** @throws when nothing was mailed there */
export async function latestMailTo(test: Pick<TestApp, 'dataDir' | 'runJobs'>, address: string): Promise<StoredMail> {
  const [latest] = await mailsTo(test, address)
  if (!latest) throw new Error(`Nothing was mailed to ${address}.`)
  return latest
}
