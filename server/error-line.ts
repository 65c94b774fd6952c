/** An error that is told to people as it is, in one line: a mistake in how something was called or configured. */
export class ToldError extends Error {
  override name = 'ToldError'
}

/** What to tell a person about an error that ended the process; the database's and the network's come without words for people. */
export function errorLine(error: unknown): string {
  if (error instanceof ToldError) return error.message
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (code === '57P01' || code === 'ECONNRESET' || message === 'Connection terminated unexpectedly') {
    return 'The connection to the database was lost.'
  }
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `The database cannot be reached (${message || code}). Check DATABASE_URL.`
  if (code === '28P01' || code === '28000') return `The database refuses to sign us in (${message}). Check DATABASE_URL.`
  if (code === '3D000') return `The database does not exist (${message}). Create it, or check DATABASE_URL.`
  return cause instanceof Error ? `${message} (${cause.message})` : String(message ?? error)
}
