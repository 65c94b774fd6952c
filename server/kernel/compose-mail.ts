import type { Brand } from '#contracts/brand.ts'
import type { Mail } from './mail.ts'

/** Composes a plain-text mail. The subject starts with the sender's name, and the text ends with it and the support address. */
export function composeMail(
  sender: Pick<Brand, 'name' | 'supportEmail'>,
  to: string,
  subject: string,
  paragraphs: readonly string[],
): Mail {
  const signature = `${sender.name} · ${sender.supportEmail}`
  return { to, subject: `${sender.name}: ${subject}`, text: `${[...paragraphs, signature].join('\n\n')}\n` }
}

/** Names, titles and reasons are user input, and must not start a line that looks like ours. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
