import type { Parsed } from '#contracts/endpoint.ts'
import type { updatePost as contract } from '#contracts/posts.endpoints.ts'
import { maxMedia, type Post, PostType } from '#contracts/posts.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { closedCommunity, requireCommunity } from '#server/features/communities/index.ts'
import { descriptionsOf, requireReadyMedia } from '#server/features/media/index.ts'
import { replaceMentions } from '#server/features/mentions/index.ts'
import type { Verdict } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { withoutZip } from '#server/kernel/geo/place-search.ts'
import { distinct, hold, requireAge, requireFitting, screenPost, wordsOf } from './create-post.ts'
import {
  announceMentions,
  countShown,
  countTags,
  hasCommentsOfOthers,
  lockCounts,
  mediaIdsOf,
  pendingMediaOf,
  removePost,
  replaceMedia,
  unrankPost,
  updatePostRow,
} from './post-writes.queries.ts'
import { isOwnPost } from './posts.policy.ts'
import { lockPost, type PostFacts, postFacts } from './posts.queries.ts'
import { readPost } from './read-posts.ts'
import { type Viewer, viewerOf } from './visible-posts.ts'

type Input = Parsed<(typeof contract)['body']>

/**
 * Edits a post of the actor or of a business they belong to; omitted fields don't change. A community post keeps its type and can be edited
 * only by authors who may still write there.
 */
export async function updatePost(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  postId: string,
  { editedAt, ...input }: Input,
): Promise<Post> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const counted = await tx.selectFrom('posts').select(['author_id', 'community_id']).where('id', '=', postId).executeTakeFirst()
    // Lock order: counters and tags before the post.
    if (counted) await lockCounts(tx, counted)
    const post = await lockPost(tx, viewer, postId)
    const communityId = post.community_id
    if (!isOwnPost(actor.id, post)) throw new AppError('forbidden', { message: 'Only the author can change a post.' })
    if (editedAt !== undefined) await refuseOutdated(tx, postId, editedAt)
    if (input.content === '' && post.post_type !== 'poll') throw invalidField('content', 'Content is required')
    const kind = communityId === null ? kindOf(viewer, post, input) : await kindInCommunity(tx, viewer, post, input)
    // No race: commenting also locks the post.
    if (post.is_exclusive && !kind.is_exclusive && (await hasCommentsOfOthers(tx, postId))) {
      throw new AppError('conflict', { message: 'Subscribers commented on this post in confidence. Publish a new post instead.' })
    }
    const mediaBefore = await mediaIdsOf(tx, postId)
    if (input.mediaIds) await changeMedia(tx, actor.id, postId, input.mediaIds)
    const verdict = await screenEdit(tx, ctx, actor, post, { ...input, postType: kind.post_type, mediaBefore })
    const isMentioning = await changeMentions(tx, viewer, post, input)
    // The person who wrote the held text for a business is responsible for it.
    const author_id = verdict.state === 'held' && post.business_id !== null ? actor.id : post.author_id
    await updatePostRow(tx, postId, {
      ...kind,
      author_id,
      ...(input.title === undefined ? {} : { title: input.title }),
      ...(input.content === undefined ? {} : { content: input.content }),
      ...(input.place === undefined ? {} : { place: withoutZip(input.place) || null }),
      ...(input.tags === undefined ? {} : { tags: distinct(input.tags) }),
      ...(Object.keys(input).length > 0 ? { edited_at: now, updated_at: now } : {}),
    })
    if (communityId !== null && input.tags !== undefined && post.moderation === null) {
      const counted = { communityId, createdAt: post.created_at }
      await countTags(tx, { ...counted, tags: post.tags }, -1, now)
      await countTags(tx, { ...counted, tags: distinct(input.tags) }, 1, now)
    }
    if (isMentioning && verdict.state === null && post.moderation === null) await announceMentions(tx, ctx, postId)
    if (verdict.state === 'held')
      await holdEdited(tx, ctx, { ...post, author_id, tags: input.tags ? distinct(input.tags) : post.tags }, verdict, now)
    return readPost(tx, viewer, postId)
  })
}

/** @throws AppError conflict if the post, which must be locked, was edited after the given time */
async function refuseOutdated(tx: Tx, postId: string, editedAt: string | null): Promise<void> {
  const { edited_at } = await tx.selectFrom('posts').select('edited_at').where('id', '=', postId).executeTakeFirstOrThrow()
  if (edited_at?.getTime() === (editedAt === null ? undefined : new Date(editedAt).getTime())) return
  throw new AppError('conflict', { message: 'This post was edited in the meantime. Reload it to see what’s new.' })
}

type Changes = Pick<Input, 'title' | 'content' | 'tags' | 'place' | 'mediaIds'> & {
  postType: PostFacts['post_type']
  mediaBefore: string[]
}

