import { type MessageSettings, saveMessageSettings } from '../../../contracts/messages.ts'
import { call } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { fieldsBack, savedAtOnce } from '../../lib/saved-at-once.ts'
import { tellNotSaved } from '../../ui/tell-not-saved.ts'
import { refreshConversations } from './message-caches.ts'
import { messageSettingsOptions } from './messages.api.ts'

/** Who may begin a conversation, and whether others see how far one has read: here and under Settings the same. */
export const messageSettings = savedAtOnce<MessageSettings, Partial<MessageSettings>>({
  queryKey: messageSettingsOptions.queryKey,
  withChoice: (settings, choice) => ({ ...settings, ...choice }),
  turnedBack: fieldsBack,
  save: (_choice, body) => call(saveMessageSettings, { body }),
  onSaved: () => refreshConversations(queryClient, null),
  onFailed: tellNotSaved,
})
