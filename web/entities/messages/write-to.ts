import { openConversation } from '#contracts/calls/messages.ts'
import { call } from '#web/lib/call.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { conversationOptions } from './messages.api.ts'

/** Finds or creates the conversation. @returns its ID @throws ApiError with the reason if the viewer can't write */
export async function writeTo(to: { kind: 'person' | 'business'; id: string }): Promise<string> {
  const conversation = await call(openConversation, { body: { to: { kind: to.kind, id: to.id } } })
  queryClient.setQueryData(conversationOptions(conversation.id).queryKey, conversation)
  return conversation.id
}
