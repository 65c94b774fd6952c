import type { getUnreadMessages } from '../../../contracts/messages.ts'

/** Named here without its schemas, which every signed-in first load would carry for the sake of one number. A test holds the two together. */
export const unreadCall = { method: 'GET', path: '/api/messages/unread-count' } as unknown as typeof getUnreadMessages
