import { newId } from '#server/kernel/ids.ts'
import { type DemoActivity, daysBefore, type LoadContext, requireKey } from './loading.ts'

export async function addMessages(loading: LoadContext): Promise<void> {
  for (const conversation of demoConversations) await addConversation(loading, conversation)
}

async function addConversation({ tx, now, people, businesses }: LoadContext, conversation: DemoConversation): Promise<void> {
  const [first, second] = conversation.between
  const { messages, unread, isRequest = false } = conversation
  const businessId = businesses.get(second) ?? null
  const firstId = requireKey(people, first)
  const secondId = businessId === null ? requireKey(people, second) : null
  const [person_id, other_id] = secondId === null ? [firstId, null] : ([firstId, secondId].toSorted() as [string, string])
  const owner = businessId === null ? null : await ownerOf(tx, businessId)
  const idOf = (by: string) => (by === second && owner !== null ? owner : requireKey(people, by))
  const begun = daysBefore(now, messages[0]?.daysAgo ?? 0)
  const last = daysBefore(now, messages.at(-1)?.daysAgo ?? 0)
  const id = newId()
  await tx
    .insertInto('conversations')
    .values({
      id,
      person_id,
      other_id,
      business_id: businessId,
      started_by: idOf(messages[0]?.by ?? first),
      accepted_at: isRequest ? null : begun,
      last_sequence: messages.length,
      last_message_at: last,
      created_at: begun,
    })
    .execute()
  await tx
    .insertInto('messages')
    .values(
      messages.map(({ by, content, daysAgo }, place) => ({
        id: newId(),
        conversation_id: id,
        sequence: place + 1,
        sender_id: idOf(by),
        is_from_business: by === second && businessId !== null,
        content,
        created_at: daysBefore(now, daysAgo),
      })),
    )
    .execute()
  // The last sender has read everything; the other participant has read all but the last few messages.
  const lastBy = messages.at(-1)?.by
  const participant = (key: string) => {
    const isReader = key !== lastBy
    const isTeam = key === second && businessId !== null
    return {
      conversation_id: id,
      user_id: isTeam ? null : requireKey(people, key),
      business_id: isTeam ? businessId : null,
      read_sequence: messages.length - (isReader ? unread : 0),
      unread_count: isReader ? unread : 0,
      last_message_at: last,
      is_request: isRequest && isReader,
    }
  }
  await tx
    .insertInto('conversation_sides')
    .values([participant(first), participant(second)])
    .execute()
}

async function ownerOf(tx: LoadContext['tx'], businessId: string): Promise<string> {
  const { user_id } = await tx
    .selectFrom('business_members')
    .select('user_id')
    .where('business_id', '=', businessId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return user_id
}

/** `between` is two people, or a person and a business; `by` is the sender. */
type DemoConversation = {
  between: [person: string, other: string]
  /** The second participant has not accepted yet. */
  isRequest?: boolean
  /** How many of the latest messages the recipient of the last one hasn't read. */
  unread: number
  messages: { by: string; content: string; daysAgo: number }[]
}

export const demoConversations: DemoConversation[] = [
  {
    between: ['wren', 'hollis'],
    unread: 1,
    messages: [
      { by: 'hollis', content: 'Your plant three wants a stake. Left side.', daysAgo: 0.65 },
      { by: 'wren', content: 'It’s had one since this morning. It’s leaning right now.', daysAgo: 0.6 },
      { by: 'hollis', content: 'Then it was never about the stake. Send me a picture when the light is on.', daysAgo: 0.5 },
    ],
  },
  {
    between: ['wren', 'lanternfold'],
    unread: 1,
    messages: [
      { by: 'wren', content: 'Is the card from the lower terrace still in the drawer?', daysAgo: 2.2 },
      { by: 'lanternfold', content: 'It is. Beds 12 to 18, in pencil. Ask for it at the register.', daysAgo: 2 },
      { by: 'lanternfold', content: 'And someone added a second page yesterday.', daysAgo: 0.8 },
    ],
  },
  {
    between: ['desmond', 'lanternfold'],
    unread: 1,
    messages: [{ by: 'desmond', content: 'Are you open on the Friday after Thanksgiving?', daysAgo: 0.2 }],
  },
  {
    between: ['sunniva', 'theo'],
    unread: 0,
    messages: [
      { by: 'sunniva', content: 'Which of your three farms would you visit first with someone who asks too many questions?', daysAgo: 7 },
      { by: 'theo', content: 'The one in Portland. She answers in tables.', daysAgo: 6.8 },
    ],
  },
  {
    between: ['tobin', 'wren'],
    isRequest: true,
    unread: 1,
    messages: [
      { by: 'tobin', content: 'You wrote about the straight tube a while ago. May I quote you on a card in the shop?', daysAgo: 0.35 },
    ],
  },
]

/** Older notifications are read; those older than `retentionDays` aren't added. */
const unreadDays = 3
const retentionDays = 30

/** Adds notifications as if everyone had last looked three days ago. Sends no email or push. */
export async function addNotifications({ tx, now }: LoadContext, activities: readonly DemoActivity[]): Promise<void> {
  const lastLook = daysBefore(now, unreadDays)
  const groups = new Map<string, { userId: string; activities: DemoActivity[] }>()
  for (const activity of activities
    .filter(({ at }) => at > daysBefore(now, retentionDays))
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    for (const userId of activity.recipientIds.filter((id) => id !== activity.actorId)) {
      const key = `${userId} ${activity.groupKey} ${activity.at > lastLook}`
      const group = groups.get(key) ?? { userId, activities: [] }
      group.activities.push(activity)
      groups.set(key, group)
    }
  }
  const rows = [...groups.values()].map((group) => ({
    ...group,
    id: newId(),
    latest: group.activities.at(-1) as DemoActivity,
    actors: actorsOf(group.activities),
  }))
  await tx
    .insertInto('notifications')
    .values(
      rows.map(({ id, userId, latest, actors }) => ({
        id,
        user_id: userId,
        type: latest.type,
        group_key: latest.groupKey,
        business_id: latest.businessId ?? null,
        post_id: latest.postId ?? null,
        comment_id: latest.commentId ?? null,
        review_id: latest.reviewId ?? null,
        actor_id: latest.actorId,
        // A post notification has no actors; a business counts as one actor.
        actors_count: isPost(latest) ? 0 : Math.max(actors.size, 1),
        is_read: latest.at <= lastLook,
        created_at: latest.at,
        mailed_at: latest.at,
        pushed_at: latest.at,
      })),
    )
    .execute()
  const actors = rows.flatMap(({ id, latest, actors }) =>
    isPost(latest) ? [] : [...actors].map(([userId, at]) => ({ notification_id: id, user_id: userId, created_at: at })),
  )
  await tx.insertInto('notification_actors').values(actors).execute()
}

const isPost = ({ groupKey }: DemoActivity) => groupKey.startsWith('post:')

const actorsOf = (activities: readonly DemoActivity[]): Map<string, Date> =>
  new Map(activities.flatMap(({ actorId, at }) => (actorId === null ? [] : [[actorId, at]])))
