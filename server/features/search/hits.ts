import { type BusinessType, businessTypeLabels } from '#contracts/business-types.ts'
import type { SearchHit, SearchKind } from '#contracts/search.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { toPerson } from '#server/features/people/index.ts'
import type { Viewer } from '#server/features/posts/index.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { bylinePicture } from '#server/kernel/media-address.ts'
import { type SearchMatch, wordsOf } from '#server/kernel/search.ts'
import { businessRows, communityRows, personRows, postRows, productRows } from './hits.queries.ts'
import { strainsById } from './index-subjects.ts'

type Found = Omit<SearchHit, 'kind' | 'snippet' | 'distanceMiles' | 'isAlike' | 'matched'> & {
  text: string | null
}

const nothing = {
  subtitle: null,
  imageUrl: null,
  businessType: null,
  location: null,
  rating: null,
  createdAt: null,
  isDemo: false,
  text: null,
}

const said = (...parts: (string | null)[]) => parts.filter(Boolean).join(' · ') || null
const label = (type: BusinessType) => businessTypeLabels[type]

type Load = (db: Db, viewer: Viewer, ids: readonly string[]) => Promise<Found[]>

const load: Record<SearchKind, Load> = {
  business: async (db, viewer, ids) =>
    (await businessRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: row.name,
      subtitle: label(row.type),
      path: `/business/${row.slug}`,
      imageUrl: bylinePicture(row.image_id),
      businessType: row.type,
      location: row.location,
      rating: row.total_ratings === 0 ? null : { average: row.average_rating, count: row.total_ratings },
      isDemo: row.is_demo,
      text: row.description,
    })),
  product: async (db, viewer, ids) =>
    (await productRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: row.name,
      subtitle: said(row.brand ?? row.strain, row.business_name),
      path: `/business/${row.slug}`,
      imageUrl: bylinePicture(row.image_id),
      businessType: row.type,
      location: row.location,
      isDemo: row.is_demo,
      text: row.description,
    })),
  post: async (db, viewer, ids) =>
    (await postRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.post_id,
      title: row.title,
      subtitle: said(row.business_name ?? toPerson(row).name, row.community_name),
      path: `/post/${row.post_id}`,
      imageUrl: bylinePicture(row.picture_id),
      businessType: row.business_type,
      location: row.business_location,
      createdAt: row.created_at.toISOString(),
      isDemo: row.is_demo,
      text: row.content,
    })),
  person: async (db, viewer, ids) =>
    (await personRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: toPerson(row).name,
      path: `/people/${row.id}`,
      imageUrl: toPerson(row).imageUrl,
      location: row.allow_location_sharing ? row.location : null,
      isDemo: row.is_demo,
      text: row.bio,
    })),
  community: async (db, viewer, ids) =>
    (await communityRows(db, viewer, ids).execute()).map((row) => ({
      ...nothing,
      id: row.id,
      title: row.name,
      subtitle: `${row.member_count.toLocaleString('en-US')} ${row.member_count === 1 ? 'member' : 'members'}`,
      path: `/communities/${row.slug}`,
      imageUrl: bylinePicture(row.image_id),
      isDemo: row.is_demo,
      text: row.description,
    })),
  strain: async (_db, _viewer, ids) =>
    ids.flatMap((id) => {
      const strain = strainsById().get(id)
      if (!strain) return []
      // Strains have no page, so they link to a search for products.
      const path = `/search?q=${encodeURIComponent(strain.name)}&kind=product`
      return [{ ...nothing, id, title: strain.name, subtitle: said(strain.type, strain.breeder), path }]
    }),
}

/** Matches the viewer may see, in the order given. */
export async function readHits(
  db: Db,
  viewer: Viewer,
  matches: readonly SearchMatch[],
  words: readonly string[],
): Promise<{ hit: SearchHit; match: SearchMatch }[]> {
  const byKind = Map.groupBy(matches, ({ kind }) => kind)
  const found = await Promise.all([...byKind].map(([kind, of]) => load[kind](db, viewer, idsOf(of))))
  const byId = new Map(found.flat().map((each) => [each.id, each]))
  return matches.flatMap((match) => {
    const each = byId.get(match.id)
    if (!each) return []
    const { text, ...rest } = each
    return [
      {
        match,
        hit: {
          ...rest,
          kind: match.kind,
          ...aboutMatch(match),
          snippet: snippetOf(text, words),
          matched: matchedRanges(rest.title, words),
        },
      },
    ]
  })
}

const aboutMatch = ({ isAlike, distanceMiles }: SearchMatch) => ({
  isAlike,
  distanceMiles: distanceMiles === null ? null : Math.round(distanceMiles * 10) / 10,
})

/** A word in a text, including marks and apostrophes that matching ignores. */
const standing = /[\p{L}\p{N}\p{M}'‘’ʻ`´]+/gu

/** Ranges of the matching prefixes of words, in UTF-16 code units. */
export function matchedRanges(text: string, words: readonly string[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const { 0: whole, index } of text.matchAll(standing)) {
    const found = maxPrefixLength(wordsOf(whole).join(''), words)
    if (found === null) continue
    const start = index + whole.search(/[\p{L}\p{N}]/u)
    ranges.push([start, start + lengthIn(text.slice(start, index + whole.length), found)])
  }
  return ranges
}

function maxPrefixLength(word: string, words: readonly string[]): string | null {
  const fitting = words.filter((asked) => word.startsWith(asked))
  return fitting.length === 0 ? null : fitting.reduce((one, other) => (other.length > one.length ? other : one))
}

/** The length of the written prefix that folds to `folded`: "bouf" matches the first four letters of "Bouffée". */
function lengthIn(written: string, folded: string): number {
  let length = 0
  let said = ''
  for (const character of written) {
    if (said.length >= folded.length && !/\p{M}/u.test(character)) break
    said += foldText(character).replace(/'/g, '')
    length += character.length
  }
  return length
}

const snippetLength = 160
const before = 50

/** A one-line excerpt around the first match, or the start of the text. Null if there is no text. */
export function snippetOf(text: string | null, words: readonly string[]): string | null {
  const line = (text ?? '').replace(/\s+/g, ' ').trim()
  if (line === '') return null
  const found = matchedRanges(line.slice(0, 5000), words)[0]?.[0] ?? 0
  const start = found <= before ? 0 : afterBlank(line, found - before)
  const end = line.length - start <= snippetLength ? line.length : beforeBlank(line, start + snippetLength)
  return `${start > 0 ? '…' : ''}${line.slice(start, end).trim()}${end < line.length ? '…' : ''}`.toWellFormed()
}

/** Moves to a word boundary, if there is one. */
function afterBlank(line: string, at: number): number {
  const blank = line.indexOf(' ', at)
  return blank === -1 || blank > at + before ? at : blank + 1
}

function beforeBlank(line: string, at: number): number {
  const blank = line.lastIndexOf(' ', at)
  return blank < at - before ? at : blank
}
