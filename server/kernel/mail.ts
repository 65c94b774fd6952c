export type Mail = {
  to: string
  subject: string
  text: string
  /** In addition to the standard ones. */
  headers?: Record<string, string>
  attachments?: readonly Attachment[]
}

export type Attachment = { filename: string; contentType: string; content: Buffer }

/** Sends a mail, or throws if it couldn't be handed over; the calling job retries. */
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** Deletes stored mail that contains one of these addresses or IDs. Returns the number. Mail already handed over is out of reach. */
  forget(names: readonly string[]): Promise<number>
  close(): Promise<void>
}
