import pg from 'pg'

/**
 * The number of named statements; each connection caches the plans of those it has run. Our own statements number a few hundred. The
 * limit protects against a text built from user input, should one slip in.
 */
const maxNames = 2000
/** A statement is named on its second use, so that one-off texts (such as an import's last partial batch) take no slot. */
const maxSeenOnce = 2000

/**
 * Assigns names to the texts of parameterized queries, so that PostgreSQL parses and plans each only once per connection. The number
 * of names is limited; further texts run unnamed.
 */
export function createStatementNames(max = maxNames) {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  let made = 0
  return {
    nameOf(text: string): string | undefined {
      const name = names.get(text)
      if (name !== undefined) return name
      if (names.size >= max) return undefined
      if (!seenOnce.delete(text)) {
        if (seenOnce.size >= maxSeenOnce) seenOnce.clear()
        seenOnce.add(text)
        return undefined
      }
      const fresh = `s${made++}`
      names.set(text, fresh)
      return fresh
    },
    /** The next use gets a new name, and so a new plan on every connection. */
    forget(text: string): void {
      names.delete(text)
    },
  }
}

/** A newer process's migration changed the columns of a prepared `select *`. Only a new statement helps. */
function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/**
 * A pg client that runs every parameterized query as a named prepared statement, an option that Kysely lacks. All connections of a
 * pool use the same names.
 */
export function preparingClient(): typeof pg.Client {
  const statements = createStatementNames()
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the signature of an overloaded method of pg
    override query(query: any, values?: any, callback?: any): any {
      if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) return super.query(query, values, callback)
      const name = statements.nameOf(query)
      if (name === undefined) return super.query(query, values, callback)
      const answer = super.query({ name, text: query, values }, callback)
      if (callback === undefined) {
        answer.catch((error: unknown) => {
          if (isStalePlan(error)) statements.forget(query)
        })
      }
      return answer
    }
  }
}
