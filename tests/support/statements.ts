import pg from 'pg'
import { vi } from 'vitest'

/** Texts of the statements the server runs during the work, except those that read the session. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls
      .map(([given]) => (typeof given === 'string' ? given : (given as { text: string }).text))
      .filter((text) => !/from sessions|update sessions/.test(text))
  } finally {
    query.mockRestore()
  }
}
