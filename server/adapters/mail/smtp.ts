import { createTransport } from 'nodemailer'
import { ServiceAwayError } from '#server/kernel/jobs.ts'
import type { Mailer } from '#server/kernel/mail.ts'

type Limits = { connectMs: number; totalMs: number }

/** `connectMs` covers DNS, connection and greeting; `totalMs` covers everything until the email is accepted. */
export const smtpLimits: Limits = { connectMs: 8_000, totalMs: 10_000 }

/** More than the jobs that send concurrently, so that emails don't wait for each other. */
const maxConnections = 15

/** Sends mail through the operator's server. `smtps://` encrypts from the start, `smtp://` when the server offers STARTTLS. */
export function createSmtpMailer(settings: { smtpUrl: string; from: string }, { connectMs, totalMs } = smtpLimits): Mailer {
  const transport = createTransport(
    {
      url: settings.smtpUrl,
      pool: true,
      maxConnections,
      // Retry once if the server closed an idle connection.
      maxRequeues: 1,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      // Emails are our own text and must not make this process read files or fetch URLs.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: settings.from },
  )
  return {
    async send({ to, subject, text, headers, attachments = [] }) {
      try {
        await transport.sendMail({
          // As an object, so that a comma in an address can't create two recipients.
          to: { name: '', address: to },
          subject,
          text,
          headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          attachments: [...attachments],
          signal: AbortSignal.timeout(totalMs),
        })
      } catch (error) {
        throw explained(error as SmtpError, totalMs)
      }
    },
    // Nothing is stored here.
    async forget() {
      return 0
    },
    async close() {
      transport.close()
    },
  }
}

type SmtpError = Error & { code?: string; syscall?: string; responseCode?: number }

/** Errors before an email is handed over, which affect every email. */
const awayCodes = ['EDNS', 'ETIMEDOUT', 'ETLS', 'EAUTH']
const closingResponse = 421

function explained(error: SmtpError, totalMs: number): Error {
  const { code = '', syscall, responseCode, message } = error
  if (code === 'EABORT') return new Error(`The mail server did not accept the email within ${totalMs / 1000} s.`, { cause: error })
  const isAway = awayCodes.includes(code) || syscall === 'connect' || responseCode === closingResponse
  return isAway ? new ServiceAwayError(`The mail server is unavailable (${message}).`, { cause: error }) : error
}
