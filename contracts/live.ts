import type { PostType } from './posts.ts'

/** Server-sent events for signed-in people. Each carries JSON. */
export const livePath = '/api/live'

/**
 * Events sent to open pages. They contain no user text: the page fetches what it wants to show. Each connection starts with `hello` and the
 * current state, so nothing is lost between connections.
 */
export type LiveEvents = {
  /** The session has ended, so reconnecting would be refused. Closes the stream. */
  ended: Record<string, never>
  hello: { unread: number; unreadMessages: number }
  notifications: { unread: number }
  /** A conversation changed: a message, a response to a request, a read receipt. If null, only the unread counts changed. */
  messages: { unread: number; conversationId: string | null }
  /** `who`: ID of the person or business typing. Expires after a few seconds unless repeated. */
  typing: { conversationId: string; who: string }
  /** A new post for this person's feed. */
  feed: { postId: string; postType: PostType }
}
