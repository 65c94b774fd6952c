import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { lazy, type Ref, Suspense, useEffect, useId, useRef, useState } from 'react'
import { createComment } from '#contracts/calls/comments.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { Post, PostInCommunity } from '#contracts/posts.ts'
import { MutedNote, useMutedUntil } from '#web/entities/account-status/moderation-note.tsx'
import { myBusinessesOptions } from '#web/entities/businesses/businesses.api.ts'
import { CommentField, useCommentDraft } from '#web/entities/comments/comment-frame.tsx'
import { reportedWriter, writerName } from '#web/entities/posts/byline.tsx'
import { addComment, commentsOf, commentsOptions, refreshComments, repliesOptions } from '#web/entities/posts/comments.api.ts'
import type { MentionedText } from '#web/entities/posts/mention-area.tsx'
import { mentionsWithoutSpaces } from '#web/entities/posts/mentions.ts'
import { PostCard, PostSkeleton } from '#web/entities/posts/post-card.tsx'
import { postOptions, shownPost } from '#web/entities/posts/posts.api.ts'
import { creationKey } from '#web/forms/creation-key.ts'
import { isSignedOut } from '#web/forms/server-errors.ts'
import { isAbsent, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { refreshCurrentUser } from '#web/lib/current-user.ts'
import { counted, formatNumber } from '#web/lib/format.ts'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadError, RetryLine } from '#web/ui/error-state.tsx'
import { useListFocus } from '#web/ui/focus.ts'
import { textLink } from '#web/ui/link-styles.ts'
import { MorePages, usePagesWhile } from '#web/ui/paged-list.tsx'
import { useRemoved } from '#web/ui/pending-removals.ts'
import { Select } from '#web/ui/select.tsx'
import { SkeletonGroup, SkeletonRow } from '#web/ui/skeleton.tsx'
import { CommentItem, commentElementId } from './comment-item.tsx'
import { PostNotFound } from './post-not-found.tsx'

const CommunityPostPage = lazy(() => import('./community-post-page.tsx').then(({ CommunityPostPage: Page }) => ({ default: Page })))

const isOfCommunity = (post: Post): post is Post & { community: PostInCommunity } => post.community !== null

export function PostScreen({ id }: { id: string }) {
  const client = useQueryClient()
  const hash = useLocation({ select: (location) => location.hash })
  const field = useRef<HTMLTextAreaElement>(null)
  const isRemoved = useRemoved().has(id)
  // While loading, show the post from a cached list.
  const query = useQuery({ ...postOptions(id), placeholderData: () => shownPost(client, id) })
  const { data: post, error, isPending, isFetching, refetch } = query
  const hasPost = post !== undefined && !post.isLocked

  // The comment buttons of post cards link here.
  useEffect(() => {
    if (hash === 'comments' && hasPost) field.current?.focus()
  }, [hash, hasPost])

  const leave = useGoBack('/')

  if (isPending) {
    return (
      <div className={frame}>
        <SkeletonGroup label="Loading the post..." className="grid gap-6">
          <PostSkeleton />
          <SkeletonRow />
          <SkeletonRow />
        </SkeletonGroup>
      </div>
    )
  }
  if (isRemoved || (!post && isAbsent(error))) return <PostNotFound onBack={leave} />
  if (!post) {
    return (
      <div className="py-10">
        <h1 className="sr-only">Post</h1>
        <LoadError title="This post couldn’t be loaded" query={{ error, refetch, isFetching }} />
      </div>
    )
  }
  return (
    <div className={frame}>
      <Button variant="quiet" size="sm" className="-ml-3 mb-2" onClick={leave}>
        <ArrowLeft aria-hidden="true" />
        Back
      </Button>
      {isOfCommunity(post) ? (
        <Suspense fallback={<PostSkeleton />}>
          <CommunityPostPage post={post} onComment={() => field.current?.focus()} onRemoved={leave} />
        </Suspense>
      ) : (
        <PostCard post={post} where="page" level={1} onComment={() => field.current?.focus()} onRemoved={leave} />
      )}
      {hasPost && (
        <div className="mt-8">
          <Comments post={post} hash={hash} fieldRef={field} />
        </div>
      )}
    </div>
  )
}

const frame = 'mx-auto max-w-feed px-4 pt-4 pb-16 sm:px-6 sm:pt-6'

