import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { listComments, listReplies } from '#contracts/calls/comments.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import { type ListPage, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'
import { changePost, postOptions } from './posts.api.ts'

type Pages = InfiniteData<ListPage<Comment>>

export const commentsOptions = (postId: string) => ({ ...pagesOptions(listComments, { params: { id: postId } }), meta: othersChange })

export const repliesOptions = (commentId: string) => ({ ...pagesOptions(listReplies, { params: { id: commentId } }), meta: othersChange })

/** The viewer's own comment is added before its page loads, so this removes duplicates. */
export function commentsOf(data: Pages | undefined): Comment[] {
  return [...new Map(data?.pages.flatMap(({ items }) => items).map((comment) => [comment.id, comment])).values()]
}

const listOf = ({ postId, parentId }: Comment) =>
  (parentId === null ? commentsOptions(postId) : repliesOptions(parentId)).queryKey as readonly unknown[]

const mapAll = (client: QueryClient, key: readonly unknown[], change: (items: Comment[]) => Comment[]) =>
  client.setQueryData<Pages>(key, (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, items: change(page.items) })) })

export function addComment(client: QueryClient, comment: Comment): void {
  // If replies aren't loaded yet, the request will include this one.
  client.setQueryData<Pages>(
    listOf(comment),
    (data) =>
      data && {
        ...data,
        pages: data.pages.with(-1, { next: null, ...data.pages.at(-1), items: [...(data.pages.at(-1)?.items ?? []), comment] }),
      },
  )
  if (comment.parentId) changeParent(client, comment, 1)
  if (comment.moderation === null) changePost(client, comment.postId, ({ commentsCount }) => ({ commentsCount: commentsCount + 1 }))
}

export function replaceComment(client: QueryClient, comment: Comment): void {
  mapAll(client, listOf(comment), (items) => items.map((item) => (item.id === comment.id ? comment : item)))
}

/** A deleted comment with replies isn't removed, but emptied. */
export function dropComment(client: QueryClient, comment: Comment): void {
  mapAll(client, listOf(comment), (items) =>
    items.flatMap((item) => {
      if (item.id !== comment.id) return [item]
      return item.repliesCount > 0 ? [{ ...item, content: '', isDeleted: true, author: null, business: null, abilities: noAbilities }] : []
    }),
  )
  if (comment.parentId) changeParent(client, comment, -1)
  void refreshCount(client, comment.postId)
}

const noAbilities = { reply: false, edit: false, delete: false, report: false, block: false }

function changeParent(client: QueryClient, { postId, parentId, moderation }: Comment, by: 1 | -1): void {
  const count = moderation === 'held' ? 'heldRepliesCount' : 'repliesCount'
  mapAll(client, commentsOptions(postId).queryKey, (items) =>
    items.map((item) => (item.id === parentId ? { ...item, [count]: Math.max(0, item[count] + by) } : item)),
  )
}

async function refreshCount(client: QueryClient, postId: string): Promise<void> {
  const post = await client.fetchQuery({ ...postOptions(postId), staleTime: 0 }).catch(() => null)
  if (post) changePost(client, postId, () => ({ commentsCount: post.commentsCount }))
}

/** Call if the address names a comment that may be newer than the cache. */
export const refreshComments = (client: QueryClient): Promise<unknown> => refreshCalls(client, [listComments, listReplies])
