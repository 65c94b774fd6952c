import type { PostType } from './posts.ts'

/** Server-sent events at this address, for those signed in. Each carries JSON. */
export const livePath = '/api/live'

/**
 * What the server tells a page that is open. Nothing that a person wrote is in it: the page asks for what it wants to show.
 * On every connection, the first event is `hello` with the state as it is, so that nothing is missed in between.
 */
export type LiveEvents = {
  hello: { unread: number; unreadMessages: number }
  notifications: { unread: number }
  /** Something of this conversation changed, or, where it is null, only how much is unread: a message, an answer to a request, a mark. */
  messages: { unread: number; conversationId: string | null }
  /** `who`: the id of the person or business at the other end. Ends by itself after a few seconds without another one. */
  typing: { conversationId: string; who: string }
  /** A post that belongs into this person's feed. */
  feed: { postId: string; postType: PostType }
}
