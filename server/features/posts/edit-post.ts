import type { Parsed } from '../../../contracts/endpoint.ts'
import { type editPost as contract, maxMedia, type Post, PostType } from '../../../contracts/posts.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { withoutZip } from '../../kernel/geo/place-search.ts'
import { requireCommunity } from '../communities/index.ts'
import { requireReadyMedia } from '../media/index.ts'
import type { Verdict } from '../screening/index.ts'
import { countTags } from './community-tags.ts'
import { distinct, hold, screenPost, wordsOf } from './create-post.ts'
import { lockPost } from './lock-post.ts'
import { requireAge, requireFitting } from './post-rules.ts'
import { hasCommentsOfOthers, mediaIdsOf, pendingMediaOf, replaceMedia, updatePost } from './post-writes.queries.ts'
import { isOwnPost } from './posts.policy.ts'
import type { PostFacts } from './posts.queries.ts'
import { readPost } from './read-posts.ts'
import { countShown, lockCounts } from './shown-counts.ts'
import { type Viewer, viewerOf } from './viewer.ts'

type Input = Parsed<(typeof contract)['body']>

/**
 * Changes a post of one's own or of a business that one belongs to; what is not given stays. In a community it keeps its type, and is
 * changed by whoever may write there.
 * @throws AppError not_found, forbidden, invalid_input, age_restricted, conflict
 */
export async function editPost(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, postId: string, input: Input): Promise<Post> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const counted = await tx.selectFrom('posts').select(['author_id', 'community_id']).where('id', '=', postId).executeTakeFirst()
    // What counts it and its tags: before the post, as everywhere.
    if (counted) await lockCounts(tx, counted)
    const post = await lockPost(tx, viewer, postId)
    const communityId = post.community_id
    if (!isOwnPost(actor.id, post)) throw new AppError('forbidden', { message: 'Only those whose post it is can change it.' })
    if (input.content === '' && post.post_type !== 'poll') throw invalidField('content', 'Content is required')
    const kind = communityId === null ? kindOf(viewer, post, input) : await kindInCommunity(tx, viewer, post, input)
    // Nobody can add to them meanwhile: whoever comments holds the post, too.
    if (post.is_exclusive && !kind.is_exclusive && (await hasCommentsOfOthers(tx, postId))) {
      throw new AppError('conflict', { message: 'Subscribers commented on this post in confidence. Publish it anew instead.' })
    }
    if (input.mediaIds) await changeMedia(tx, actor.id, postId, input.mediaIds)
    const verdict = await screenEdit(tx, ctx, actor, post, { ...input, postType: kind.post_type })
    await updatePost(tx, postId, {
      ...kind,
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
    if (verdict.state === 'held') await holdEdited(tx, { ...post, tags: input.tags ? distinct(input.tags) : post.tags }, verdict, now)
    return readPost(tx, viewer, postId)
  })
}

type Changes = Pick<Input, 'title' | 'content' | 'tags' | 'place'> & { postType: PostFacts['post_type'] }

/** @throws AppError forbidden, invalid_input */
async function screenEdit(tx: Tx, ctx: Pick<Context, 'clock'>, actor: Actor, post: PostFacts, changes: Changes): Promise<Verdict> {
  const now = await tx.selectFrom('posts').select(['title', 'content', 'tags', 'place']).where('id', '=', post.id).executeTakeFirstOrThrow()
  const { title = now.title, content = now.content, tags = now.tags, place = now.place ?? '', postType } = changes
  // What is shown has been judged before; of what waits, all is to be looked at.
  const before = post.moderation === null && postType === post.post_type ? wordsOf(now) : undefined
  const community = post.community_id === null ? {} : { communityId: post.community_id }
  const words = { postType, title, content, tags, place }
  return screenPost(tx, ctx, actor, { id: post.id, businessId: post.business_id, ...community, ...words }, before)
}

/** Takes a post out of view until a moderator has looked at its new words; what is out of view stays there, for these reasons now. */
async function holdEdited(tx: Tx, post: PostFacts, verdict: Verdict, now: Date): Promise<void> {
  if (post.moderation === null) {
    await updatePost(tx, post.id, { moderation: 'held' })
    await countShown(tx, post, -1, now)
  }
  await hold(tx, post, verdict, now)
}

type Kind = Pick<PostFacts, 'post_type' | 'is_exclusive'>

/** @throws AppError invalid_input, age_restricted */
function kindOf(viewer: Viewer, post: PostFacts, input: Input): Kind {
  const { postType = ownType(post.post_type), isExclusive = post.is_exclusive } = input
  requireFitting({ postType, isExclusive }, post.business_id !== null)
  requireAge(postType, viewer.age, post.business_id === null ? null : post)
  return { post_type: postType, is_exclusive: isExclusive }
}

/** The database keeps the types of communities in communities. */
const ownType = (type: PostFacts['post_type']): PostType => PostType.options.find((own) => own === type) ?? 'update'

/** @throws AppError invalid_input, forbidden */
async function kindInCommunity(tx: Tx, viewer: Viewer, post: PostFacts, input: Input): Promise<Kind> {
  if (post.community_id !== null) await requireCommunity(tx, viewer, post.community_id, 'write', viewer.now)
  if (input.postType !== undefined) throw invalidField('postType', 'A post in a community keeps its type')
  requireFitting({ postType: 'update', isExclusive: input.isExclusive ?? false }, false)
  return { post_type: post.post_type, is_exclusive: false }
}

/** What is on the post already may stay, whoever uploaded it. @throws AppError invalid_input */
async function changeMedia(tx: Tx, userId: string, postId: string, mediaIds: readonly string[]): Promise<void> {
  if (new Set(mediaIds).size < mediaIds.length) throw invalidField('mediaIds', 'Each picture or video only once')
  const before = new Set(await mediaIdsOf(tx, postId))
  await requireReadyMedia(
    tx,
    userId,
    mediaIds.filter((id) => !before.has(id)),
  )
  // A form cannot know of a picture that is not here yet.
  const all = [...new Set([...(await pendingMediaOf(tx, postId)), ...mediaIds])]
  if (all.length > maxMedia) throw invalidField('mediaIds', `At most ${maxMedia} pictures and videos. One more is on its way.`)
  await replaceMedia(tx, postId, all)
}
