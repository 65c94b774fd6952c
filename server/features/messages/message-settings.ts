import type { MessageSettings } from '../../../contracts/messages.ts'
import type { Db } from '../../db/connect.ts'

export async function getMessageSettings(db: Db, userId: string): Promise<MessageSettings> {
  const row = await db
    .selectFrom('users')
    .select(['shows_read_marks', 'takes_messages_from'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { showsReadMarks: row.shows_read_marks, takesMessagesFrom: row.takes_messages_from }
}

export async function saveMessageSettings(db: Db, userId: string, settings: MessageSettings): Promise<MessageSettings> {
  await db
    .updateTable('users')
    .set({ shows_read_marks: settings.showsReadMarks, takes_messages_from: settings.takesMessagesFrom })
    .where('id', '=', userId)
    .execute()
  return settings
}
