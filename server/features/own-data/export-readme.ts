import type { Brand } from '../../../contracts/brand.ts'
import { graceDays } from '../../../contracts/own-data.ts'
import { camelCase, exportedColumns } from './export-rows.ts'
import type { Part, TableMap } from './map/index.ts'

/** One file of the export, as its index names it. */
export type FileNote = {
  file: string
  about: string
  rows: number
  fields: string[]
  leftOut: Record<string, string>
}

export const noteOf = (file: string, { about }: TableMap, part: Part, columns: readonly string[], rows: number): FileNote => ({
  file,
  about,
  rows,
  fields: exportedColumns(part, columns).map(camelCase),
  leftOut: Object.fromEntries(Object.entries(part.leftOut ?? {}).map(([column, why]) => [camelCase(column), why])),
})

type Told = {
  brand: Brand
  at: Date
  email: string
  mediaCount: number
  missing: readonly string[]
  businesses: readonly string[]
}

export function readme({ brand, at, email, mediaCount, missing, businesses }: Told): string {
  const lines = [
    `${brand.name}: what is stored about ${email}`,
    `As it was on ${at.toISOString()} (UTC).`,
    '',
    'data/          one file a subject, each a list in JSON. data/schema.json says what each file holds,',
    '               which fields a row has, which are left out and why, and what is not in here at all.',
    `media/         ${mediaCount} pictures, videos and documents you uploaded, by the id that data/media.json lists. Pictures`,
    '               are as we keep them: made anew without place and camera, at most 1600 pixels wide.',
    'hunts/         Your hunts as documents that can be imported again. One that is too large for that is in data/ alone.',
    ...(businesses.length > 0 ? [`businesses/    the businesses that you own: ${businesses.join(', ')}.`] : []),
    '',
    'Times are ISO 8601 in UTC, lengths, temperatures and weights are in SI units, money is in cents.',
    'Ids are those of the site. Ids of others stand where a row refers to them; their words are not in here.',
    `Deleting the account takes all of this out of the site after ${graceDays} days; see Settings, Your data.`,
    ...(missing.length > 0 ? ['', `Not found in the storage: ${missing.join(', ')}.`] : []),
    '',
    `Questions: ${brand.supportEmail}`,
  ]
  return `${lines.join('\n')}\n`
}
