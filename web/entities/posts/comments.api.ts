import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listComments, listReplies } from '#contracts/calls/comments.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import { changeCached, changeItems, type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'
import { changePost, postOptions, shownPost } from './posts.api.ts'

type Pages = InfiniteData<ListPage<Comment>>

export const commentsOptions = (postId: string) => ({ ...pagesOptions(listComments, { params: { id: postId } }), meta: othersChange })

export const repliesOptions = (commentId: string) => ({ ...pagesOptions(listReplies, { params: { id: commentId } }), meta: othersChange })

/** Oldest first. The viewer's own comment is added before its page loads, so this removes duplicates and moves it after older ones. */
export function commentsOf(data: Pages | undefined): Comment[] {
  const comments = new Map(data?.pages.flatMap(({ items }) => items).map((comment) => [comment.id, comment]))
  return [...comments.values()].sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt))
}

const listOf = ({ postId, parentId }: Pick<Comment, 'postId' | 'parentId'>) =>
  ({ queryKey: (parentId === null ? commentsOptions(postId) : repliesOptions(parentId)).queryKey, exact: true }) as const

export function addComment(client: QueryClient, comment: Comment): void {
  // If replies haven't been requested yet, the response will include this one.
  changeCached<Pages>(client, listOf(comment), (data) =>
    commentsOf(data).some(({ id }) => id === comment.id)
      ? data
      : {
          ...data,
          pages: data.pages.with(-1, { next: null, ...data.pages.at(-1), items: [...(data.pages.at(-1)?.items ?? []), comment] }),
        },
  )
  if (comment.parentId) changeParent(client, comment, 1)
  if (comment.moderation !== null) return
  const count = (client.getQueryData(postOptions(comment.postId).queryKey) ?? shownPost(client, comment.postId))?.commentsCount ?? 0
  changePost(client, comment.postId, ({ commentsCount }) => ({ commentsCount: Math.max(commentsCount, count + 1) }))
}

export function replaceComment(client: QueryClient, comment: Comment): void {
  changeItems<Comment>(client, listOf(comment), (items) => items.map((item) => (item.id === comment.id ? comment : item)))
}

/** A deleted comment with replies stays in the list, without its content. */
export function dropComment(client: QueryClient, comment: Comment): void {
  changeItems<Comment>(client, listOf(comment), (items) =>
    items.flatMap((item) => {
      if (item.id !== comment.id) return [item]
      return item.repliesCount > 0 ? [{ ...item, content: '', isDeleted: true, author: null, business: null, abilities: noAbilities }] : []
    }),
  )
  if (comment.parentId) changeParent(client, comment, -1)
  void refreshCount(client, comment.postId)
}

const noAbilities = { reply: false, edit: false, delete: false, report: false, block: false }

/**
 * A response in flight may already count the change, so this sets at least the new count after a reply is added, and at most the new count
 * after one is deleted.
 */
function changeParent(client: QueryClient, { postId, parentId, moderation }: Comment, by: 1 | -1): void {
  const count = moderation === 'held' ? 'heldRepliesCount' : 'repliesCount'
  const list = listOf({ postId, parentId: null })
  const before = commentsOf(client.getQueryData<Pages>(list.queryKey)).find(({ id }) => id === parentId)?.[count] ?? 0
  const after = Math.max(0, before + by)
  changeItems<Comment>(client, list, (items) =>
    items.map((item) =>
      item.id === parentId ? { ...item, [count]: by > 0 ? Math.max(item[count], after) : Math.min(item[count], after) } : item,
    ),
  )
}

/** Call when a comment is hidden while its deletion can still be undone. If the comment stays, call `refreshCount`. */
export function uncountComment(client: QueryClient, { postId, moderation }: Comment): void {
  if (moderation !== null) return
  changePost(client, postId, ({ commentsCount }) => ({ commentsCount: Math.max(0, commentsCount - 1) }))
}

export async function refreshCount(client: QueryClient, postId: string): Promise<void> {
  const post = await client.fetchQuery({ ...postOptions(postId), staleTime: 0 }).catch(() => null)
  if (post) changePost(client, postId, () => ({ commentsCount: post.commentsCount }))
}

/** Call if the address names a comment that may be newer than the cache. */
export const refreshComments = (client: QueryClient): Promise<unknown> => refreshCalls(client, [listComments, listReplies])
