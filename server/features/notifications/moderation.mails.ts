import { composeMail } from '../../kernel/compose-mail.ts'
import type { Context } from '../../kernel/context.ts'
import type { Mail } from '../../kernel/mail.ts'
import { standingPath } from './notifications.view.ts'

const texts = {
  acted: ['a decision about your account', 'The moderators decided something about what you wrote or about your account.'],
  undone: ['a decision was taken back', 'The moderators took back a decision about what you wrote or about your account.'],
  appeal: ['your appeal was decided', 'Somebody else than before looked at your appeal and decided it.'],
} as const

type ModerationNews = { what: keyof typeof texts; actionId: string }

/** That there is something to read, and where: what it was about stays on the site. */
export function moderationMail({ brand, config }: Pick<Context, 'brand' | 'config'>, to: string, { what, actionId }: ModerationNews): Mail {
  const [subject, sentence] = texts[what]
  return composeMail(brand, to, subject, [sentence, `What, why, and how to appeal: ${config.publicUrl}${standingPath(actionId)}`])
}
