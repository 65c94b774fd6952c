import { newId } from '../../kernel/ids.ts'
import { type Deed, daysBefore, type Loading } from './loading.ts'

/** What is older has been read; nobody is told of what is older than a month. */
const unreadDays = 3
const keptDays = 30

/** Tells those concerned of what was done, as if they had looked three days ago. Nothing of it goes out by mail or push. */
export async function addNotifications({ tx, now }: Loading, deeds: readonly Deed[]): Promise<void> {
  const lastLook = daysBefore(now, unreadDays)
  const groups = new Map<string, { userId: string; deeds: Deed[] }>()
  for (const deed of deeds.filter(({ at }) => at > daysBefore(now, keptDays)).toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    for (const userId of deed.tells.filter((id) => id !== deed.actorId)) {
      const key = `${userId} ${deed.groupKey} ${deed.at > lastLook}`
      const group = groups.get(key) ?? { userId, deeds: [] }
      group.deeds.push(deed)
      groups.set(key, group)
    }
  }
  const told = [...groups.values()].map((group) => ({
    ...group,
    id: newId(),
    latest: group.deeds.at(-1) as Deed,
    actors: actorsOf(group.deeds),
  }))
  await tx
    .insertInto('notifications')
    .values(
      told.map(({ id, userId, latest, actors }) => ({
        id,
        user_id: userId,
        type: latest.type,
        group_key: latest.groupKey,
        business_id: latest.businessId ?? null,
        post_id: latest.postId ?? null,
        comment_id: latest.commentId ?? null,
        review_id: latest.reviewId ?? null,
        actor_id: latest.actorId,
        // A post is news of its own; what a business does counts as one.
        actors_count: isPost(latest) ? 0 : Math.max(actors.size, 1),
        is_read: latest.at <= lastLook,
        created_at: latest.at,
        mailed_at: latest.at,
        pushed_at: latest.at,
      })),
    )
    .execute()
  const actors = told.flatMap(({ id, latest, actors }) =>
    isPost(latest) ? [] : [...actors].map(([userId, at]) => ({ notification_id: id, user_id: userId, created_at: at })),
  )
  await tx.insertInto('notification_actors').values(actors).execute()
}

const isPost = ({ groupKey }: Deed) => groupKey.startsWith('post:')

const actorsOf = (deeds: readonly Deed[]): Map<string, Date> =>
  new Map(deeds.flatMap(({ actorId, at }) => (actorId === null ? [] : [[actorId, at]])))
