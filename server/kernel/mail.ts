import type { Brand } from '#contracts/brand.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  headers?: Record<string, string>
  attachments?: readonly Attachment[]
  /** IDs of the people named in the email, so deleting their account also deletes a stored email. Never sent. */
  about?: readonly string[]
}

export type Attachment = { filename: string; contentType: string; content: Buffer }

export type Mailer = {
  /** @throws if the email couldn't be handed over. The calling job retries. */
  send(mail: Mail): Promise<void>
  /**
   * Deletes stored emails that contain one of these addresses or IDs and returns their number. Emails already handed over can't be deleted.
   */
  forget(names: readonly string[]): Promise<number>
  close(): Promise<void>
}

/** Composes a plain-text email. The subject starts with the sender's name, and the text ends with it and the support address. */
export function composeMail(
  sender: Pick<Brand, 'name' | 'supportEmail'>,
  to: string,
  subject: string,
  paragraphs: readonly string[],
): Mail {
  const signature = `${sender.name} · ${sender.supportEmail}`
  return { to, subject: `${sender.name}: ${subject}`, text: `${[...paragraphs, signature].join('\n\n')}\n` }
}

/** Names, titles and reasons are user input, and must not start a line that looks like a part of the email. */
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
