import { type BusinessType, businessTypeLabels } from '../../../contracts/business-types.ts'
import type { SearchHit, SearchKind } from '../../../contracts/search.ts'
import type { Db } from '../../db/connect.ts'
import { bylinePicture } from '../../kernel/media-address.ts'
import type { SearchMatch } from '../../kernel/search.ts'
import { toPerson } from '../people/index.ts'
import type { Viewer } from '../posts/index.ts'
import { businessRows, communityRows, personRows, postRows, productRows } from './hits.queries.ts'
import { matchedRanges, snippetOf } from './shown-text.ts'
import { strainsById } from './strain-documents.ts'

/** A hit without what depends on the question. */
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

/** Of these ids those that the viewer may see. */
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
      // A strain has no page: its address is what is sold of it.
      const path = `/search?q=${encodeURIComponent(strain.name)}&kind=product`
      return [{ ...nothing, id, title: strain.name, subtitle: said(strain.type, strain.breeder), path }]
    }),
}

/** Of these matches those that the viewer may see, in their order. */
export async function readHits(
  db: Db,
  viewer: Viewer,
  matches: readonly SearchMatch[],
  words: readonly string[],
): Promise<{ hit: SearchHit; match: SearchMatch }[]> {
  const byKind = Map.groupBy(matches, ({ kind }) => kind)
  const found = await Promise.all(
    [...byKind].map(([kind, of]) =>
      load[kind](
        db,
        viewer,
        of.map(({ id }) => id),
      ),
    ),
  )
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
