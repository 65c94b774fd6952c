import { listOutbox, outboxFolder, type StoredMail } from '#server/adapters/mail/index.ts'
import type { TestApp } from './test-app.ts'

/** Emails to an address, latest first, after running the queued jobs. */
export async function mailsTo(test: Pick<TestApp, 'dataDir' | 'runJobs'>, address: string): Promise<StoredMail[]> {
  await test.runJobs()
  return (await listOutbox(outboxFolder(test.dataDir), 1000)).filter((mail) => mail.to === address)
}

/** @throws if no email exists */
export async function latestMailTo(test: Pick<TestApp, 'dataDir' | 'runJobs'>, address: string): Promise<StoredMail> {
  const [latest] = await mailsTo(test, address)
  if (!latest) throw new Error(`Nothing was mailed to ${address}.`)
  return latest
}
