import type { ProfileEdits } from '../../../contracts/settings.ts'
import type { Tx } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { screenWords, type Writer } from '../screening/index.ts'
import type { CurrentUserRow } from './accounts.view.ts'

/**
 * Holds what somebody says of themselves against the rules, each field for itself. To hold a profile would take the name from everything
 * they wrote: words that a post would be held for are refused, all of them at once. What stood there before stays: a moderator may have
 * approved it.
 * @throws AppError invalid_input
 */
export async function requireCleanProfile(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  writer: Writer,
  before: CurrentUserRow,
  words: Omit<ProfileEdits, 'imageId'>,
): Promise<void> {
  const fields = [
    { field: 'displayName', text: words.displayName, old: before.display_name },
    { field: 'firstName', text: words.firstName, old: before.first_name },
    { field: 'lastName', text: words.lastName, old: before.last_name },
    { field: 'location', text: words.location, old: before.location },
    { field: 'bio', text: words.bio, old: before.bio },
    { field: 'interests', text: words.interests?.join('\n'), old: before.interests.join('\n') },
  ]
  const refused: Record<string, string> = {}
  for (const { field, text, old } of fields) {
    if (!text || text === old) continue
    try {
      await screenWords(tx, ctx, writer, { kind: 'profile', texts: [text], before: old ? [old] : [], field })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'invalid_input')) throw error
      refused[field] = error.message
    }
  }
  const [message] = Object.values(refused)
  if (message !== undefined) throw new AppError('invalid_input', { message, fields: refused })
}
