import { createTransport } from 'nodemailer'
import type { Mailer } from '../../kernel/mail.ts'

/** Well below the time after which the job that sends a mail counts as lost. */
const connectTimeoutMs = 10_000
const silenceTimeoutMs = 30_000

/** Hands mail to the operator's server. `smtps://` encrypts from the start, `smtp://` as soon as the server offers it. */
export function createSmtpMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url: smtpUrl,
      pool: true,
      maxConnections: 2,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      dnsTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
      // A mail is text that we wrote: nothing in it may make this process read a file or fetch an address.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return {
    async send({ to, subject, text, headers }) {
      // An object, so that a comma in an address cannot make two recipients of it.
      await transport.sendMail({
        to: { name: '', address: to },
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      })
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
