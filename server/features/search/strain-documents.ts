import { createHash } from 'node:crypto'
import type { SearchDocument } from '../../kernel/search.ts'
import { allStrains, nameKey, type Strain } from '../strains/index.ts'
import { strainQuality, withBrevity } from './quality.ts'

/** Strains have no table, and so no ids: one that follows from the name, in the form of a UUID of version 8. */
export function strainId(name: string): string {
  const hex = createHash('sha256')
    .update(`strain ${nameKey(name)}`)
    .digest('hex')
  const variant = '89ab'[Number.parseInt(hex[16] as string, 16) % 4]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

let strains: ReadonlyMap<string, Strain> | null = null

export function strainsById(): ReadonlyMap<string, Strain> {
  strains ??= new Map(allStrains().map((strain) => [strainId(strain.name), strain]))
  return strains
}

export const strainDocuments = (): SearchDocument[] =>
  [...strainsById()].map(([id, { name, type, breeder }]) => ({
    id,
    kind: 'strain',
    title: name,
    names: breeder === null ? [] : [breeder],
    text: type ?? '',
    quality: withBrevity(strainQuality, name),
    state: null,
    businessType: null,
    pin: null,
    isCommonKnowledge: true,
  }))
