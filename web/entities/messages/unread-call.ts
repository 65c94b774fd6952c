import type { getUnreadMessages } from '#contracts/messages.endpoints.ts'

/** Duplicates the path, because importing the contract would add its schemas to the initial bundle. A test compares the two. */
export const unreadCall = { method: 'GET', path: '/api/messages/unread-count' } as unknown as typeof getUnreadMessages
