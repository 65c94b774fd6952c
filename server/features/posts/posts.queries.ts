import { sql } from 'kysely'
import type { PostType } from '../../../contracts/posts.ts'
import type { Db } from '../../db/connect.ts'

/** Posts that advertise: only for viewers of the jurisdiction's age. */
const advertising: PostType[] = ['promotion', 'product']

/** Whether a person subscribes to a business or runs it. */
export async function maySeeExclusives(db: Db, userId: string, businessId: string): Promise<boolean> {
  const { opens } = await db
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom('subscriptions').select('user_id').where('user_id', '=', userId).where('business_id', '=', businessId)),
          eb.exists(
            eb.selectFrom('business_members').select('user_id').where('user_id', '=', userId).where('business_id', '=', businessId),
          ),
        ])
        .as('opens'),
    )
    .executeTakeFirstOrThrow()
  return Boolean(opens)
}

export type PostRow = Awaited<ReturnType<typeof postRows>>[number]

type Selection = {
  businessId: string
  showsProducts: boolean
  opensExclusives: boolean
  after: readonly [createdAt: string, id: string] | null
  limit: number
}

/** The words and the picture of a locked post do not even leave the database. */
export const postRows = (db: Db, { businessId, showsProducts, opensExclusives, after, limit }: Selection) =>
  db
    .selectFrom('posts')
    .innerJoin('businesses', 'businesses.id', 'posts.business_id')
    .select((eb) => {
      const isLocked = eb.and([eb('posts.is_exclusive', '=', true), eb.val(!opensExclusives)])
      return [
        'posts.id',
        'posts.title',
        'posts.post_type',
        'posts.is_exclusive',
        'posts.likes_count',
        'posts.comments_count',
        'posts.created_at',
        'businesses.id as business_id',
        'businesses.slug as business_slug',
        'businesses.name as business_name',
        'businesses.image_url as business_image_url',
        isLocked.as('is_locked'),
        eb.case().when(isLocked).then(null).else(eb.ref('posts.content')).end().as('content'),
        eb.case().when(isLocked).then(null).else(eb.ref('posts.image_url')).end().as('image_url'),
      ]
    })
    .where('posts.business_id', '=', businessId)
    .$if(!showsProducts, (query) => query.where('posts.post_type', 'not in', advertising))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(posts.created_at, posts.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('posts.created_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(limit)
    .execute()
