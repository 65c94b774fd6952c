import type { Config } from '../../config.ts'
import type { Mailer } from '../../kernel/mail.ts'
import { createOutbox, outboxFolder } from './outbox.ts'
import { createSmtpMailer } from './smtp.ts'

/** The operator's mail server, or the folder `outbox` in the data folder when there is none. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'dataDir'>): Mailer {
  return config.smtpUrl
    ? createSmtpMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom })
    : createOutbox({ folder: outboxFolder(config.dataDir), from: config.mailFrom })
}
