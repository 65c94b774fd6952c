import type { PostType } from './posts.ts'

/** Server-sent events for signed-in people. All data is JSON. */
export const livePath = '/api/live'

/**
 * Events contain no user text: the page fetches what it shows. Each connection starts with `hello` and the current state, so
 * reconnecting loses nothing.
 */
export type LiveEvents = {
  /** The session has ended. The server closes the stream and refuses to open another. */
  ended: Record<string, never>
  hello: { unread: number; unreadMessages: number }
  notifications: { unread: number }
  /** A conversation changed, for example by a new message, a response to a request or a read receipt. */
  messages: { unread: number; conversationId: string | null }
  /** The viewer deleted a message, perhaps on another device, or a colleague did in the business's inbox. */
  deletedMessage: { conversationId: string; messageId: string }
  /** Some of the conversation's messages are no longer shown to the viewer, or are shown again. */
  changedMessages: { conversationId: string }
  /** `who` is the ID of the person or business. Expires after a few seconds unless repeated. */
  typing: { conversationId: string; who: string }
  feed: { postId: string; postType: PostType }
}
