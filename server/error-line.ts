/** An error about an invalid command or configuration, with a human-readable message. */
export class UserFacingError extends Error {
  override name = 'UserFacingError'
}

/** A message about an error that ended the process. Also covers database and network errors, whose messages aren't meant for people. */
export function errorLine(error: unknown): string {
  if (error instanceof UserFacingError) return error.message
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (code === '57P01' || code === 'ECONNRESET' || message === 'Connection terminated unexpectedly') {
    return 'The connection to the database was lost.'
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `The database can't be reached (${message || code}). Check DATABASE_URL.`
  if (code === '28P01' || code === '28000') return `The database rejected our sign-in (${message}). Check DATABASE_URL.`
  if (code === '3D000') return `The database doesn't exist (${message}). Create it, or check DATABASE_URL.`
  return cause instanceof Error ? `${message} (${cause.message})` : String(message ?? error)
}