type CommentsProps = {
  post: Post
  hash: string
  fieldRef: Ref<HTMLTextAreaElement>
}

function Comments({ post, hash, fieldRef }: CommentsProps) {
  const list = useInfiniteQuery(commentsOptions(post.id))
  const removed = useRemoved()
  const listFocus = useListFocus<HTMLOListElement>()
  const comments = commentsOf(list.data)
  const shown = comments.filter((comment) => !removed.has(comment.id) || comment.repliesCount > 0)
  const target = hash.startsWith('comment-') ? hash.slice('comment-'.length) : null
  // IDs are chronological and the oldest come first, so stop loading past the target.
  usePagesWhile(target !== null && (comments.at(-1)?.id ?? '') < target, list)
  useScrollTo(target)

  // A notification opened on this page may lead to a newer comment.
  const client = useQueryClient()
  const firstTarget = useRef(target)
  useEffect(() => {
    if (target !== firstTarget.current) void refreshComments(client)
    firstTarget.current = target
  }, [target, client])

  return (
    <section id="comments" aria-labelledby="comments-title" className="scroll-mt-20">
      <h2 id="comments-title" className="text-xl">
        Comments{post.commentsCount > 0 && <span className="text-muted tabular-nums"> {formatNumber(post.commentsCount)}</span>}
      </h2>
      {list.isPending && (
        <SkeletonGroup label="Loading comments..." className="mt-2">
          <SkeletonRow />
          <SkeletonRow />
        </SkeletonGroup>
      )}
      {list.isError && !list.data && <LoadError level={3} title="The comments couldn’t be loaded" query={list} />}
      {list.data && shown.length === 0 && (
        <p className="mt-2 text-muted">{post.abilities.comment ? 'No comments yet. Be the first to say something.' : 'No comments yet.'}</p>
      )}
      {shown.length > 0 && (
        <ol {...listFocus} className="mt-3 grid gap-2">
          {comments.map((comment) => (
            <CommentThread key={comment.id} post={post} comment={comment} target={target} />
          ))}
        </ol>
      )}
      <MorePages list={list} />
      {post.abilities.comment && (
        <div className="mt-5">
          <CommentForm post={post} parentId={null} label="Write a comment" ref={fieldRef} onWritten={() => undefined} />
        </div>
      )}
    </section>
  )
}

