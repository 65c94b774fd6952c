import { newId } from '../../kernel/ids.ts'
import { type DemoConversation, demoConversations } from './demo-messages.ts'
import { daysBefore, type Loading, needed } from './loading.ts'

export async function addMessages(loading: Loading): Promise<void> {
  for (const conversation of demoConversations) await addConversation(loading, conversation)
}

async function addConversation({ tx, now, people, businesses }: Loading, conversation: DemoConversation): Promise<void> {
  const [first, second] = conversation.between
  const { messages, unread, isRequest = false } = conversation
  const businessId = businesses.get(second) ?? null
  const firstId = needed(people, first)
  const secondId = businessId === null ? needed(people, second) : null
  const [person_id, other_id] = secondId === null ? [firstId, null] : ([firstId, secondId].toSorted() as [string, string])
  const owner = businessId === null ? null : await ownerOf(tx, businessId)
  const idOf = (by: string) => (by === second && owner !== null ? owner : needed(people, by))
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
  // Whoever wrote last has read all; the other all but the last few.
  const lastBy = messages.at(-1)?.by
  const side = (key: string) => {
    const isReader = key !== lastBy
    const isTeam = key === second && businessId !== null
    return {
      conversation_id: id,
      user_id: isTeam ? null : needed(people, key),
      business_id: isTeam ? businessId : null,
      read_sequence: messages.length - (isReader ? unread : 0),
      unread_count: isReader ? unread : 0,
      last_message_at: last,
      is_request: isRequest && isReader,
    }
  }
  await tx
    .insertInto('conversation_sides')
    .values([side(first), side(second)])
    .execute()
}

async function ownerOf(tx: Loading['tx'], businessId: string): Promise<string> {
  const { user_id } = await tx
    .selectFrom('business_members')
    .select('user_id')
    .where('business_id', '=', businessId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return user_id
}
