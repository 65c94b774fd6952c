import { LRUCache } from 'lru-cache'

const cache = new LRUCache<string, string>({ max: 3000 })

const target = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_][\w.]*)"?/i

/** A statement's verb and first table, such as `select posts`. Never contains values. */
export function statementName(text: string): string {
  const known = cache.get(text)
  if (known !== undefined) return known
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'query'
  const table = target.exec(text)?.[1]
  const name = table ? `${verb} ${table}` : verb
  cache.set(text, name)
  return name
}
