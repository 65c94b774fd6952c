import type { Brand } from '../../../contracts/brand.ts'
import { composeMail } from '../../kernel/compose-mail.ts'
import type { Mail } from '../../kernel/mail.ts'

/** Discreet, like all that we mail: neither the business nor a word of the post. */
export function refusedPostMail({ brand, to, reason, link }: { brand: Brand; to: string; reason: string; link: string }): Mail {
  return composeMail(brand, to, 'something you scheduled was not published', [
    'What you scheduled was not published at its time:',
    reason,
    `It is kept as a draft. Change it or schedule it anew here:\n${link}`,
  ])
}