async function screenEdit(tx: Tx, ctx: Pick<Context, 'clock'>, actor: Actor, post: PostFacts, changes: Changes): Promise<Verdict> {
  const now = await tx.selectFrom('posts').select(['title', 'content', 'tags', 'place']).where('id', '=', post.id).executeTakeFirstOrThrow()
  const {
    title = now.title,
    content = now.content,
    tags = now.tags,
    place = now.place ?? '',
    postType,
    mediaBefore,
    mediaIds = mediaBefore,
  } = changes
  // A visible post was screened before, so only changes count. A held one, or one that changes its type, is screened in full.
  const before =
    post.moderation === null && postType === post.post_type ? [...wordsOf(now), ...(await descriptionsOf(tx, mediaBefore))] : undefined
  const community = post.community_id === null ? {} : { communityId: post.community_id }
  const words = { postType, title, content, tags, place, mediaIds }
  return screenPost(tx, ctx, actor, { id: post.id, businessId: post.business_id, ...community, ...words }, before)
}

/**
 * Holds a post until a moderator reviews its new text. A held, hidden or removed one keeps its state, but its case gets the new reasons.
 */
async function holdEdited(tx: Tx, ctx: Pick<Context, 'events'>, post: PostFacts, verdict: Verdict, now: Date): Promise<void> {
  if (post.moderation === null) {
    await updatePostRow(tx, post.id, { moderation: 'held' })
    await countShown(tx, post, -1, now)
    if (post.community_id !== null) await unrankPost(tx, post.id)
  }
  await hold(tx, ctx, post, verdict, now)
}

/** Mentions are positions in the content, so new content has only the mentions sent with it. Returns whether anyone is mentioned. */
async function changeMentions(tx: Tx, viewer: Viewer, post: PostFacts, { content, mentions }: Input): Promise<boolean> {
  if (content === undefined && mentions === undefined) return false
  const { content: before } = await tx.selectFrom('posts').select('content').where('id', '=', post.id).executeTakeFirstOrThrow()
  if (mentions === undefined && content === before) return false
  const closedCommunityId = await closedCommunity(tx, viewer, post.community_id, viewer.now)
  const written = { writerId: viewer.id, content: content ?? before, mentions: mentions ?? [], before, closedCommunityId }
  return replaceMentions(tx, { postId: post.id }, written)
}

type Kind = Pick<PostFacts, 'post_type' | 'is_exclusive'>

function kindOf(viewer: Viewer, post: PostFacts, input: Input): Kind {
  const { postType = ownType(post.post_type), isExclusive = post.is_exclusive } = input
  requireFitting({ postType, isExclusive }, post.business_id !== null)
  requireAge(postType, viewer.age, post.business_id === null ? null : post)
  return { post_type: postType, is_exclusive: isExclusive }
}

/** Community-only types can't occur here: a check constraint limits them to communities. */
const ownType = (type: PostFacts['post_type']): PostType => PostType.options.find((own) => own === type) ?? 'update'

async function kindInCommunity(tx: Tx, viewer: Viewer, post: PostFacts, input: Input): Promise<Kind> {
  if (post.community_id !== null) await requireCommunity(tx, viewer, post.community_id, 'write', viewer.now)
  if (input.postType !== undefined) throw invalidField('postType', 'You can’t change the type of a community post')
  requireFitting({ postType: 'update', isExclusive: input.isExclusive ?? false }, false)
  return { post_type: post.post_type, is_exclusive: false }
}

/** Media already on the post may remain, even if someone else uploaded it. */
async function changeMedia(tx: Tx, userId: string, postId: string, mediaIds: readonly string[]): Promise<void> {
  if (new Set(mediaIds).size < mediaIds.length) throw invalidField('mediaIds', 'Add each picture or video only once')
  const before = new Set(await mediaIdsOf(tx, postId))
  await requireReadyMedia(
    tx,
    userId,
    mediaIds.filter((id) => !before.has(id)),
  )
  // The form doesn't include pictures that are still being downloaded.
  const all = [...new Set([...(await pendingMediaOf(tx, postId)), ...mediaIds])]
  if (all.length > maxMedia) throw invalidField('mediaIds', `At most ${maxMedia} pictures and videos. One more is still loading.`)
  await replaceMedia(tx, postId, all)
}

/**
 * Deletes a post of the actor or of a business they belong to, with its comments and likes. Moderators decide a case instead, with a
 * reason, a notice and an appeal.
 */
export async function deletePost(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string): Promise<void> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  await inTransaction(ctx.db, async (tx) => {
    const post = await postFacts(tx, viewer, postId)
    if (!post || !(post.is_visible || isOwnPost(actor.id, post))) throw notFound('Post not found.')
    if (!isOwnPost(actor.id, post)) {
      throw new AppError('forbidden', { message: 'Only the author can delete a post.' })
    }
    // Lock order: counters before the post. A concurrent second delete gets not_found.
    await lockCounts(tx, post)
    const removed = await removePost(tx, postId)
    if (!removed) throw notFound('Post not found.')
    if (removed.moderation === null) await countShown(tx, removed, -1, now)
  })
}
