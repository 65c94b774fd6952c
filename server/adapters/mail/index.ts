import type { Config } from '#server/config.ts'
import type { Mailer } from '#server/kernel/mail.ts'
import { createOutbox, outboxFolder } from './outbox.ts'
import { createSmtpMailer } from './smtp.ts'

export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mailer {
  return config.smtpUrl
    ? createSmtpMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
    : createOutbox({ folder: outboxFolder(config.dataDir), from: config.mailFrom })
}
