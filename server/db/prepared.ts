import pg from 'pg'

/**
 * How many different statements get a name; each connection keeps each that it ran parsed and planned. Our own texts are some
 * hundreds: the bound is for a text that is put together from what people send, should one ever slip in.
 */
const mostNames = 2000
/** A statement is named when it is seen again, so that one-off texts (an import's odd last batch) take no place. */
const mostSeenOnce = 2000

/**
 * Chooses a name for the text of a parameterised query, so that PostgreSQL parses and plans it once a connection.
 * The names are bounded: texts past the bound run unnamed.
 */
export function createStatementNames(most = mostNames) {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  let made = 0
  return {
    nameOf(text: string): string | undefined {
      const name = names.get(text)
      if (name !== undefined) return name
      if (names.size >= most) return undefined
      if (!seenOnce.delete(text)) {
        if (seenOnce.size >= mostSeenOnce) seenOnce.clear()
        seenOnce.add(text)
        return undefined
      }
      const fresh = `s${made++}`
      names.set(text, fresh)
      return fresh
    },
    /** The next use gets another name, and so a new plan on every connection. */
    forget(text: string): void {
      names.delete(text)
    },
  }
}

/** A migration by a newer process changed the columns under a prepared `select *`: only a new statement helps. */
function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/**
 * The client of a pool, which runs every parameterised query as a named prepared statement; Kysely has no such option. All of a
 * pool's connections know a text by the same name.
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