/** Scrolls to the comment and focuses it as soon as it's rendered, but only the first time. */
function useScrollTo(target: string | null): void {
  const [reached, setReached] = useState<string | null>(null)
  useEffect(() => {
    if (target === null || reached === target) return
    const go = () => {
      const element = document.getElementById(commentElementId(target))
      if (!element) return false
      element.scrollIntoView({ block: 'center' })
      element.focus({ preventScroll: true })
      setReached(target)
      return true
    }
    if (go()) return
    const observer = new MutationObserver(() => go() && observer.disconnect())
    observer.observe(document.getElementById('comments') ?? document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [target, reached])
}

type CommentThreadProps = {
  post: Post
  comment: Comment
  target: string | null
}

function CommentThread({ post, comment, target }: CommentThreadProps) {
  const [isOpen, setOpen] = useState(false)
  const [answered, setAnswered] = useState<Comment | null>(null)
  // IDs are chronological, so a reply's ID is greater than its parent's.
  const repliesCount = comment.repliesCount + comment.heldRepliesCount
  const mayHoldTarget = target !== null && target > comment.id && repliesCount > 0
  const isShown = (isOpen || mayHoldTarget) && repliesCount > 0
  const replies = useInfiniteQuery({ ...repliesOptions(comment.id), enabled: isShown })
  const shown = commentsOf(replies.data)
  const isFound = shown.some(({ id }) => id === target)
  const isPast = target !== null && (shown.at(-1)?.id ?? '') > target
  usePagesWhile(mayHoldTarget && !isFound && !isPast, replies)

  const reply = (to: Comment) => {
    setOpen(true)
    setAnswered(to)
  }

  return (
    <CommentItem post={post} comment={comment} isMarked={comment.id === target} onReply={() => reply(comment)}>
      <div className="ml-4 border-line border-l pl-4 empty:hidden sm:ml-9">
        {repliesCount > 0 && !isShown && (
          <button type="button" onClick={() => setOpen(true)} className={`${textLink} touch-target my-1 text-sm`}>
            Show {counted(repliesCount, 'reply', 'replies')}
          </button>
        )}
        {isShown && replies.isPending && (
          <SkeletonGroup label="Loading replies...">
            <SkeletonRow />
          </SkeletonGroup>
        )}
        {isShown && replies.isError && !replies.data && (
          <RetryLine onRetry={() => void replies.refetch()} pending={replies.isFetching}>
            The replies couldn’t be loaded. {messageOf(replies.error)}
          </RetryLine>
        )}
        {isShown && shown.length > 0 && (
          <ol className="grid gap-1">
            {shown.map((each) => (
              <CommentItem key={each.id} post={post} comment={each} isMarked={each.id === target} onReply={() => reply(each)} />
            ))}
          </ol>
        )}
        {isShown && <MorePages list={replies} text="More replies" failure="More replies couldn’t be loaded." />}
        {answered && (
          <div className="py-2">
            <CommentForm
              key={answered.id}
              post={post}
              parentId={comment.id}
              label={`Reply to ${writerName(answered)}`}
              initial={answered.id === comment.id ? undefined : mentionOf(answered)}
              autoFocus
              onWritten={() => setAnswered(null)}
              onCancel={() => setAnswered(null)}
            />
          </div>
        )}
      </div>
    </CommentItem>
  )
}

/** A reply to a reply is listed among the other replies, so it starts with a mention. */
function mentionOf(comment: Comment): MentionedText {
  const name = writerName(comment)
  const writer = reportedWriter(comment)
  return {
    content: `@${name} `,
    mentions: writer ? [{ kind: writer.kind, id: writer.id, start: 0, length: name.length + 1 }] : [],
  }
}

type CommentFormProps = {
  post: Post
  /** Null for a comment on the post. */
  parentId: string | null
  label: string
  initial?: MentionedText | undefined
  ref?: Ref<HTMLTextAreaElement>
  autoFocus?: boolean
  onWritten: (comment: Comment) => void
  onCancel?: (() => void) | undefined
}

/** Drafts survive reloading and signing in. */
function CommentForm({ post, parentId, label, initial, ref, autoFocus = false, onWritten, onCancel }: CommentFormProps) {
  const client = useQueryClient()
  const id = useId()
  const mutedUntil = useMutedUntil()
  const subject = `comment.${parentId ?? post.id}`
  const { text, change, clear } = useCommentDraft(subject, initial)
  // Businesses can't comment in communities.
  const businesses = useQuery({ ...myBusinessesOptions, enabled: post.community === null }).data ?? []
  // By default, the business's team replies in its name.
  const ownBusiness = businesses.find((business) => business.id === post.businessId)
  const [chosen, setChosen] = useState<string | null>(null)
  const writer = chosen ?? ownBusiness?.id ?? ''

  const sending = useMutation({
    mutationFn: () => {
      const { content, mentions } = text
      const body = { content, mentions: mentionsWithoutSpaces(content, mentions), parentId, businessId: writer || null }
      return call(createComment, { params: { id: post.id }, body }, { idempotencyKey: creationKey(subject, body) })
    },
    onSuccess: (comment) => {
      clear()
      addComment(client, comment)
      onWritten(comment)
    },
    onError: (error) => {
      if (isSignedOut(error)) void refreshCurrentUser()
    },
  })
  if (mutedUntil) return <MutedNote until={mutedUntil} />
  return (
    <CommentField
      ref={ref}
      label={label}
      text={text}
      onChange={change}
      communityId={post.community?.id}
      words={{ kind: 'comment', businessId: writer || null }}
      submitText={parentId ? 'Reply' : 'Comment'}
      pendingText="Sending..."
      sending={sending}
      onSubmit={() => sending.mutate()}
      onCancel={onCancel}
      autoFocus={autoFocus}
      start={
        businesses.length > 0 && (
          <label htmlFor={`${id}-writer`} className="mr-auto flex min-w-0 items-center gap-2 text-muted text-sm">
            <span className="shrink-0">Write as</span>
            <Select id={`${id}-writer`} value={writer} onChange={(event) => setChosen(event.target.value)} className="w-48">
              <option value="">Your own name</option>
              {businesses.map((business) => (
                <option key={business.id} value={business.id}>
                  {business.label}
                </option>
              ))}
            </Select>
          </label>
        )
      }
    />
  )
}
