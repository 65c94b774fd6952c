export type Mail = {
  to: string
  subject: string
  text: string
  /** Beyond those that every mail has. */
  headers?: Record<string, string>
  attachments?: readonly Attachment[]
}

export type Attachment = { filename: string; contentType: string; content: Buffer }

/** Sends one mail, or throws when it could not be handed over; the job that called tries again. */
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** Removes what is kept here of mail that names somebody by their address or id; answers how many. What was handed over is elsewhere. */
  forget(names: readonly string[]): Promise<number>
  close(): Promise<void>
}
