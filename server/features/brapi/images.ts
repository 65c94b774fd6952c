import { sql } from 'kysely'
import type { Media } from '#contracts/media.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { mediaOf } from '#server/features/media/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { type Asked, countedPage, type Found, infoOf, isOneOf, known, noonOf } from './asked.ts'
import { idsOfHunts } from './grown-hunts.ts'

type ImageRow = { total: number; media_id: string; hunt_id: string; plant_id: string; observation_id: string | null; on: string }

/** The address of the largest picture; undefined if it isn't ready. */
export function addressOf({ config }: Pick<Context, 'config'>, picture: Media | undefined): string | undefined {
  const file = picture?.sources.at(-1)?.webp
  return file && `${config.publicUrl}${file}`
}

/** Photos of plants. The pictures themselves are for people who are signed in, so a key reads only what is known about them. */
export async function readImages({ ctx, hunts, filter, paging }: Asked): Promise<Found> {
  const ids = pageIds(idsOfHunts(hunts))
  const { items, total } = await countedPage(
    (limit, offset) =>
      sql<ImageRow>`
        select count(*) over () as total, photos.* from (
          select media_id, hunt_id, plant_id, id as observation_id, observed_on as "on" from observations
          where hunt_id = ${ids} and media_id is not null and is_current and not is_withdrawn
          union all
          select grow_log_photos.media_id, grow_logs.hunt_id, grow_logs.plant_id, null::uuid, grow_logs.logged_on
          from grow_logs join grow_log_photos on grow_log_photos.log_id = grow_logs.id
          where grow_logs.hunt_id = ${ids} and grow_logs.plant_id is not null and grow_logs.deleted_at is null) as photos
        join media on media.id = photos.media_id and media.kind = 'image' and media.status = 'ready'
        where ${isOneOf(sql`photos.media_id`, filter.imageDbIds)} and ${isOneOf(sql`photos.plant_id`, filter.observationUnitDbIds)}
          and ${isOneOf(sql`photos.observation_id`, filter.observationDbIds)}
        order by photos.hunt_id, photos."on", photos.media_id limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )
  const media = await mediaOf(
    ctx.db,
    items.map(({ media_id }) => media_id),
  )
  const rows = items.map((row) => {
    const picture = media.get(row.media_id)
    const largest = picture?.sources.at(-1)?.webp
    return known({
      imageDbId: row.media_id,
      imageName: picture?.alt || `Photo of ${row.on}`,
      imageFileName: largest?.split('/').at(-1),
      description: picture?.alt,
      imageHeight: picture?.height,
      imageWidth: picture?.width,
      imageURL: addressOf(ctx, picture),
      mimeType: 'image/webp',
      imageTimeStamp: noonOf(row.on),
      observationUnitDbId: row.plant_id,
      observationDbIds: row.observation_id === null ? [] : [row.observation_id],
      additionalInfo: infoOf({ trialDbId: row.hunt_id }),
    })
  })
  return { rows, total }
}
