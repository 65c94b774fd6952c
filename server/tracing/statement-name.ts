import { LRUCache } from 'lru-cache'

const kept = new LRUCache<string, string>({ max: 3000 })

const target = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_][\w.]*)"?/i

/** What a statement does, and to which table first: `select posts`. Never a part of it that could be a value. */
export function statementName(text: string): string {
  const known = kept.get(text)
  if (known !== undefined) return known
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'query'
  const table = target.exec(text)?.[1]
  const name = table ? `${verb} ${table}` : verb
  kept.set(text, name)
  return name
}
