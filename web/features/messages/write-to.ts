import { openConversation } from '../../../contracts/messages.ts'
import { call } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { conversationOptions } from './messages.api.ts'

/** Finds or makes the one conversation with somebody. @returns its id @throws ApiError with the reason where one cannot write */
export async function writeTo(to: { kind: 'person' | 'business'; id: string }): Promise<string> {
  const conversation = await call(openConversation, { body: { to: { kind: to.kind, id: to.id } } })
  queryClient.setQueryData(conversationOptions(conversation.id).queryKey, conversation)
  return conversation.id
}
