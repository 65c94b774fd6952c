import fs from 'node:fs/promises'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import * as z from 'zod/mini'
import type { Config } from '#server/config.ts'
import { newId } from '#server/kernel/ids.ts'
import { ServiceUnavailableError } from '#server/kernel/jobs.ts'
import type { Mail, Mailer } from '#server/kernel/mail.ts'
import { mentionsAny } from '#server/kernel/own-data.ts'

export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mailer {
  return config.smtpUrl
    ? createSmtpMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
    : createOutbox({ folder: outboxFolder(config.dataDir), from: config.mailFrom })
}

type Limits = { connectMs: number; totalMs: number }

/** `connectMs` limits each of DNS, connection and greeting. `totalMs` covers everything until the server accepts the email. */
export const smtpLimits: Limits = { connectMs: 8_000, totalMs: 10_000 }

/** More connections than jobs that send concurrently, so emails don't wait for each other. */
const maxConnections = 15

/** Sends mail through the operator's server. `smtps://` encrypts from the start, `smtp://` only if the server offers STARTTLS. */
export function createSmtpMailer(settings: { smtpUrl: string; from: string }, { connectMs, totalMs } = smtpLimits): Mailer {
  const transport = createTransport(
    {
      url: settings.smtpUrl,
      pool: true,
      maxConnections,
      // Retries once if the server closed an idle connection.
      maxRequeues: 1,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      // Emails must not make this process read files or fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: settings.from },
  )
  return {
    async send({ to, subject, text, headers, attachments = [] }) {
      try {
        await transport.sendMail({
          // Passed as an object, so a comma in an address can't create two recipients.
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          attachments: [...attachments],
          signal: AbortSignal.timeout(totalMs),
        })
      } catch (error) {
        throw describeSmtpError(error as SmtpError, totalMs)
      }
    },
    async forget() {
      return 0
    },
    async close() {
      transport.close()
    },
  }
}

type SmtpError = Error & { code?: string; syscall?: string; responseCode?: number }

/** Errors that occur before the server receives an email and would affect every other email. */
const unavailableCodes = ['EDNS', 'ETIMEDOUT', 'ETLS', 'EAUTH']
const closingResponse = 421

function describeSmtpError(error: SmtpError, totalMs: number): Error {
  const { code = '', syscall, responseCode, message } = error
  if (code === 'EABORT') return new Error(`The mail server did not accept the email within ${totalMs / 1000} s.`, { cause: error })
  const isUnavailable = unavailableCodes.includes(code) || syscall === 'connect' || responseCode === closingResponse
  return isUnavailable ? new ServiceUnavailableError(`The mail server is unavailable (${message}).`, { cause: error }) : error
}

export const StoredMail = z.object({
  id: z.string(),
  sentAt: z.iso.datetime(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  headers: z.optional(z.record(z.string(), z.string())),
  about: z.optional(z.array(z.string())),
  /** Base64. */
  attachments: z.optional(z.array(z.object({ filename: z.string(), contentType: z.string(), content: z.string() }))),
})
export type StoredMail = z.infer<typeof StoredMail>

const maxStoredMails = 500

export const outboxFolder = (dataDir: string): string => path.join(dataDir, 'outbox')

const isMailFile = (name: string) => /^[0-9a-f-]{36}\.json$/.test(name)

/** Writes emails to files that only this user can read, because the links give access to accounts. Above the limit, deletes the oldest. */
export function createOutbox({ folder, from, limit = maxStoredMails }: { folder: string; from: string; limit?: number }): Mailer {
  return {
    async send({ attachments, about, ...mail }: Mail) {
      await fs.mkdir(folder, { recursive: true, mode: 0o700 })
      // IDs start with the time, so names sort by age.
      const stored: StoredMail = { id: newId(), sentAt: new Date().toISOString(), from, ...mail }
      if (about && about.length > 0) stored.about = [...about]
      if (attachments) stored.attachments = attachments.map((each) => ({ ...each, content: each.content.toString('base64') }))
      const file = path.join(folder, `${stored.id}.json`)
      // Renames complete files, so readers never see a partial one.
      await fs.writeFile(`${file}.part`, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })
      await fs.rename(`${file}.part`, file)
      const names = await mailFiles(folder)
      await Promise.all(names.slice(limit).map((name) => fs.rm(path.join(folder, name), { force: true })))
    },
    async forget(names) {
      let forgotten = 0
      for (const file of await mailFiles(folder)) {
        const text = await fs.readFile(path.join(folder, file), 'utf8').catch(() => '')
        if (!mentionsAny(text, names)) continue
        await fs.rm(path.join(folder, file), { force: true })
        forgotten += 1
      }
      return forgotten
    },
    async close() {},
  }
}

/** Newest first. Skips files that aren't stored emails. */
export async function listOutbox(folder: string, limit = maxStoredMails): Promise<StoredMail[]> {
  const names = (await mailFiles(folder)).slice(0, limit)
  const mails = await Promise.all(names.map((name) => readMail(path.join(folder, name))))
  return mails.filter((mail) => mail !== null)
}

/** Newest first. */
async function mailFiles(folder: string): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).filter(isMailFile).sort().reverse()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function readMail(file: string): Promise<StoredMail | null> {
  try {
    return StoredMail.safeParse(JSON.parse(await fs.readFile(file, 'utf8'))).data ?? null
  } catch {
    return null
  }
}
