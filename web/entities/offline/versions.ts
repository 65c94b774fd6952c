import type { PendingWrite } from './use-outbox.ts'

export type FieldVersions = { name: string; label: string; mine: unknown; theirs: unknown; isDifferent: boolean }

type RefusedEntry = Pick<PendingWrite, 'body' | 'hold'> & { labels: Record<string, string> }

/** Fields of a held entry: the person's value and, in a conflict, the server's. Only fields that were written. */
export function versionsOf({ body, hold, labels }: RefusedEntry): FieldVersions[] {
  const theirs = hold?.kind === 'conflict' ? hold.theirs : null
  return Object.entries(labels).flatMap(([name, label]) => {
    if (!(name in body)) return []
    const mine = body[name]
    const other = theirs?.[name]
    return [{ name, label, mine, theirs: other, isDifferent: theirs !== null && words(mine) !== words(other) }]
  })
}

export function words(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'Nothing'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.length === 0 ? 'Nothing' : value.map(words).join(', ')
  if (typeof value === 'object') {
    const { name, title, label } = value as Record<string, unknown>
    return words(name ?? title ?? label)
  }
  return String(value)
}

/** Input type of correctable values: numbers and text. `number` also if only the other version is one. */
export function inputKind({ mine, theirs }: Pick<FieldVersions, 'mine' | 'theirs'>): 'number' | 'text' | null {
  const known = mine ?? theirs
  return typeof known === 'number' ? 'number' : typeof known === 'string' ? 'text' : null
}

export function typedValue(kind: 'number' | 'text', text: string): string | number | null {
  if (kind === 'text') return text.trim()
  if (text.trim() === '') return null
  const number = Number(text.trim().replace(',', '.'))
  return Number.isFinite(number) ? number : text
}
