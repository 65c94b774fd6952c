import { createTransport } from 'nodemailer'
import { ServiceAwayError } from '../../kernel/jobs.ts'
import type { Mailer } from '../../kernel/mail.ts'

type Limits = { connectMs: number; totalMs: number }

/** `connectMs` is for the name, the connection and the greeting; `totalMs` for all of it until the mail is taken. */
export const smtpLimits: Limits = { connectMs: 8_000, totalMs: 10_000 }

/** More than the jobs that send at once, so that no mail spends its time waiting for another one. */
const maxConnections = 15

/** Hands mail to the operator's server. `smtps://` encrypts from the start, `smtp://` as soon as the server offers it. */
export function createSmtpMailer(settings: { smtpUrl: string; from: string }, { connectMs, totalMs } = smtpLimits): Mailer {
  const transport = createTransport(
    {
      url: settings.smtpUrl,
      pool: true,
      maxConnections,
      // A connection that the server closed while it was idle is not the mail's fault.
      maxRequeues: 1,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      // A mail is text that we wrote: nothing in it may make this process read a file or fetch an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: settings.from },
  )
  return {
    async send({ to, subject, text, headers, attachments = [] }) {
      try {
        await transport.sendMail({
          // An object, so that a comma in an address cannot make two recipients of it.
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
    // Nothing is kept here.
    async forget() {
      return 0
    },
    async close() {
      transport.close()
    },
  }
}

type SmtpError = Error & { code?: string; syscall?: string; responseCode?: number }

/** What fails before a mail is handed over fails for every mail. */
const awayCodes = ['EDNS', 'ETIMEDOUT', 'ETLS', 'EAUTH']
const closingResponse = 421

function explained(error: SmtpError, totalMs: number): Error {
  const { code = '', syscall, responseCode, message } = error
  if (code === 'EABORT') return new Error(`The mail server did not take the mail within ${totalMs / 1000} s.`, { cause: error })
  const isAway = awayCodes.includes(code) || syscall === 'connect' || responseCode === closingResponse
  return isAway ? new ServiceAwayError(`The mail server is away (${message}).`, { cause: error }) : error
}
