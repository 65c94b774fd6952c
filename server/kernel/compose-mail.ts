import type { Brand } from '../../contracts/brand.ts'
import type { Mail } from './mail.ts'

/** A plain mail from us: the subject begins with who we are, and the text ends with it and where to write. */
export function composeMail(
  sender: Pick<Brand, 'name' | 'supportEmail'>,
  to: string,
  subject: string,
  paragraphs: readonly string[],
): Mail {
  const signature = `${sender.name} · ${sender.supportEmail}`
  return { to, subject: `${sender.name}: ${subject}`, text: `${[...paragraphs, signature].join('\n\n')}\n` }
}

/** A name, a title or a reason is somebody's words: they cannot begin a line that looks like ours. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
